"""The files of an agent as they were when its fingerprint was made, and whether they still are.

An answer belongs to the code that gave it. What is asked while that is being saved belongs to none.
"""

import hashlib
import os
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from evaltui.core.errors import NoMoreError
from evaltui.core.tool import short_hash
from evaltui.files import is_written_by_programs, read_file

_MISSING = "missing"


class _AsRead(NamedTuple):
    stamp: tuple[int, ...]
    digest: str
    is_held: bool
    """Not what a program may well write while it answers: a log, a report, data that is no text."""


class FilesAsRead:
    """Made when the agent is; `hold` is around whatever it is asked."""

    def __init__(self, files: Collection[Path], root: Path) -> None:
        self._root = root
        self._known = {path: _read(path) for path in sorted(files)}

    @property
    def digests(self) -> tuple[str, ...]:
        """Path and content of each file, sorted."""
        return tuple(f"{self._name(path)} {one.digest}" for path, one in self._known.items())

    @property
    def content(self) -> str:
        """12 hex digits of what stands in all of them; of none too."""
        return short_hash("\n".join(self.digests))

    @contextmanager
    def hold(self) -> Iterator[None]:
        """Raises NoMoreError when one of them is not what was read, before or after."""
        self.check(is_asked=False)
        try:
            yield
        except Exception:  # half a file is a fault of nobody's
            self.check()
            raise
        self.check()

    def check(self, *, is_asked: bool = True) -> None:
        """Raises NoMoreError when one of them is not what was read."""
        for path, known in self._known.items():
            if not known.is_held or (stamp := _stamp(path)) == known.stamp:
                continue
            if _read(path).digest != known.digest:
                raise NoMoreError(
                    f"`{self._name(path)}`, which the agent is made of, was saved after it was "
                    "read, so that its answers would count for other code",
                    "Run again. What the agent itself writes belongs outside of the project, or "
                    "into a file that is named like a log.",
                    "agent-edited",
                    is_unpaid=not is_asked,
                )
            self._known[path] = known._replace(stamp=stamp)

    def _name(self, path: Path) -> str:
        return path.relative_to(self._root).as_posix()


def _stamp(path: Path) -> tuple[int, ...]:
    try:
        found = path.stat()
    except OSError:
        return ()
    return found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_ino


def _read(path: Path) -> _AsRead:
    stamp = _stamp(path)  # first: what is saved meanwhile has another
    try:
        content = read_file(path)
    except OSError:
        return _AsRead(stamp, _MISSING, not is_written_by_programs(path))
    is_code = b"\0" not in content[:8_192] or os.access(path, os.X_OK)
    is_held = is_code and not is_written_by_programs(path)
    return _AsRead(stamp, hashlib.sha256(content).hexdigest(), is_held)
