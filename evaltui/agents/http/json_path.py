"""Dot paths into JSON: `output.text`, `choices[0].message`, `steps[].call` (every step's call),
`output[type=message].text` (of every item whose `type` is `message`)."""

import re
from typing import Final, TypeAlias

from msgspec import Struct

from evaltui.core.errors import UserError
from evaltui.core.json_value import Json

_INSIDE = r"\d*|[^\[\]=]+=[^\[\]=]*"
_SEGMENT = re.compile(rf"([^.\[\]]*)((?:\[(?:{_INSIDE})\])*)")
_INDEX = re.compile(rf"\[({_INSIDE})\]")
_DOT = re.compile(r"\.(?![^\[]*\])")
"""None of those inside of brackets."""


class Missing:
    """The type of MISSING."""

    def __repr__(self) -> str:
        return "MISSING"


MISSING: Final = Missing()
"""Nothing stands at a path; `None` is a value."""
Found: TypeAlias = "Json | Missing"
_EVERY: Final = -1


Step: TypeAlias = "str | int | tuple[str, str]"


class Path(Struct, frozen=True):
    """Steps into a value: a key, an index, -1 for every element, or a key and a text for those
    that have it there. No steps: the value itself."""

    steps: tuple[Step, ...]
    text: str

    def __str__(self) -> str:
        return self.text

    @property
    def is_many(self) -> bool:
        return any(map(_is_many, self.steps))


def parse_path(text: str, where: str = "path") -> Path:
    """Raises UserError naming `where`."""
    steps: list[Step] = []
    for segment in _DOT.split(text) if text not in {"", "$"} else ():
        match = _SEGMENT.fullmatch(segment)
        if match is None or not segment:
            raise UserError(
                f"`{where}` is `{text}`, which is not a dot path.",
                "Write it like output.text, choices[0].message, steps[].call or items[type=call].",
            )
        if match.group(1):
            steps.append(match.group(1))
        steps += [_step(inside) for inside in _INDEX.findall(match.group(2))]
    return Path(tuple(steps), text or "$")


def first_at(value: Json, path: Path) -> Found:
    """The value at `path`, of several the first; MISSING when there is none."""
    if path.is_many:
        found = values_at(value, path)
        return found[0] if isinstance(found, list) and found else MISSING
    return _walk(value, path.steps)


def values_at(value: Json, path: Path) -> Found:
    """Like `first_at`, but with `[]` in the path the list of all; elements without it are left out.

    MISSING when the path ends before its first `[]`.
    """
    if not path.is_many:
        return _walk(value, path.steps)
    at = next(at for at, step in enumerate(path.steps) if _is_many(step))
    elements, chosen = _walk(value, path.steps[:at]), path.steps[at]
    if not isinstance(elements, list):
        return elements
    if isinstance(chosen, tuple):
        key, wanted = chosen
        elements = [one for one in elements if isinstance(one, dict) and one.get(key) == wanted]
    rest = Path(path.steps[at + 1 :], path.text)
    found: list[Json] = []
    for element in elements:
        inner = values_at(element, rest)
        if isinstance(inner, Missing) or (inner is None and rest.is_many):
            continue  # many APIs write null for "no calls"
        if rest.is_many and isinstance(inner, list):
            found += inner
        else:
            found.append(inner)
    return found


def _step(inside: str) -> Step:
    key, equals, value = inside.partition("=")
    if equals:
        return key.strip(), value.strip()
    return int(inside) if inside else _EVERY


def _is_many(step: Step) -> bool:
    return step == _EVERY or isinstance(step, tuple)


def _walk(value: Json, steps: tuple[Step, ...]) -> Found:
    for step in steps:
        if isinstance(step, str):
            if not isinstance(value, dict) or step not in value:
                return MISSING
            value = value[step]
        else:
            if not isinstance(value, list) or isinstance(step, tuple) or step >= len(value):
                return MISSING
            value = value[step]
    return value
