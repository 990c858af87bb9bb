"""Files that go and come back at once, as where an editor moves one away and writes it anew."""

from collections.abc import Collection, Container
from pathlib import Path

from evaltui.files import is_there

AWAY_S = 0.4
"""For which a file may be gone without being removed: as long as the poller takes to look twice."""


class Settling:
    """Holds changes back while a watched file is gone that may be back in a moment: that is one
    save of what it says then, and neither a removal of all that stood in it nor an addition.

    What changes meanwhile is held back with it, since one half of a file that is renamed is gone.
    """

    def __init__(self) -> None:
        self._held: set[Path] = set()
        self._since = 0.0
        """When the first of them was added."""
        self._gone: set[Path] = set()
        """What was told, or found, to be gone: nothing waits for those."""

    def add(self, paths: Collection[Path], now: float) -> None:
        """These changed; `now` in seconds, on any steady clock."""
        if not self._held:
            self._since = now
        self._held.update(paths)

    def take(self, wanted: Container[Path], now: float) -> frozenset[Path]:
        """What changed and is to be told by now, once; `wanted` are the paths that are watched."""
        missing = {path for path in self._held if path in wanted and not is_there(path)}
        if missing - self._gone and now < self._since + AWAY_S:
            return frozenset()
        told, self._held = frozenset(self._held), set()
        self._gone = (self._gone - told) | missing
        return told

    def wait_s(self, now: float) -> float | None:
        """For how long nothing more is to be told unless something changes; `None` for ever."""
        return max(0.0, self._since + AWAY_S - now) if self._held else None
