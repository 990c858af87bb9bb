"""Which files of the project a process opens, seen from inside: data decides what code says.

Loaded by its path with any Python from 3.9 on, so it imports the standard library only.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

_OTHERS = frozenset({"site-packages", "dist-packages", "node_modules", "__pycache__"})
_MOST_MISSED = 200
_WRITES = os.O_WRONLY | os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_TRUNC


class UsedFiles:
    """Hears of every file that is opened from now on, whoever opens it."""

    def __init__(self, root: str) -> None:
        places = {root.rstrip(os.sep), os.path.realpath(root).rstrip(os.sep)}
        self._roots = tuple(f"{each}{os.sep}" for each in places)
        self._read: set[str] = set()
        self._written: set[str] = set()
        self._reported: set[str] = set()
        sys.addaudithook(self._hear)

    def take_read(self) -> list[str]:
        """Files that were read so far, and not written; absolute."""
        return sorted(filter(os.path.isfile, self._read - self._written))

    def missed(self) -> list[str]:
        """Files that were to be read so far and are not there; absolute."""
        wanted = sorted(self._read - self._written)
        return [path for path in wanted if not Path(path).exists()][:_MOST_MISSED]

    def take_written(self) -> list[str]:
        """Files that were opened to be written since this was asked last; absolute."""
        new = self._written - self._reported
        self._reported |= new
        return sorted(new)

    def _hear(self, event: str, args: tuple[Any, ...]) -> None:
        if event != "open":
            return
        try:
            path, _, flags = args
            if isinstance(path, int) or path is None:
                return
            place = os.path.normpath(Path(os.fsdecode(path)).absolute())
            root = next((each for each in self._roots if place.startswith(each)), None)
            if root is not None and not _is_of_others(place[len(root) :]):
                (self._written if flags & _WRITES else self._read).add(place)
        except Exception:  # whatever is wrong with it, whoever opens it is told
            return


def _is_of_others(below: str) -> bool:
    """Whether it is a package's, or in a folder that is hidden."""
    *folders, _ = below.replace(os.sep, "/").split("/")
    return any(name in _OTHERS or name.startswith(".") for name in folders)
