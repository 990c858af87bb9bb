"""The one place that turns what pydantic refuses into sentences that say what to do.

For every file that a person writes:

    settings, found = keep_valid(Settings, table)                  what is wrong is left out
    options = check(HttpOptions, table, Wording("option of an agent"))    the first one is raised

A rule that no type expresses is a validator that raises
`PydanticCustomError("out-of-range", "The URL has no host", {"hint": "E.g. http://…"})`: its
message and hint are taken as they are, its type is the code. Values are repeated in sentences only
where they are of the right kind, and never those of a `SecretText`.
"""

from collections.abc import Collection, Iterable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

from evaltui.core.errors import UserError
from evaltui.core.key_path import KeyPath, format_key
from evaltui.settings.sentences import MISSING, SETTINGS, Mistake, Wording, sentence

if TYPE_CHECKING:
    from pydantic import BaseModel, ValidationError

    M = TypeVar("M", bound=BaseModel)


def check(model: "type[M]", value: Mapping[str, Any], wording: Wording = SETTINGS) -> "M":
    """The value as the model has it. Raises UserError with the first mistake."""
    from pydantic import ValidationError

    try:
        return model.model_validate(value)
    except ValidationError as error:
        first = mistakes(error, model, value, wording)[0]
        around = list(first.path)
        while around and isinstance(around[-1], int):  # named with the list that it stands in
            del around[-1]
        where = format_key(tuple(around if first.code == MISSING else around[:-1]))
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
        # What comes of leaving something out was complained of already.
        found += [one for one in wrong if not _is_around(one.path, gone)]
        paths = {one.path for one in wrong}
        if () in paths or paths <= gone:
            return None, found
        gone |= paths


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
        mistake = sentence(one, path, steps, schema, value, wording)
        found.setdefault(mistake.path, mistake)
    inner = {path[:length] for path in found for length in range(len(path))}
    return [one for path, one in found.items() if path not in inner or one.code == MISSING]


@cache
def schema_of(model: "type[BaseModel]") -> dict[str, Any]:
    """The JSON Schema of a model, with the keys of its fields in Python."""
    from evaltui.settings.json_schema import json_schema

    return json_schema(model, by_alias=False)


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
            is_there = isinstance(value, Mapping) and part in value and (*path, part) not in gone
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
