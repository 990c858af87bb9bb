"""Looking again and again, for file systems that tell no changes."""

import os
import time
from collections.abc import Iterable
from threading import Event
from typing import TypeAlias

POLL_S = 0.2
_SHARE = 0.1
"""Of the time at most; slow file systems are asked less often."""

_Signature: TypeAlias = tuple[int, int, int]


class Poller:
    """Offers what `RustNotify` does. Watchfiles' own polling compares whole seconds only, and so
    misses the second of two quick saves."""

    def __init__(self, folders: Iterable[str]) -> None:
        self._folders = tuple(folders)
        self._pause_s = POLL_S
        self._before = self._look()

    def watch(
        self, debounce_ms: int, step_ms: int, timeout_ms: int, stop_event: Event
    ) -> set[tuple[int, str]] | str:
        """Changed paths, or `timeout` or `stop`; what two looks see alike did not change."""
        end = time.monotonic() + timeout_ms / 1000
        while time.monotonic() < end:
            if stop_event.wait(self._pause_s):
                return "stop"
            before, now = self._before, self._look()
            self._before = now
            paths = {
                path for path in before.keys() | now.keys() if before.get(path) != now.get(path)
            }
            if paths:
                stop_event.wait(min(step_ms, debounce_ms) / 1000)
                return {(2, path) for path in paths}
        return "timeout"

    def close(self) -> None:
        """Nothing is held."""

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
