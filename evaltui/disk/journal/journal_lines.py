"""A journal's lines of finished cases, reused as text for the result file."""

from collections.abc import Container, Iterator, Mapping
from pathlib import Path
from typing import BinaryIO, TypeAlias

from evaltui.core.case import CaseKey
from evaltui.files import open_file

Starts: TypeAlias = Mapping[CaseKey, int]
"""Offsets in bytes."""


class JournalLines(Mapping[CaseKey, bytes]):
    """Reads each when it is asked for: all of them would stand in memory once more.

    One that cannot be read any more is missing. `close` comes last.
    """

    def __init__(self, path: Path, starts: Starts, but: Container[CaseKey] = ()) -> None:
        """`starts`: of the cases as they stand in their lines; `but`: those that count as none."""
        self._path, self._starts, self._but = path, starts, but
        self._file: BinaryIO | None = None

    def __getitem__(self, key: CaseKey) -> bytes:
        if key in self._but:
            raise KeyError(key)
        start = self._starts[key]
        try:
            if self._file is None:
                self._file = open_file(self._path)
            self._file.seek(start)
            line = self._file.readline()
        except OSError:
            raise KeyError(key) from None
        if not line.endswith(_END):
            raise KeyError(key)
        return line[: -len(_END)]

    def __iter__(self) -> Iterator[CaseKey]:
        return (key for key in self._starts if key not in self._but)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def close(self) -> None:
        if self._file is not None:
            self._file.close()


_END = b"}\n"
"""Of a line, behind its case."""
