"""Debounces the cursor: the detail shows the case on which it rests."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from evaltui.core.case import CaseKey
from evaltui.core.frame import FRAME_S

if TYPE_CHECKING:
    from textual.screen import Screen
    from textual.timer import Timer

REST_S, LAG_S = 0.06, 0.2
"""The detail follows a cursor that rested this long, and one that runs this often."""


class DetailDebouncer:
    """Calls `show` with each case that the detail is to show."""

    def __init__(self, screen: Screen[Any], show: Callable[[CaseKey | None], None]) -> None:
        self.shown: CaseKey | None = None
        self._wanted: CaseKey | None = None
        self._screen, self._show = screen, show
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
        self._timer = self._screen.set_timer(FRAME_S if is_late else REST_S, self.follow)

    def at_once(self, key: CaseKey) -> None:
        """Show a case without waiting for the cursor to rest."""
        self._wanted = key
        self.follow()

    def follow(self) -> None:
        """Show the case that is wanted."""
        self._timer = None
        if self._wanted == self.shown:
            return
        self._followed_at = time.monotonic()
        self.shown = self._wanted
        self._show(self.shown)
