"""The line on which each case begins, found by skipping from case to case at C speed."""

import re
from json import JSONDecoder
from math import isinf
from typing import Any

from msgspec import Struct

_SPACE = re.compile(r"[ \t\n\r]*")
_COMMA = re.compile(r"[ \t\n\r]*(?:,[ \t\n\r]*)?")


class CaseLines(Struct, frozen=True):
    lines: list[int]
    """1-based line of each item of the list of cases, in file order."""
    has_duplicate_keys: bool
    has_infinity: bool
    """Whether a number is beyond the range of a double, and so was read as infinite."""


def case_lines(content: bytes) -> CaseLines:
    """Scan a file that is known to be valid JSON: a list of cases, or an object with `cases`.

    A second reading, because the fast parser tells neither positions nor repeated keys; it
    takes about as long as the first.
    """
    return _Scan(content.decode()).run()


class _Scan:
    def __init__(self, text: str) -> None:
        self._text = text
        self._repeated = False
        self._infinite = False
        self._scan = JSONDecoder(
            object_pairs_hook=self._note_repeats, parse_float=self._note_infinity
        ).raw_decode
        self._lines: list[int] = []

    def run(self) -> CaseLines:
        start = self._skip(0)
        if self._text[start] == "[":
            self._items(start)
        elif self._text[start] == "{":
            self._members(start)
        return CaseLines(self._lines, self._repeated, self._infinite)

    def _members(self, position: int) -> None:
        keys: set[str] = set()
        position = self._skip(position + 1)
        while self._text[position] == '"':
            key, position = self._scan(self._text, position)
            position = self._skip(self._skip(position) + 1)
            self._repeated |= key in keys
            keys.add(key)
            if key == "cases" and self._text[position] == "[":
                self._lines.clear()
                position = self._items(position)
            else:
                _, position = self._scan(self._text, position)
            position = self._skip(position, _COMMA)

    def _items(self, position: int) -> int:
        text = self._text
        line = 1 + text.count("\n", 0, position)
        before = position
        position = self._skip(position + 1)
        while text[position] != "]":
            line += text.count("\n", before, position)
            self._lines.append(line)
            before = position
            _, position = self._scan(text, position)
            position = self._skip(position, _COMMA)
        return position + 1

    def _note_repeats(self, pairs: list[tuple[str, Any]]) -> None:
        # Values are thrown away: this reading is for positions only.
        if len(pairs) > 1 and len(dict(pairs)) != len(pairs):
            self._repeated = True

    def _note_infinity(self, digits: str) -> None:
        self._infinite |= isinf(float(digits))

    def _skip(self, position: int, what: re.Pattern[str] = _SPACE) -> int:
        found = what.match(self._text, position)
        return found.end() if found else position
