"""The project's own files, all of which count for an agent whose files are not all known."""

import hashlib
from collections.abc import Collection, Mapping
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from evaltui.core.config import Config
from evaltui.core.tool import short_hash
from evaltui.files import is_written_by_programs, read_file
from evaltui.project.discover import own_files

MAX_FILES = 5_000
MAX_BYTES = 1 << 20
"""What is larger is data."""


class _Known(NamedTuple):
    stamp: tuple[int, ...]
    digest: str
    """Empty where it is no text."""


class _Read(NamedTuple):
    known: Mapping[Path, _Known]
    folders: frozenset[Path]


class SourceFiles:
    """Text below the project root, as of one reading of it. Nothing is read before somebody asks:
    the files of most agents are known.

    Hidden files, other people's packages and what evaltui writes do not count, nor what is
    `left_out`, since that is known to be something else: cases, for instance.
    """

    def __init__(
        self, config: Config, left_out: frozenset[Path], before: "SourceFiles | None" = None
    ) -> None:
        self._config, self._left_out = config, left_out
        self._before = {} if before is None else before._read.known

    @property
    def watched(self) -> frozenset[Path]:
        """The files, and the folders in which others may appear; none before they were read."""
        return self._read.folders | self._read.known.keys() if self._is_read else frozenset()

    @property
    def files(self) -> frozenset[Path]:
        """Those that count; none before they were read."""
        return frozenset(self._digests) if self._is_read else frozenset()

    @cached_property
    def print(self) -> str:
        """12 hex digits of the paths and contents of all of them; empty where there are none."""
        root, found = self._config.root, self._digests
        named = sorted((path.relative_to(root).as_posix(), found[path]) for path in found)
        return short_hash("\n".join(f"{name} {digest}" for name, digest in named)) if named else ""

    def differing(self, before: "SourceFiles") -> set[Path]:
        """Those that are not as they were, or not there any more; none before both were read. One
        that only counts as something else now is as it was."""
        if not (self._is_read and before._is_read):
            return set()
        paths = self._digests.keys() | before._digests.keys()
        paths -= self._left_out | before._left_out
        return {path for path in paths if self._digests.get(path) != before._digests.get(path)}

    def after(
        self, config: Config, left_out: frozenset[Path], changed: Collection[Path] | None
    ) -> "SourceFiles":
        """Those of a later reading, the same object where nothing of them differs. `changed`: what
        was saved; `None`: anything may have been."""
        is_same = (config, left_out) == (self._config, self._left_out)
        if not self._is_read:
            return self if is_same else SourceFiles(config, left_out)
        if is_same and changed is not None and not any(map(self._concerns, changed)):
            return self
        later = SourceFiles(config, left_out, self)
        same = later.print == self.print and later._read.folders == self._read.folders
        return self if is_same and same else later

    def _concerns(self, path: Path) -> bool:
        return path in self._read.known or path.parent in self._read.folders

    @property
    def _is_read(self) -> bool:
        return "_read" in self.__dict__

    @cached_property
    def _read(self) -> _Read:
        files, folders = own_files(self._config)
        ours = (path for path in sorted(files) if not is_written_by_programs(path))
        wanted = (path for path in ours if path not in self._left_out)
        known = {path: self._look_at(path) for path in islice(wanted, MAX_FILES)}
        self._before = {}
        return _Read(known, frozenset(folders))

    @cached_property
    def _digests(self) -> dict[Path, str]:
        return {path: one.digest for path, one in self._read.known.items() if one.digest}

    def _look_at(self, path: Path) -> _Known:
        try:
            found = path.stat()
            stamp = found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_ino
            before = self._before.get(path)
            if before is not None and before.stamp == stamp:
                return before
            content = read_file(path, MAX_BYTES)
        except OSError:
            return _Known((), "")
        is_text = b"\0" not in content[:8_192]
        return _Known(stamp, hashlib.sha256(content).hexdigest() if is_text else "")
