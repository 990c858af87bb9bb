"""Reading what stands in `expect`: texts, lists of texts, and what to say when it is neither."""

from collections.abc import Iterator, Mapping

from evaltui.core.javascript import to_string
from evaltui.core.json_value import Json
from evaltui.expectations.verdicts import Invalid


def scalar_text(value: Json) -> str | None:
    """Text as it is, numbers and booleans as `String` (contract A14); `None` for the rest."""
    if isinstance(value, str):
        return value
    if value is None or isinstance(value, Mapping | list | tuple):
        return None
    return to_string(value)


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


def tool_names(key: str, path: str, value: Json) -> tuple[str, ...] | Invalid:
    """A list of tool names; `path` is its key path below `expect`."""
    if not isinstance(value, list | tuple):
        return Invalid(
            key,
            key,
            f"expected a list of tool names but `{path}` is {kind_of(value)}",
            'Write it as a list: ["get_weather"], or [] for no calls.',
            path,
            value,
        )
    names: list[str] = []
    for index, name in enumerate(value):
        if not isinstance(name, str):
            return Invalid(
                key,
                key,
                f"expected a tool name but `{path}[{index}]` is {kind_of(name)}",
                "Write every tool name as a text.",
                f"{path}[{index}]",
                value,
            )
        names.append(name)
    return tuple(names)


def not_a_list(key: str, value: Json, hint: str) -> Invalid:
    """The complaint about something that cannot be read as a list of texts."""
    return Invalid(key, key, f"expected a list but it is {kind_of(value)}", hint, key, value)


def not_a_text(key: str, label: str, path: str, value: Json) -> Invalid:
    """The complaint about a member that is no text."""
    return Invalid(
        key,
        label,
        f"expected a text but `{path}` is {kind_of(value)}",
        "Write the text that the response must be compared with.",
        path,
        value,
    )


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
