"""JSON as suites of traces and evidence packs hold it: sorted keys, ASCII, two spaces; and times.

The layout is that of `json.dumps(value, indent=2, sort_keys=True)`, and far faster to write. Only
DEL is an escape, which that leaves as it is: it acts on terminals, and these texts are printed.
"""

import re
from datetime import UTC, datetime
from typing import Any

import msgspec

_encoder = msgspec.json.Encoder(order="sorted")
_ESCAPED = re.compile(r"[^\x00-\x7e]")


def pretty(value: Any) -> bytes:
    """A whole file; ends with a newline. Structs are objects of their fields."""
    return _ascii(msgspec.json.format(_encoder.encode(value), indent=2)) + b"\n"


def line(value: Any) -> bytes:
    """One object on one line, as in a file of JSON lines; ends with a newline."""
    return _ascii(msgspec.json.format(_encoder.encode(value), indent=0)) + b"\n"


def encoded(value: Any) -> msgspec.Raw:
    """A value that several texts will hold, as each of these functions takes it."""
    return msgspec.Raw(_encoder.encode(value))


def now() -> str:
    """ISO 8601 in UTC, with microseconds."""
    return datetime.now(UTC).isoformat(timespec="microseconds")


def _ascii(text: bytes) -> bytes:
    if text.isascii() and b"\x7f" not in text:
        return text
    return _ESCAPED.sub(_escaped, text.decode()).encode()


def _escaped(sign: "re.Match[str]") -> str:
    units = sign[0].encode("utf-16-be").hex()
    return "".join(f"\\u{units[start : start + 4]}" for start in range(0, len(units), 4))
