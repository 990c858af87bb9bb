"""Key paths: where in a file something stands, as a tuple and as people write it."""

import re
from typing import TypeAlias

KeyPath: TypeAlias = tuple[str | int, ...]
"""Keys and 0-based list indices from the outermost value inwards."""

_PLAIN = re.compile(r"[A-Za-z_$][\w$-]*", re.ASCII)
_PART = re.compile(r'\[(\d+)\]|\["((?:[^"\\]|\\.)*)"\]|\.?([^.\[\]]+)')


def format_key(path: KeyPath) -> str:
    """`("cases", 3, "expect")` → `cases[3].expect`; keys with other signs as `["a b"]`."""
    text = ""
    for part in path:
        if isinstance(part, int):
            text += f"[{part}]"
        elif _PLAIN.fullmatch(part):
            text += f".{part}" if text else part
        else:
            text += '["' + part.replace("\\", "\\\\").replace('"', '\\"') + '"]'
    return text


def parse_key(text: str) -> KeyPath:
    """The reverse of `format_key`; what it cannot read it takes as one plain key."""
    path: list[str | int] = []
    position = 0
    while position < len(text):
        found = _PART.match(text, position)
        if found is None:
            return (*path, text[position:])
        index, quoted, plain = found.groups()
        if index is not None:
            path.append(int(index))
        elif quoted is not None:
            path.append(re.sub(r"\\(.)", r"\1", quoted))
        else:
            path.append(plain)
        position = found.end()
    return tuple(path)
