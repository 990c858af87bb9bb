"""Debounces the cursor: the detail shows the case on which it rests."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from evaltui.core.case import CaseKey
from evaltui.core.frame import FRAME_S

if TYPE_CHECKING:
    from textual.timer import Timer

    from evaltui.tui.layout import PaneLayout

REST_S, LAG_S = 0.06, 0.2
"""The detail follows a cursor that rested this long, and one that runs this often."""


class DetailDebouncer:
    """Has the layout show each case that the detail is to be about."""

    def __init__(self, layout: PaneLayout) -> None:
        self.shown: CaseKey | None = None
        self._wanted: CaseKey | None = None
        self._layout = layout
        self._timer: Timer | None = None
        self._followed_at = 0.0

    def want(self, key: CaseKey | None) -> None:
        """Show a case when the cursor rests on it, or now and then while it runs.

        A detail is dear to draw; drawn for every line passed, it would hold the cursor back.
        """
        self._wanted = key
        is_late = time.monotonic() - self._followed_at > LAG_S
        if self._timer is not None:
            if is_late:
                return
            self._timer.stop()
        self._timer = self._layout.screen.set_timer(FRAME_S if is_late else REST_S, self.follow)

    def at_once(self, key: CaseKey | None) -> None:
        """Show a case without waiting for the cursor to rest."""
        self._wanted = key
        self.follow()

    @contextmanager
    def keeping_in_step(self) -> Iterator[None]:
        """Where other lines bring another case under the cursor meanwhile, the detail is about it
        in the same frame; it waits for a cursor that somebody moves."""
        before = self._under_cursor
        yield
        if (now := self._under_cursor) != before:
            self.at_once(now)
            self._layout.follow_heading()

    @property
    def _under_cursor(self) -> CaseKey | None:
        row = self._layout.cases.row
        return row.key if row is not None else None

    def follow(self) -> None:
        """Show the case that is wanted."""
        self._timer = None
        if self._wanted == self.shown:
            return
        self._followed_at = time.monotonic()
        self.shown = self._wanted
        self._layout.show_case(self.shown)
