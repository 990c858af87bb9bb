"""Sentences about one mistake: what is wrong, and what to do."""

import json
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any

from msgspec import Struct

from evaltui.core.did_you_mean import did_you_mean
from evaltui.core.errors import UNKNOWN_KEY
from evaltui.core.key_path import KeyPath
from evaltui.settings.wanted import (
    SAYS_ALL,
    choices_of,
    describe,
    fits,
    properties_of,
    schema_at,
    shown,
)  # fmt: skip

UNKNOWN, MISSING, WRONG_TYPE, OUT_OF_RANGE = UNKNOWN_KEY, "missing", "wrong-type", "out-of-range"


class Mistake(Struct, frozen=True):
    """One mistake at a key path within the value that was read."""

    path: KeyPath
    """Of what is wrong; of the table around it when a key is missing."""
    what: str
    hint: str
    code: str


class Wording(Struct, frozen=True):
    """How a kind of file names its parts."""

    noun: str = "setting"
    """What an unknown key is none of."""
    table: str = "a table"
    name: Callable[[str], str] = str
    """How a key of the model is spelled in this file."""
    inner: Mapping[str, str] = MappingProxyType({})
    """The noun instead of `noun` in what stands under a key, by that key."""

    def noun_at(self, path: KeyPath) -> str:
        """What the last key of the path is none of."""
        around = [
            self.inner[key] for key in path[:-1] if isinstance(key, str) and key in self.inner
        ]
        return around[-1] if around else self.noun


SETTINGS = Wording()


def sentence(
    error: Any,
    path: KeyPath,
    steps: KeyPath,
    schema: dict[str, Any],
    value: Any,
    wording: Wording,
) -> Mistake:
    """The sentence for one error of pydantic (a dict of `ValidationError.errors()`).

    `path` is the place in `value`, `steps` the way through `schema`, the model's JSON Schema with
    the keys of its fields in Python.
    """
    kind = error["type"]
    hint = (error.get("ctx") or {}).get("hint")
    if hint is not None:
        return Mistake(path, error["msg"], str(hint), kind)
    if kind == "extra_forbidden":
        return _unknown(path, properties_of(schema, schema_at(schema, steps[:-1])), wording)
    if kind == "missing":
        return _missing(path, str(error["loc"][-1]), schema, _at(value, path), wording)
    node = schema_at(schema, steps)
    wanted = describe(schema, node, wording.table)
    is_text = isinstance(error["input"], str)
    near = did_you_mean(error["input"], choices_of(schema, node)) if is_text else ""
    code = OUT_OF_RANGE if fits(error["input"], schema, node) else WRONG_TYPE
    is_ = shown(error["input"], schema, node)
    what = f"{_named(path)} is {is_}" + ("" if is_ in SAYS_ALL else f", not {wanted}")
    return Mistake(path, what, near or f"Write {wanted}{_example(node)}.", code)


def _example(node: Mapping[str, Any]) -> str:
    examples = node.get("examples")
    return f", e.g. `{json.dumps(examples[0], ensure_ascii=False)}`" if examples else ""


def _named(path: KeyPath) -> str:
    """The key, with the place in its list: ``evals[3]``."""
    name = ""
    for part in path:
        name = f"{name}[{part}]" if isinstance(part, int) else part
    return f"`{name}`" if name else "This"


def _unknown(path: KeyPath, known: Iterable[str], wording: Wording) -> Mistake:
    names = [wording.name(name) for name in known]
    hint = did_you_mean(str(path[-1]), names)
    if not hint:
        hint = f"Known are {', '.join(f'`{name}`' for name in names)}." if names else "Remove it."
    return Mistake(path, f"`{path[-1]}` is not a known {wording.noun_at(path)}", hint, UNKNOWN)


def _missing(
    path: KeyPath, name: str, schema: dict[str, Any], holder: Any, wording: Wording
) -> Mistake:
    around = schema_at(schema, path)
    known = properties_of(schema, around)
    others = [key for key in holder if key not in known] if isinstance(holder, dict) else []
    near = did_you_mean(name, others)
    wanted = describe(schema, schema_at(schema, (*path, name)), wording.table)
    hint = near.replace("Did you mean", "Is it").replace("?", " misspelt?")
    key = wording.name(name)
    return Mistake(path, f"`{key}` is missing", hint or f"Write `{key}`: {wanted}.", MISSING)


def _at(value: Any, path: KeyPath) -> Any:
    for part in path:
        value = value[part]
    return value
