"""Where each entry of a list or object lies in JSON text, found at C speed by skipping values."""

import re
from collections.abc import Sequence
from json import JSONDecoder
from typing import Any

from msgspec import Struct, field

from evaltui.json_text.tree import JsonTree

_SPACE = re.compile(r"[ \t\n\r]*")
_COMMA = re.compile(r"[ \t\n\r]*(?:,[ \t\n\r]*)?")


class Entries(Struct):
    """The entries of one list, or the members of one object, in the order of the text."""

    lines: list[int] = field(default_factory=list)
    """1-based line on which each begins."""
    spans: list[tuple[int, int]] = field(default_factory=list)
    """Offsets in characters: from its first character to behind its last."""
    has_duplicate_keys: bool = False
    """Whether any object of the text has a key twice."""


def find_entries(text: str, path: Sequence[str]) -> Entries:
    """The entries found at `path`, keys from the top; none where nothing is there.

    A second reading, because the fast parser tells neither positions nor repeated keys; it takes
    about as long as the first. Raises ValueError, IndexError or RecursionError for what is no JSON.
    """
    scan = _Scan(text)
    scan.value(0, path, is_wanted=True)
    return scan.found


def has_repeated_keys(text: str) -> bool:
    """Whether any object of a value has a key twice. Raises as `find_entries`."""
    is_found = False

    def note(pairs: list[tuple[str, Any]]) -> None:
        nonlocal is_found
        is_found = is_found or _is_repeated(pairs)

    start = _SPACE.match(text)
    JSONDecoder(object_pairs_hook=note).raw_decode(text, start.end() if start else 0)
    return is_found


def entry_lines(text: str, path: Sequence[str]) -> list[int]:
    """1-based line of each entry found at `path`, also when the text is broken."""
    try:
        return find_entries(text, path).lines
    except (ValueError, IndexError, RecursionError):
        return _lines_of_broken(text, path)


class _Scan:
    def __init__(self, text: str) -> None:
        self.found = Entries()
        self._text = text
        self._scan = JSONDecoder(object_pairs_hook=self._note_repeats).raw_decode

    def value(self, position: int, path: Sequence[str], *, is_wanted: bool) -> int:
        """Skip a value, going into it as far as `path` leads; the offset behind it."""
        position = self._skip(position)
        bracket = self._text[position]
        if is_wanted:
            self.found.lines.clear()  # the last of equal keys counts
            self.found.spans.clear()
            if not path and bracket in "[{":
                return self._entries(position, is_object=bracket == "{")
            if path and bracket == "{":
                return self._members(position, path)
        return self._scan(self._text, position)[1]

    def _members(self, position: int, path: Sequence[str]) -> int:
        keys: set[str] = set()
        position = self._skip(position + 1)
        while self._text[position] != "}":
            key, position = self._key(position)
            self.found.has_duplicate_keys |= key in keys
            keys.add(key)
            position = self.value(position, path[1:], is_wanted=key == path[0])
            position = self._skip(position, _COMMA)
        return position + 1

    def _entries(self, position: int, *, is_object: bool) -> int:
        text, found = self._text, self.found
        line = 1 + text.count("\n", 0, position)
        before = position
        keys: set[str] = set()
        position = self._skip(position + 1)
        while text[position] not in "]}":
            start = position
            line += text.count("\n", before, start)
            before = start
            if is_object:
                key, position = self._key(start)
                found.has_duplicate_keys |= key in keys
                keys.add(key)
                position = self._skip(position)
            position = self._scan(text, position)[1]
            found.lines.append(line)
            found.spans.append((start, position))
            position = self._skip(position, _COMMA)
        return position + 1

    def _key(self, position: int) -> tuple[str, int]:
        if self._text[position] != '"':
            raise ValueError("no key")
        key, position = self._scan(self._text, position)
        position = self._skip(position)
        if self._text[position] != ":":
            raise ValueError("no value")
        return key, position + 1

    def _note_repeats(self, pairs: list[tuple[str, Any]]) -> None:
        # Values are thrown away: this reading is for positions only.
        if _is_repeated(pairs):
            self.found.has_duplicate_keys = True

    def _skip(self, position: int, what: re.Pattern[str] = _SPACE) -> int:
        found = what.match(self._text, position)
        return found.end() if found else position


def _is_repeated(pairs: list[tuple[str, Any]]) -> bool:
    return len(pairs) > 1 and len(dict(pairs)) != len(pairs)


def _lines_of_broken(text: str, path: Sequence[str]) -> list[int]:
    tree = JsonTree(text.encode("utf-8", "replace"))
    here = tree.root
    for key in path:
        step = None if here is None else tree.step(here, key)
        here = None if step is None else step[1]
    if here is None:
        return []
    return [tree.place(child)[0] for child in tree.items(here) if not child.is_error]
