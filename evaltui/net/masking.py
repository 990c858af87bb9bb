"""Replaces secrets in texts, also where they are escaped in JSON, in a URL or in HTML."""

import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import TypeVar, cast
from urllib.parse import unquote, unquote_plus

from evaltui.core.finite_json import decode_json
from evaltui.core.json_value import Json

MASK = "***"
CUT = "…"
"""Stands where a text was cut before anybody could look for secrets in it."""
SHORTEST = 4
"""Characters. Shorter values are everywhere in ordinary text; masking them would only garble it."""
_MOST_LEVELS = 8
"""JSON in JSON in a URL; deeper down nothing is looked for."""
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
_UNICODE = re.compile(r"\\u([0-9a-fA-F]{4})")
_ESCAPED = '"/\\'
"""Signs that a backslash may stand before: where one begins a secret, that is hidden with it."""
_SHORT = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}

V = TypeVar("V", bound="Json")


def hide(text: str, secrets: Collection[str]) -> str:
    """`text` without them, and without what a cut left of one: `…` stands beside that.

    Where one was escaped, the whole text comes back unescaped.
    """
    text = _without([*_whole(text, secrets), *_cut(text, secrets)], text)
    for decoded in _decoded(text):
        if any(secret in decoded for secret in secrets) or _cut(decoded, secrets):
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
            of_lines = [secret for secret in secrets if "\n" in secret]
            text = _without(_whole(text, of_lines), text)
            if any(secret in _of_unicode(text) for secret in of_lines):
                return hide(text, secrets)  # it is no JSON lines: one of them is a part of it
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


def _whole(text: str, secrets: Collection[str]) -> Iterator[tuple[int, int]]:
    for secret in secrets:
        at = text.find(secret)
        while at >= 0:
            escape = secret[0] in _ESCAPED and text[at - 1 : at] == "\\"
            yield at - escape, at + len(secret)
            at = text.find(secret, at + len(secret))


def _cut(text: str, secrets: Collection[str]) -> list[tuple[int, int]]:
    """Places of what begins a secret before a `…`, and of what ends one behind it."""
    found = []
    at = text.find(CUT)
    known = _as_they_may_stand(secrets) if at >= 0 else []
    while at >= 0:
        for secret in known:
            before = text[max(0, at - len(secret)) : at]
            behind = text[at + 1 : at + 1 + len(secret)]
            if size := _overlap(before, secret):
                found.append((at - size, at))
            if size := _overlap(secret, behind):
                found.append((at + 1, at + 1 + size))
        at = text.find(CUT, at + 1)
    return found


def _as_they_may_stand(secrets: Collection[str]) -> list[str]:
    """All of them, and those that hold another one also with that hidden: it may have been."""
    known = [*secrets]
    for secret in secrets:
        inner = [one for one in secrets if one in secret and one != secret]
        if inner:
            known.append(_without(_whole(secret, inner), secret))
    return known


def _overlap(left: str, right: str) -> int:
    """Characters that the one ends with and the other begins with; 0 for too few to count."""
    if left[-SHORTEST:] not in right or right[:SHORTEST] not in left:
        return 0
    sizes = range(min(len(left), len(right)), SHORTEST - 1, -1)
    return next((size for size in sizes if left.endswith(right[:size])), 0)


def _without(places: Iterable[tuple[int, int]], text: str) -> str:
    """`text` with a mask in each place; one where several overlap."""
    parts, done = [], 0
    for begin, end in _merged(places):
        parts += [text[done:begin], MASK]
        done = end
    return "".join((*parts, text[done:]))


def _merged(places: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    last: tuple[int, int] | None = None
    for begin, end in sorted(places):
        if last is not None and begin < last[1]:
            last = last[0], max(end, last[1])
            continue
        if last is not None:
            yield last
        last = begin, end
    if last is not None:
        yield last


def _decoded(text: str) -> Iterator[str]:
    """What stands behind its escapes, one level after another."""
    for _ in range(_MOST_LEVELS):
        if "&" in text:
            from html import unescape  # seldom

            yield unescape(text)  # as a page of HTML writes it
        if "%" in text:
            yield unquote(text)
        if "+" in text:
            yield unquote_plus(text)  # as a form writes it
        if "\\" not in text:
            return
        half_way = _of_unicode(text)
        text = _joined(_ESCAPE.sub(_unescaped, text))
        yield text
        yield half_way  # a backslash may be one of the secret's


def _of_unicode(text: str) -> str:
    """Without what is written as `\\u0041`, and with every other escape as it is."""
    if "\\u" not in text:
        return text
    return _joined(_UNICODE.sub(lambda match: chr(int(match[1], 16)), text))


def _joined(text: str) -> str:
    """With halves of characters that find each other."""
    if text.isascii():
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _unescaped(match: re.Match[str]) -> str:
    said = match[1]
    return chr(int(said[1:], 16)) if len(said) > 1 else _SHORT.get(said, said)
