"""A JSON file as read: its value, and complaints about it that name file, line and key."""

import json
import re
from collections.abc import Mapping
from math import isinf
from types import MappingProxyType
from typing import cast

from msgspec import Struct

from evaltui.core.errors import Problem, Severity
from evaltui.core.json_value import Json
from evaltui.core.key_path import KeyPath, format_key
from evaltui.json_text.json_position import JsonPositions
from evaltui.json_text.json_syntax import syntax_problem

MAX_BYTES = 32_000_000
"""Larger files are refused: reading one would stall every save."""

_SMALL = 1 << 20
MOST_LEVELS = 200
"""Nesting that the strict parser accepts."""

_BOM = b"\xef\xbb\xbf"
_STRING = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"', re.DOTALL)
_SQUARE = bytes.maketrans(b"{}", b"[]")
_NO_SIGN = bytes(byte for byte in range(256) if byte not in b'[]{}"\\')
_NO_BRACKET = bytes(byte for byte in range(256) if byte not in b"[]{}")
_WIDE_BOMS: Mapping[bytes, str] = MappingProxyType(
    {b"\xff\xfe\x00\x00": "UTF-32", b"\xff\xfe": "UTF-16", b"\xfe\xff": "UTF-16"}
)


class JsonDocument(Struct):
    """One parsed file; `content` is its bytes without a byte order mark."""

    file: str
    """Path below the project root, with `/`."""
    content: bytes
    value: Json
    _positions: JsonPositions | None = None

    @property
    def positions(self) -> JsonPositions:
        if self._positions is None:
            self._positions = JsonPositions(self.content)
        return self._positions

    def problem(
        self,
        path: KeyPath,
        what: str,
        hint: str = "",
        *,
        severity: Severity = Severity.ERROR,
        code: str = "",
        case: str = "",
    ) -> Problem:
        """A complaint about the value at `path`, with its line and column."""
        line, column = self.positions.locate(path)
        return Problem(self.file, what, hint, line, column, format_key(path), severity, code, case)


def read_json(file: str, content: bytes) -> JsonDocument | Problem:
    """Parse a JSON file of UTF-8 text, with or without a byte order mark.

    Whole numbers keep all of their digits (contract A22). Nesting beyond 200 levels, NaN, and
    numbers beyond a double's range are mistakes, told like any other with line and column.
    """
    refused = _not_json_text(file, content)
    if refused is not None:
        return refused
    text = content.removeprefix(_BOM)
    try:
        value = _parse(text)
    except ValueError as error:
        return syntax_problem(file, text, str(error))
    return JsonDocument(file, text, value)


def _parse(text: bytes) -> Json:
    """The value; ValueError is always that of the strict parser.

    A small file is read without it where that makes no difference: importing it takes 35 ms.
    """
    has_surrogates = b"\\ud" in text or b"\\uD" in text
    if len(text) < _SMALL and not has_surrogates and _is_shallow(text):
        try:
            value: Json = json.loads(text, parse_constant=_refuse, parse_float=_finite)
            return value
        except ValueError:
            pass
    from pydantic_core import from_json

    return cast(Json, from_json(text, allow_inf_nan=False))


def _is_shallow(text: bytes) -> bool:
    """Whether a well-formed text nests no deeper than the strict parser accepts.

    Takes the innermost pairs of brackets away until none is left; other texts are not shallow.
    """
    brackets = _brackets(text)
    for _ in range(MOST_LEVELS):
        if not brackets:
            return True
        inner = brackets.replace(b"[]", b"")
        if len(inner) == len(brackets):
            return False
        brackets = inner
    return not brackets


def _brackets(text: bytes) -> bytes:
    """Those of the structure, all made square; a bracket within a string counts for nothing."""
    signs = text.translate(_SQUARE, _NO_SIGN).replace(b'""', b"")
    if b'"' in signs or b"\\" in signs:
        # A string with a bracket leaves its first quote behind, or had a quote of its own.
        return _STRING.sub(b"", text).translate(_SQUARE, _NO_BRACKET)
    return signs


def _finite(digits: str) -> float:
    value = float(digits)
    if isinf(value):
        raise ValueError
    return value


def _refuse(name: str) -> Json:
    raise ValueError(name)


def too_large(file: str, size: int) -> Problem | None:
    """The complaint about a file of `size` bytes that is not worth opening."""
    if size <= MAX_BYTES:
        return None
    return Problem(
        file,
        f"The file has {size / 1e6:,.0f} MB; files over {MAX_BYTES / 1e6:.0f} MB are not read",
        "Split it into several files.",
        1,
        1,
        code="too-large",
    )


def _not_json_text(file: str, content: bytes) -> Problem | None:
    large = too_large(file, len(content))
    if large is not None:
        return large
    for mark, encoding in _WIDE_BOMS.items():
        if content.startswith(mark):
            return Problem(
                file, f"The file is {encoding} text", "Save it as UTF-8.", 1, 1, code="encoding"
            )
    if b"\0" in content:
        line, column = _place(content, content.index(b"\0"))
        return Problem(
            file,
            "The file holds binary data, not JSON text",
            "Restore it, or move it out of the folder of evals.",
            line,
            column,
            code="binary",
        )
    if not content.removeprefix(_BOM).strip():
        return Problem(
            file,
            "The file is empty",
            'Write `{"metadata": null, "cases": []}` or delete it.',
            1,
            1,
            code="empty-file",
        )
    if content.isascii():
        return None
    try:
        content.decode()
    except UnicodeDecodeError as error:
        line, column = _place(content, error.start)
        return Problem(
            file,
            f"The byte 0x{content[error.start]:02x} is not UTF-8 text",
            "Save the file as UTF-8.",
            line,
            column,
            code="encoding",
        )
    return None


def _place(content: bytes, offset: int) -> tuple[int, int]:
    start = content.rfind(b"\n", 0, offset) + 1
    return content.count(b"\n", 0, offset) + 1, len(
        content[start:offset].decode("utf-8", "replace")
    ) + 1
