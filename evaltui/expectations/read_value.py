"""Reading the values in `expect`: texts, lists of texts, flags, and complaints about the rest."""

from collections.abc import Iterator, Mapping

from evaltui.core.json_value import Json
from evaltui.expectations.javascript import to_string
from evaltui.expectations.verdicts import Invalid

TEXTS: Mapping[str, Json] = {
    "type": "array",
    "items": {"type": ["string", "number", "boolean"]},
}
"""JSON Schema of a list of texts; numbers and booleans are read as texts (contract A14)."""


def scalar_text(value: Json) -> str | None:
    """Text as it is, numbers and booleans as `String` (contract A14); `None` for the rest."""
    if isinstance(value, str):
        return value
    if value is None or isinstance(value, Mapping | list | tuple):
        return None
    return to_string(value)


def is_blank(value: Json) -> bool:
    """Whether it is a text of nothing but white space."""
    return isinstance(value, str) and not value.strip()


def kind_of(value: Json) -> str:
    """What a JSON value is, in a sentence."""
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case int() | float():
            return "a number"
        case str():
            return "a text"
    return "an object" if isinstance(value, Mapping) else "a list"


def flag(key: str, value: Json) -> bool | Invalid:
    """What is asserted by `true` and by nothing else."""
    if isinstance(value, bool):
        return value
    what = f"expected true or false but it is {kind_of(value)}"
    return Invalid(key, key, what, "Write true to assert it.", key, value)


def texts_in(key: str, value: Json) -> Iterator[tuple[str, str | Invalid]]:
    """The members of a list with their labels; a bare text is a list of one (contract A34)."""
    if isinstance(value, str):
        value = [value]
    if not isinstance(value, (list, tuple)):
        yield key, not_a_list(key, value, 'Write a list of texts: ["22 degrees"].')
        return
    for index, member in enumerate(value):
        label = f"{key}[{index}]"
        text = scalar_text(member)
        yield label, not_a_text(key, label, label, member) if text is None else text


def not_a_list(key: str, value: Json, hint: str) -> Invalid:
    """The complaint about something that cannot be read as a list of texts."""
    return Invalid(key, key, f"expected a list but it is {kind_of(value)}", hint, key, value)


def not_a_text(key: str, label: str, path: str, value: Json) -> Invalid:
    """The complaint about a member that is no text."""
    what = f"expected a text but `{path}` is {kind_of(value)}"
    hint = "Write the text that the response must be compared with."
    return Invalid(key, label, what, hint, path, value)


def texts_below(path: str, value: Json) -> Iterator[tuple[str, str]]:
    """Every text in a value with its key path, in the order written."""
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, Mapping):
        for key, member in value.items():
            yield from texts_below(f"{path}.{key}", member)
    elif isinstance(value, list | tuple):
        for index, member in enumerate(value):
            yield from texts_below(f"{path}[{index}]", member)
