"""Polling, for file systems that report no changes."""

import os
import time
from collections.abc import Iterable
from threading import Event
from typing import TypeAlias

POLL_S = 0.2
PATIENCE_S = 0.5
"""So long one call waits for news."""
_STEP_S = 0.008
"""What an editor writes in one go is looked at after this."""
_SHARE = 0.1
"""Of the time at most; slow file systems are asked less often."""

_Signature: TypeAlias = tuple[int, int, int]


class Poller:
    """Offers what `Notifier` does. Watchfiles' own polling compares whole seconds only, and so
    misses the second of two quick saves."""

    def __init__(self, folders: Iterable[str], stopped: Event) -> None:
        self._folders = tuple(folders)
        self._stopped = stopped
        self._pause_s = POLL_S
        self._before = self._look()

    def news(self) -> set[str]:
        """Changed paths; none after a while. What two looks see alike did not change."""
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            if self._stopped.wait(self._pause_s):
                break
            before, now = self._before, self._look()
            self._before = now
            paths = before.keys() | now.keys()
            if changed := {path for path in paths if before.get(path) != now.get(path)}:
                self._stopped.wait(_STEP_S)
                return changed
        return set()

    def _look(self) -> dict[str, _Signature]:
        start = time.monotonic()
        found: dict[str, _Signature] = {}
        for folder in self._folders:
            try:
                with os.scandir(folder) as entries:
                    for entry in entries:
                        found[entry.path] = _signature(entry)
            except OSError:
                continue
        self._pause_s = max(POLL_S, (time.monotonic() - start) / _SHARE)
        return found


def _signature(entry: os.DirEntry[str]) -> _Signature:
    try:
        status = entry.stat()
        if entry.is_dir():  # its times change with everything in it
            return 0, 0, status.st_ino
    except OSError:
        return 0, 0, 0
    return status.st_mtime_ns, status.st_size, status.st_ino
