"""JSON values as text, and their colours."""

import re

from evaltui.core.json_value import Json
from evaltui.expectations.javascript import json_stringify
from evaltui.tui.render.text_builder import Part


def inline(value: Json) -> str:
    """On one line, as it would be written in a file."""
    return json_stringify(value)


def pretty(value: Json) -> str:
    """Indented by two, letters unescaped; whatever JSON cannot say is written as text."""
    import json

    return json.dumps(value, indent=2, ensure_ascii=False, default=_otherwise)


def paint_json(text: str) -> list[Part]:
    """JSON text, also a cut-off piece of it, in the theme's colours."""
    parts: list[Part] = []
    at = 0
    for match in _TOKEN.finditer(text):
        if match.start() > at:
            parts.append((text[at : match.start()], "quiet"))
        kind = match.lastgroup or ""
        parts.append((match[0], _VARIABLES[kind]))
        at = match.end()
    if at < len(text):
        parts.append((text[at:], "quiet"))
    return parts


def _otherwise(value: object) -> object:
    from collections.abc import Mapping

    return dict(value) if isinstance(value, Mapping) else str(value)


_TOKEN = re.compile(
    r'(?P<key>"(?:[^"\\\n]|\\.)*"(?=\s*:))|(?P<text>"(?:[^"\\\n]|\\.)*"?)'
    r"|(?P<number>-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|(?P<word>true|false|null)"
)
_VARIABLES = {
    "key": "code-key",
    "text": "code-text",
    "number": "code-number",
    "word": "code-word",
}
