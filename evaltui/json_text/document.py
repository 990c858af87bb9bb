"""A JSON file as read: its value, and complaints about it that name file, line and key."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from msgspec import Struct

from evaltui.core.errors import Problem, Severity
from evaltui.core.json_value import Json
from evaltui.core.key_path import KeyPath, format_key
from evaltui.json_text.entries import Entries, find_entries
from evaltui.json_text.strict_json import strict_json
from evaltui.json_text.syntax import syntax_problem
from evaltui.json_text.tree import JsonTree

MAX_BYTES = 32_000_000
"""Larger files are refused: reading one would stall every save."""
EMPTY = "empty-file"
"""Code of the problem that nothing stands in a file."""

_BOM = b"\xef\xbb\xbf"
_WIDE_BOMS: Mapping[bytes, str] = MappingProxyType(
    {b"\xff\xfe\x00\x00": "UTF-32", b"\xff\xfe": "UTF-16", b"\xfe\xff": "UTF-16"}
)


class _List(Struct, frozen=True):
    """A list of the file whose items were found: a tree is made of the one item in question."""

    path: tuple[str, ...]
    text: str
    entries: Entries

    def locate(self, path: KeyPath) -> tuple[int, int] | None:
        depth = len(self.path)
        index = path[depth] if len(path) > depth and path[:depth] == self.path else None
        if not isinstance(index, int) or index >= len(self.entries.spans):
            return None
        start, end = self.entries.spans[index]
        item = self.text[start:end].encode("utf-8", "replace")
        line, column = JsonTree(item).locate(path[depth + 1 :])
        if line == 1:
            column += start - self.text.rfind("\n", 0, start) - 1
        return self.entries.lines[index] + line - 1, column


class JsonDocument(Struct):
    """One parsed file; `content` is its bytes without a byte order mark."""

    file: str
    """Path below the project root, with `/`."""
    content: bytes
    value: Json
    _tree: JsonTree | None = None
    _list: _List | None = None

    @property
    def tree(self) -> JsonTree:
        """The syntax tree of the whole file: dear for a large one."""
        if self._tree is None:
            self._tree = JsonTree(self.content)
        return self._tree

    def entries(self, path: tuple[str, ...]) -> Entries:
        """The entries of the list at `path`; places below them are then found at once."""
        if self._list is None or self._list.path != path:
            text = self.content.decode()
            self._list = _List(path, text, find_entries(text, path))
        return self._list.entries

    def texts(self, path: tuple[str, ...]) -> Iterator[str]:
        """The text of each entry of the list at `path`."""
        spans = self.entries(path).spans
        text = "" if self._list is None else self._list.text
        return (text[start:end] for start, end in spans)

    def locate(self, path: KeyPath) -> tuple[int, int]:
        """1-based line and column (in characters) of a key, or of its nearest outer key."""
        place = None if self._list is None else self._list.locate(path)
        return self.tree.locate(path) if place is None else place

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
        line, column = self.locate(path)
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
        value: Json = strict_json(text)
    except ValueError as error:
        return syntax_problem(file, text, str(error))
    return JsonDocument(file, text, value)


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
        line, column = place_of_byte(content, content.index(b"\0"))
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
            "Write its content, or delete it.",
            1,
            1,
            code=EMPTY,
        )
    if content.isascii():
        return None
    try:
        content.decode()
    except UnicodeDecodeError as error:
        line, column = place_of_byte(content, error.start)
        return Problem(
            file,
            f"The byte 0x{content[error.start]:02x} is not UTF-8 text",
            "Save the file as UTF-8.",
            line,
            column,
            code="encoding",
        )
    return None


def place_of_byte(content: bytes, offset: int) -> tuple[int, int]:
    """Line and column, 1-based, of a byte of a text."""
    start = content.rfind(b"\n", 0, offset) + 1
    return content.count(b"\n", 0, offset) + 1, len(
        content[start:offset].decode("utf-8", "replace")
    ) + 1
