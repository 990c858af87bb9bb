"""What a journal has of the cases that finished, for the file of results: the same text."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import BinaryIO, TypeAlias

from evaltui.core.case import CaseKey
from evaltui.files import open_file

Place: TypeAlias = tuple[int, int]
"""Offset and length in bytes."""


class JournalLines(Mapping[CaseKey, bytes]):
    """Reads each when it is asked for: all of them would stand in memory once more.

    One that cannot be read any more is missing. `close` comes last.
    """

    def __init__(self, path: Path, places: Mapping[CaseKey, Place]) -> None:
        self._path, self._places = path, places
        self._file: BinaryIO | None = None

    def __getitem__(self, key: CaseKey) -> bytes:
        start, size = self._places[key]
        try:
            if self._file is None:
                self._file = open_file(self._path)
            self._file.seek(start)
            line = self._file.read(size)
        except OSError:
            raise KeyError(key) from None
        if len(line) < size:
            raise KeyError(key)
        return line

    def __iter__(self) -> Iterator[CaseKey]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
