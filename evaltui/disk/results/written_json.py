"""A JSON object that is parsed only when it is used, and written back unchanged."""

from collections.abc import Iterator, Mapping
from functools import cached_property

from evaltui.core.json_value import Json, JsonObject
from evaltui.disk.codec import EMPTY, WrittenText, parse


def written_object(text: bytes) -> JsonObject:
    """The object that a text says; empty for a text that says none.

    Most of what is kept of an answer is why its tools were chosen: a hundred values, which nobody
    looks at while results are carried from one file to the next.
    """
    if text == EMPTY or not text.startswith(b"{"):
        return {}
    return WrittenObject(text) if _is_as_we_write(text) else _read(text)


class WrittenObject(WrittenText, Mapping[str, Json]):
    """Like the mapping that its text says."""

    def __getitem__(self, key: str) -> Json:
        return self._values[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        return repr(self._values)

    @cached_property
    def _values(self) -> JsonObject:
        return _read(self.text)


def _read(text: bytes) -> JsonObject:
    try:
        found = parse(text)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _is_as_we_write(text: bytes) -> bool:
    """On one line, and without a piece that is made whole when it is read."""
    return b"\n" not in text and b"\r" not in text and b"\\u" not in text and _is_utf8(text)


def _is_utf8(text: bytes) -> bool:
    try:
        return text.isascii() or bool(text.decode())
    except UnicodeDecodeError:
        return False
