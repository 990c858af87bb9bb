"""The calls of results before: without them nobody can say in what those of now differ."""

import time

from evaltui.core.comparison import EXPLAINED_BY_PREVIOUS_CALLS
from evaltui.core.result import CaseResult
from evaltui.disk.history.history import History
from evaltui.store.row import Compared

_LONGEST_READ_S = 0.5
"""After so long no more results before are read whole: the end of the run waits for them."""


class EarlierCalls:
    """Reads, for one run, the results that an earlier process left and that say something."""

    def __init__(self, history: History) -> None:
        self._history = history
        self.read: list[CaseResult] = []
        """Those that were read so far, with their calls."""
        self._reading_s = 0.0

    def before(self, made: Compared) -> CaseResult | None:
        """What a result is held against, with its calls where those are kept and say something."""
        before = made.before
        if (
            before is None
            or before.response is not None
            or made.effect not in EXPLAINED_BY_PREVIOUS_CALLS
        ):
            return before
        if not before.run_id or self._reading_s > _LONGEST_READ_S:
            return before
        turn = time.perf_counter()
        whole = self._history.whole(before.key, before.run_id)
        self._reading_s += time.perf_counter() - turn
        if whole is None:
            return before
        self.read.append(whole)
        return whole
