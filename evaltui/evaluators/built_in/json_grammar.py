"""Whether a text is JSON by its grammar (RFC 8259), even if its numbers or nesting fit nowhere."""

import re
from typing import Final

BLANKS: Final = " \t\n\r"
_TOKEN = re.compile(
    r"""[ \t\n\r]*+(?:
    (?P<value>"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*+"
      |-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][-+]?[0-9]++)?
      |true|false|null)
    |(?P<sign>[][{}:,]))""",
    re.VERBOSE,
)
_VALUE, _KEY, _COLON, _FURTHER = "value", "key", "colon", "further"
_CLOSES = {"]": "[", "}": "{"}


def is_json(text: str) -> bool:
    """One value and nothing else; at any depth, without recursion."""
    opened: list[str] = []
    at, wanted, is_first = 0, _VALUE, False
    end = len(text.rstrip(BLANKS))
    while at < end:
        token = _TOKEN.match(text, at)
        if token is None:
            return False
        at, sign = token.end(), token["sign"]
        may_close, is_first = is_first or wanted == _FURTHER, False
        if sign is None:
            is_key = wanted == _KEY and token["value"].startswith('"')
            if not is_key and wanted != _VALUE:
                return False
            wanted = _COLON if is_key else _FURTHER
        elif sign in _CLOSES:
            if not (opened and may_close and opened.pop() == _CLOSES[sign]):
                return False
            wanted = _FURTHER
        elif sign in "[{":
            if wanted != _VALUE:
                return False
            opened.append(sign)
            wanted, is_first = _KEY if sign == "{" else _VALUE, True
        elif sign == "," and wanted == _FURTHER and opened:
            wanted = _KEY if opened[-1] == "{" else _VALUE
        elif sign == ":" and wanted == _COLON:
            wanted = _VALUE
        else:
            return False
    return wanted == _FURTHER and not opened
