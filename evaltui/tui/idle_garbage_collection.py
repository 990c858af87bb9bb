"""Looks for garbage while nobody types: with 20,000 cases it takes as long as ten frames."""

import gc
from collections.abc import Callable

from evaltui.core.events import CasesStale, Event, RunFinished

REST_S = 2.0
"""So long after a run, or after the last key if that was later."""
PATIENCE = 10
"""So many times it waits for a rest that does not come."""
FEW = 400_000
"""So many objects are looked through within a few frames."""
WHOLE_EVERY = 10
"""Of more objects those that were left alone are looked through again every so many times."""


class IdleGarbageCollection:
    """A sink that takes the collector's dear part over from the interpreter.

    The young are still looked through as they come. The old are looked through after a run, when
    `is_at_rest`. Of many objects those that stayed are then left alone for a while: results have
    no cycles, and go when they are replaced.
    """

    hears = frozenset({RunFinished, CasesStale})

    def __init__(
        self, after: Callable[[float, Callable[[], None]], object], is_at_rest: Callable[[], bool]
    ) -> None:
        """`after` calls a function once so many seconds have passed."""
        self._after, self._is_at_rest = after, is_at_rest
        self._is_due = False
        self._waited = 0
        self._since_whole = 0

    def begin(self) -> None:
        """Everything that the dashboard starts with is there."""
        gc.collect()
        gc.freeze()
        gc.set_threshold(5_000, 10, 1_000_000)
        gc.enable()

    def handle(self, event: Event) -> None:  # noqa: ARG002
        if not self._is_due:
            self._is_due = True
            self._after(REST_S, self._tidy)

    def _tidy(self) -> None:
        if not self._is_at_rest() and self._waited < PATIENCE:
            self._waited += 1
            self._after(REST_S, self._tidy)
            return
        self._is_due, self._waited = False, 0
        self._since_whole += 1
        if gc.get_freeze_count() < FEW or self._since_whole >= WHOLE_EVERY:
            self._since_whole = 0
            gc.unfreeze()
        gc.collect()
        gc.freeze()
