"""`{{seed:path}}` and `{{snapshot:path}}`: finding tokens and putting values in their place."""

import re
from collections.abc import Iterator, Mapping
from enum import Enum
from typing import Final, Literal, NamedTuple, TypeAlias

from evaltui.core.json_value import Json
from evaltui.expectations.javascript import json_stringify, to_string


class _Missing(Enum):
    UNRESOLVED = "unresolved"


UNRESOLVED: Final = _Missing.UNRESOLVED
"""A path that leads to nothing, or to `null` (contract requirement 14)."""
Unresolvable: TypeAlias = "Literal[_Missing.UNRESOLVED]"


class Token(NamedTuple):
    """One token as written; `source` is `seed` or `snapshot`."""

    source: str
    path: str

    def __str__(self) -> str:
        return f"{{{{{self.source}:{self.path}}}}}"


def find_tokens(text: str) -> tuple[Token, ...]:
    """The tokens in `text`, left to right. `{{ seed:x }}` and `{{env:X}}` are none (A25, A26)."""
    if "{{" not in text:
        return ()
    return tuple(Token(match[1], match[2]) for match in _TOKEN.finditer(text))


def tokens_below(value: Json) -> Iterator[Token]:
    """The tokens in all texts of a value."""
    if isinstance(value, str):
        yield from find_tokens(value)
    elif isinstance(value, Mapping):
        for one in value.values():
            yield from tokens_below(one)
    elif isinstance(value, list | tuple):
        for one in value:
            yield from tokens_below(one)


def misspelled_tokens(text: str) -> Mapping[str, str]:
    """What was to be a token but has blanks or no path, and how to write it (B8)."""
    if "{{" not in text:
        return {}
    near = {found[0]: (found[1], found[2].strip()) for found in _NEAR.finditer(text)}
    return {
        written: f"{{{{{source}:{path or 'path'}}}}}"
        for written, (source, path) in near.items()
        if not find_tokens(written)
    }


def sole_token(text: str) -> Token | None:
    """The token that is the whole of `text`, if it is one."""
    match = _TOKEN.fullmatch(text)
    return Token(match[1], match[2]) if match else None


def lookup(token: Token, seed: Json, snapshot: Json) -> "Json | Unresolvable":
    """The value a token stands for, never `None`; raises nothing."""
    value: Json | Unresolvable = seed if token.source == "seed" else snapshot
    for segment in token.path.split("."):
        indexed = _INDEXED.fullmatch(segment)
        if indexed is None:
            value = _own(value, segment)
        else:
            members = _own(value, indexed[1])
            value = _item(members, indexed[2]) if isinstance(members, list | tuple) else UNRESOLVED
        if value is UNRESOLVED or value is None:
            return UNRESOLVED
    return value


def resolve(text: str, seed: Json, snapshot: Json) -> "str | Unresolvable":
    """`text` with every token replaced, in one pass (A24, A27).

    `UNRESOLVED` as soon as one of its tokens is. A text without tokens is returned as it is.
    """
    if "{{" not in text:
        return text
    parts: list[str] = []
    end = 0
    for match in _TOKEN.finditer(text):
        value = lookup(Token(match[1], match[2]), seed, snapshot)
        if value is UNRESOLVED:
            return UNRESOLVED
        parts += text[end : match.start()], token_text(value)
        end = match.end()
    return "".join(parts) + text[end:]


def token_text(value: Json) -> str:
    """A resolved value as text: objects and lists as JSON, else `String` (requirement 15)."""
    if isinstance(value, Mapping | list | tuple):
        return json_stringify(value)
    return to_string(value)


def unresolved_tokens(text: str, seed: Json, snapshot: Json) -> tuple[Token, ...]:
    """The tokens of `text` that cannot be resolved."""
    return tuple(t for t in find_tokens(text) if lookup(t, seed, snapshot) is UNRESOLVED)


def _own(value: "Json | Unresolvable", key: str) -> "Json | Unresolvable":
    """An own property: object keys, and a list's indices and `length` (A28, A29)."""
    if isinstance(value, Mapping):
        return value.get(key, UNRESOLVED)
    if isinstance(value, list | tuple):
        if key == "length":
            return len(value)
        if _CANONICAL_INDEX.fullmatch(key):
            return _item(value, key)
    return UNRESOLVED


def _item(members: "list[Json] | tuple[Json, ...]", index: str) -> "Json | Unresolvable":
    digits = index.lstrip("0") or "0"
    # Longer than any list; int() of thousands of digits would raise.
    if len(digits) > 12 or int(digits) >= len(members):
        return UNRESOLVED
    return members[int(digits)]


_TOKEN = re.compile(r"\{\{(seed|snapshot):([^{}\s](?:[^{}]*[^{}\s])?)\}\}")
_NEAR = re.compile(r"\{\{\s*(seed|snapshot)\s*:([^{}]*)\}\}")
_INDEXED = re.compile(r"(\w+)\[(\d+)\]", re.ASCII)
_CANONICAL_INDEX = re.compile(r"0|[1-9]\d*", re.ASCII)
