"""An object of a record with its position, and its fields under the various names they may have."""

from collections.abc import Sequence
from datetime import UTC, datetime
from re import IGNORECASE
from re import compile as pattern

from msgspec import Struct

from evaltui.core.json_value import Json, JsonObject
from evaltui.core.key_path import KeyPath

_LATENCIES = ("latency_ms", "duration_ms", "elapsed_ms")
MOMENTS = ("ts", "timestamp", "time", "created_at", "started_at")
_SECONDS = ((1e17, 1e9), (1e14, 1e6), (1e11, 1e3), (0.0, 1.0))
"""From which size on a number since 1970 is in nano-, micro- or milliseconds, else in seconds."""


class Part(Struct, frozen=True):
    """An object as it was read, and its key path below the record."""

    value: JsonObject
    path: KeyPath = ()
    outer_time: Json = None
    """When the object around it happened, for all in it that has no time of its own."""

    @property
    def time(self) -> Json:
        """When it happened, as it says so; nothing was read of it yet."""
        own = self.first(*MOMENTS)
        return self.outer_time if own in (None, "") else own

    def first(self, *keys: str) -> Json:
        """The value of the first of these keys that has one, else `None`."""
        return next((found for key in keys if (found := self.value.get(key)) is not None), None)

    def text(self, *keys: str) -> str:
        """The first text that is not empty among these keys; empty without one."""
        for key in keys:
            found = self.value.get(key)
            if isinstance(found, str) and found:
                return found
        return ""

    def part(self, *keys: str) -> "Part":
        """The object below the first of these keys that holds one; empty without one."""
        for key in keys:
            found = self.value.get(key)
            if isinstance(found, dict):
                return self.inner(found, key)
        return Part({}, self.path, self.time)

    def inner(self, value: JsonObject, *path: str | int) -> "Part":
        """An object that stands, or is taken to stand, in this one."""
        return Part(value, (*self.path, *path), self.time)

    def without(self, *keys: str) -> "Part":
        """The same object in its place, of which something is told elsewhere."""
        rest = {key: value for key, value in self.value.items() if key not in keys}
        return Part(rest, self.path, self.outer_time)

    @property
    def latency_ms(self) -> int | None:
        """How long it took, in whole milliseconds, where it says so."""
        for key in _LATENCIES:
            if (found := number(self.value.get(key))) is not None and 0 <= found < 1e15:
                return round(found)
        return None

    @property
    def error(self) -> str | None:
        """What it says went wrong."""
        return error_text(self.value.get("error"))


def words(text: str) -> frozenset[str]:
    """The words of a text, e.g. all keys that a record may have."""
    return frozenset(text.split())


def number(value: Json) -> float | None:
    """A number, also one that is written as text; `None` for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        return float(value)
    except (ValueError, OverflowError):
        return None


def moment(value: Json) -> str | None:
    """A time in ISO 8601: texts as they stand, numbers since 1970 in UTC; `None` for no time."""
    if isinstance(value, str) and not value.replace(".", "", 1).isdigit():
        try:
            datetime.fromisoformat(value)
        except ValueError:
            return None
        return value
    since = number(value)
    if since is None or since < 0:
        return None
    unit = next(unit for least, unit in _SECONDS if since >= least)
    try:
        return datetime.fromtimestamp(since / unit, UTC).isoformat()
    except (ValueError, OverflowError, OSError):
        return None


def error_text(value: Json) -> str | None:
    """What is wrong, from a text or from an object with a message, which another may wrap."""
    if isinstance(value, dict):
        part = Part(value)
        inner = error_text(value["error"]) if isinstance(value.get("error"), dict) else None
        said = part.text("message", "detail") or inner or part.text("code", "type")
        return said or ("an error without a message" if value else None)
    if value is True:
        return "an error without a message"
    return value if isinstance(value, str) and value else None


_TEXTS = ("text", "refusal", "transcript")
"""Where a part of a content has its text; the last is that of something spoken."""


def texts(value: Json, between: str = "\n") -> tuple[str | None, Sequence[str]]:
    """The text of a message's content, and the types of its parts that are none.

    The texts of a list are put together with `between` them. `None` when nothing in it is text.
    """
    if value is None or isinstance(value, str):
        return value, ()
    found: list[str] = []
    others: list[str] = []
    for item in value if isinstance(value, list) else [value]:
        text = item
        if isinstance(item, dict):
            text = next((item[key] for key in _TEXTS if key in item), None)
            if isinstance(text, dict):  # as assistants wrap it
                text = text.get("value")
        if isinstance(text, str):
            found.append(text)
        else:
            others.append(_kind_of(item))
    return (between.join(found) if found else None), others


_LIKE_TOOL = pattern(r"tool|function|executa|execution|call(_?(output|result))?$", IGNORECASE)


def is_like_tool(kind: str) -> bool:
    """Whether a part of a content that calls itself so may be a call or a result."""
    return bool(_LIKE_TOOL.search(kind))


def _kind_of(item: Json) -> str:
    """What a part of a content calls itself: in Gemini's words the key of what it holds."""
    if not isinstance(item, dict):
        return type(item).__name__
    kind = item.get("type")
    if isinstance(kind, str):
        return kind
    return next((key for key, one in item.items() if isinstance(one, dict)), next(iter(item), "{}"))
