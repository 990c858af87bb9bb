"""The one place that turns what pydantic refuses into sentences that say what to do.

For every file that a person writes:

    settings, found = keep_valid(Settings, table)                  what is wrong is left out
    options = check(HttpOptions, table, noun="option of an agent")  the first mistake is raised

A rule that no type expresses is a validator that raises
`PydanticCustomError("out-of-range", "The URL has no host", {"hint": "E.g. http://…"})`: its
message and hint are taken as they are, its type is the code. Values are repeated in sentences only
where they are of the right kind, and never those of a `SecretText`.
"""

import json
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

from msgspec import Struct

from evaltui.core.did_you_mean import did_you_mean
from evaltui.core.errors import UserError
from evaltui.core.key_path import KeyPath, format_key
from evaltui.settings.wanted import (
    SAYS_ALL,
    choices_of,
    describe,
    fits,
    properties_of,
    schema_at,
    shown,
)

if TYPE_CHECKING:
    from pydantic import BaseModel, ValidationError

    M = TypeVar("M", bound=BaseModel)

UNKNOWN, MISSING, WRONG_TYPE, OUT_OF_RANGE = "unknown-key", "missing", "wrong-type", "out-of-range"


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


SETTINGS = Wording()


def check(model: "type[M]", value: Mapping[str, Any], wording: Wording = SETTINGS) -> "M":
    """The value as the model has it. Raises UserError with the first mistake."""
    from pydantic import ValidationError

    try:
        return model.model_validate(value)
    except ValidationError as error:
        first = mistakes(error, model, value, wording)[0]
        where = format_key(first.path[:-1])
        what = f"In `{where}`: {first.what}" if where else first.what
        raise UserError(f"{what}.", first.hint) from None


def keep_valid(
    model: "type[M]", value: Any, wording: Wording = SETTINGS
) -> "tuple[M | None, list[Mistake]]":
    """Validate, leave out what is wrong and validate the rest; `None` when nothing can stay.

    Wrong items leave their list, wrong values their table; a table without a key that it needs
    goes as a whole.
    """
    from pydantic import ValidationError

    found: list[Mistake] = []
    gone: set[KeyPath] = set()
    while True:
        try:
            return model.model_validate(_without(value, gone)), found
        except ValidationError as error:
            wrong = mistakes(error, model, value, wording, gone)
        if any(not one.path for one in wrong):
            return None, found + wrong
        # What comes of leaving something out was complained of already.
        found += [
            one for one in wrong if not any(path[: len(one.path)] == one.path for path in gone)
        ]
        gone |= {one.path for one in wrong}


def _is_around(path: KeyPath, inner: Iterable[KeyPath]) -> bool:
    return any(each[: len(path)] == path for each in inner)


def mistakes(
    error: "ValidationError",
    model: "type[BaseModel]",
    value: Any,
    wording: Wording = SETTINGS,
    gone: Collection[KeyPath] = (),
) -> list[Mistake]:
    """What is wrong in `value`, in its order, each place once.

    `gone` are paths that were left out of what was validated.
    """
    schema = schema_of(model)
    found: dict[KeyPath, Mistake] = {}
    for one in error.errors(include_url=False):
        path, steps = _in_value(one["loc"], value, gone)
        mistake = _mistake(one, path, steps, schema, value, wording)
        found.setdefault(mistake.path, mistake)
    inner = {path[:length] for path in found for length in range(len(path))}
    return [one for path, one in found.items() if path not in inner or one.code == MISSING]


@cache
def schema_of(model: "type[BaseModel]") -> dict[str, Any]:
    """The JSON Schema of a model, with the keys of its fields in Python."""
    from evaltui.settings.json_schema import json_schema

    return json_schema(model, by_alias=False)


def _mistake(
    error: Any,
    path: KeyPath,
    steps: KeyPath,
    schema: dict[str, Any],
    value: Any,
    wording: Wording,
) -> Mistake:
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
    return Mistake(path, f"`{path[-1]}` is no {wording.noun}", hint, UNKNOWN)


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


def _in_value(loc: KeyPath, value: Any, gone: Collection[KeyPath]) -> tuple[KeyPath, KeyPath]:
    """The steps of `loc` that lead somewhere in the value, and those that do so in the schema.

    Others are names of the members of unions, or a key that is missing; an item that stands where
    a list may stand has an index in the schema alone.
    """
    path: KeyPath = ()
    steps: KeyPath = ()
    for part in loc:
        if isinstance(part, int):
            part = _before_leaving_out(part, path, gone)
            is_there = isinstance(value, list | tuple) and part < len(value)
        else:
            is_there = isinstance(value, Mapping) and part in value
        if is_there:
            path, value = (*path, part), value[part]
        if is_there or isinstance(part, int):
            steps = (*steps, part)
    return path, steps


def _before_leaving_out(index: int, path: KeyPath, gone: Collection[KeyPath]) -> int:
    left_out = {each[-1] for each in gone if each[:-1] == path}
    for other in sorted(part for part in left_out if isinstance(part, int)):
        if other <= index:
            index += 1
    return index


def _without(value: Any, gone: Collection[KeyPath], path: KeyPath = ()) -> Any:
    if not _is_around(path, gone):
        return value
    if isinstance(value, Mapping):
        return {
            key: _without(item, gone, (*path, key))
            for key, item in value.items()
            if (*path, key) not in gone
        }
    if isinstance(value, list | tuple):
        items = enumerate(value)
        return [_without(item, gone, (*path, i)) for i, item in items if (*path, i) not in gone]
    return value


def _at(value: Any, path: KeyPath) -> Any:
    for part in path:
        value = value[part]
    return value
