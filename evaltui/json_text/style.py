"""How a JSON file is laid out, and writing new values the same way."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import TypeGuard

from msgspec import Struct

from evaltui.core.json_value import Json

_INDENT = re.compile(rb"\n([ \t]+)\S")
_INLINE_LIST = re.compile(rb'\[[^\[\]\n{}]*"[^\[\]\n{}]*\]')
_SURROGATE = re.compile("[\ud800-\udfff]")
_WIDEST = 100
"""Columns up to which a list of plain values stays on one line where the file does that too."""


class JsonStyle(Struct, frozen=True):
    """Indentation, line ends and spacing of one file."""

    indent: str
    newline: str
    colon: str
    comma: str
    padding: str
    """Space inside the braces of an object on one line."""
    is_multiline: bool
    has_inline_lists: bool
    is_ascii: bool
    """Letters beyond ASCII are escaped."""

    def inline(self, value: Json) -> str:
        """The value on one line."""
        if isinstance(value, Mapping):
            if not value:
                return "{}"
            members = [
                f"{self.scalar(key)}{self.colon}{self.inline(item)}" for key, item in value.items()
            ]
            return "{" + self.padding + self.comma.join(members) + self.padding + "}"
        if _is_list(value):
            return "[" + self.comma.join(self.inline(item) for item in value) + "]"
        return self.scalar(value)

    def block(self, value: Json, margin: str) -> str:
        """The value over several lines; `margin` is the indentation of the line it begins on."""
        inner = margin + self.indent
        if isinstance(value, Mapping) and value:
            rows = [
                f"{self.scalar(key)}{self.colon}{self.block(item, inner)}"
                for key, item in value.items()
            ]
            return self._rows("{", rows, "}", margin)
        if _is_list(value) and value:
            line = self.inline(value)
            if self.has_inline_lists and _is_plain(value) and len(inner + line) <= _WIDEST:
                return line
            return self._rows("[", [self.block(item, inner) for item in value], "]", margin)
        return self.inline(value)

    def scalar(self, value: Json) -> str:
        is_ascii = self.is_ascii or (isinstance(value, str) and bool(_SURROGATE.search(value)))
        return json.dumps(value, ensure_ascii=is_ascii, allow_nan=False)

    def _rows(self, start: str, rows: list[str], end: str, margin: str) -> str:
        between = self.newline + margin + self.indent
        return start + between + ("," + between).join(rows) + self.newline + margin + end


def style_of(content: bytes) -> JsonStyle:
    """Read the layout off a file's bytes; what does not show is as most files have it."""
    indent = _INDENT.search(content)
    colon = re.search(rb'"\s*:( ?)', content)
    spaced = colon is None or colon[1] == b" "
    return JsonStyle(
        indent=indent[1].decode() if indent else "  ",
        newline="\r\n" if b"\r\n" in content else "\n",
        colon=": " if spaced else ":",
        comma=", " if spaced else ",",
        padding=" " if b'{ "' in content else "",
        is_multiline=b"\n" in content.strip(),
        has_inline_lists=bool(_INLINE_LIST.search(content)),
        is_ascii=content.isascii() and b"\\u" in content,
    )


def _is_list(value: Json) -> TypeGuard[Sequence[Json]]:
    return isinstance(value, Sequence) and not isinstance(value, str)


def _is_plain(value: Json) -> bool:
    """Plain values, or lists of them."""
    if isinstance(value, Mapping):
        return False
    return not _is_list(value) or all(_is_plain(item) for item in value)
