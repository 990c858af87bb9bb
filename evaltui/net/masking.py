"""Replaces secrets in texts, also where they are escaped in JSON or in a URL."""

import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import TypeVar, cast
from urllib.parse import unquote, unquote_plus

from evaltui.core.finite_json import decode_json
from evaltui.core.json_value import Json

MASK = "***"
_MOST_LEVELS = 8
"""JSON in JSON in a URL; deeper down nothing is looked for."""
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
_SHORT = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}

V = TypeVar("V", bound="Json")


def hide(text: str, secrets: Collection[str]) -> str:
    """`text` without them. Where one was escaped, the whole text comes back unescaped."""
    for secret in sorted(secrets, key=len, reverse=True):
        text = text.replace(secret, MASK)
    for decoded in _decoded(text):
        if any(secret in decoded for secret in secrets):
            return hide(decoded, secrets)
    return text


def hide_in_json(text: str, secrets: Collection[str]) -> str:
    """The same for a JSON text, or JSON lines, which stays one; other text is treated as text."""
    if not holds(text, secrets):
        return text
    try:
        value = decode_json(text)
    except (ValueError, RecursionError):
        if "\n" in text.strip():
            return "\n".join(hide_in_json(line, secrets) for line in text.split("\n"))
        return hide(text, secrets)
    return json.dumps(masked(value, lambda part: hide(part, secrets)))


def holds(text: str, secrets: Collection[str]) -> bool:
    """Whether one of them stands in the text, or in what it decodes to."""
    return any(secret in text for secret in secrets) or any(
        secret in decoded for decoded in _decoded(text) for secret in secrets
    )


def masked(value: V, hide_text: Callable[[str], str]) -> V:
    """The same value with `hide_text` applied to its texts, keys included."""
    return cast(V, _masked(value, hide_text))


def _masked(value: Json, hide_text: Callable[[str], str]) -> Json:
    if isinstance(value, str):
        return hide_text(value)
    if isinstance(value, Mapping):
        return {hide_text(key): _masked(item, hide_text) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_masked(item, hide_text) for item in value]
    return value


def _decoded(text: str) -> Iterator[str]:
    """What stands behind its escapes, one level after another."""
    for _ in range(_MOST_LEVELS):
        if "%" in text:
            yield unquote(text)
        if "+" in text:
            yield unquote_plus(text)  # as a form writes it
        if "\\" not in text:
            return
        text = _ESCAPE.sub(_unescaped, text)
        if not text.isascii():  # halves of characters find each other
            text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        yield text


def _unescaped(match: re.Match[str]) -> str:
    said = match[1]
    return chr(int(said[1:], 16)) if len(said) > 1 else _SHORT.get(said, said)
