"""Files that go and come back at once, as where an editor moves one away and writes it anew."""

from collections.abc import Collection, Container
from pathlib import Path

from evaltui.files import is_there

AWAY_S = 0.4
"""For which a file may be gone without being removed: as long as the poller takes to look twice."""
_MOST_TIMES = 5
"""So many times that is the longest that anything is held, where files go again and again."""


class Settling:
    """Holds changes back while a watched file is gone that may be back in a moment: that is one
    save of what it says then, and neither a removal of all that stood in it nor an addition.

    What changes meanwhile is held back with it, since one half of a file that is renamed is gone.
    """

    def __init__(self) -> None:
        self._held: set[Path] = set()
        self._since = 0.0
        """When the first of them was added."""
        self._away: dict[Path, float] = {}
        """Those of them that may be back in a moment, and since when they are gone."""
        self._gone: set[Path] = set()
        """What was told, or found, to be gone: nothing waits for those."""

    @property
    def is_holding(self) -> bool:
        """Whether something changed that is not told yet."""
        return bool(self._held)

    def add(self, paths: Collection[Path], now: float) -> None:
        """These changed; `now` in seconds, on any steady clock."""
        if not self._held:
            self._since = now
        self._held.update(paths)

    def take(self, wanted: Container[Path], now: float) -> frozenset[Path]:
        """What changed and is to be told by now, once; `wanted` are the paths that are watched."""
        missing = {path for path in self._held if path in wanted and not is_there(path)}
        self._away = {path: self._away.get(path, now) for path in missing - self._gone}
        if self._away and now < self._until:
            return frozenset()
        told, self._held, self._away = frozenset(self._held), set(), {}
        self._gone = (self._gone - told) | missing
        return told

    def wait_s(self, now: float) -> float | None:
        """For how long nothing more is to be told unless something changes; `None` for ever."""
        return max(0.0, self._until - now) if self._held else None

    @property
    def _until(self) -> float:
        """When the last that went has had its time."""
        last = max(self._away.values(), default=self._since)
        return min(last + AWAY_S, self._since + _MOST_TIMES * AWAY_S)
