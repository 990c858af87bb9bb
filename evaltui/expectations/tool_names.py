"""Lists of tool names, as three assertions have them."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from evaltui.core.json_value import Json
from evaltui.expectations.doubts import Finding
from evaltui.expectations.read_value import kind_of
from evaltui.expectations.verdicts import Invalid

NO_TOOLS = "__none__"
"""A set of only this means that no tool may be called (contract requirement 28)."""

TOOL_NAMES: Mapping[str, Json] = MappingProxyType({"type": "array", "items": {"type": "string"}})


def tool_names(key: str, path: str, value: Json) -> tuple[str, ...] | Invalid:
    """A list of tool names; `path` is its key path below `expect`."""
    if not isinstance(value, (list, tuple)):
        what = f"expected a list of tool names but `{path}` is {kind_of(value)}"
        hint = 'Write it as a list: ["get_weather"], or [] for no calls.'
        return Invalid(key, key, what, hint, path, value)
    names: list[str] = []
    for index, name in enumerate(value):
        if not isinstance(name, str):
            where = f"{path}[{index}]"
            what = f"expected a tool name but `{where}` is {kind_of(name)}"
            return Invalid(key, key, what, "Write every tool name as a text.", where, value)
        names.append(name)
    return tuple(names)


def names_in(value: Json) -> tuple[str, ...]:
    """Every tool that a value names, in lists of any depth and where it cannot be read, too.

    A case that is written wrong then depends on the same tools as when it is corrected.
    """
    if isinstance(value, str):
        return () if value == NO_TOOLS else (value,)
    members = value if isinstance(value, (list, tuple)) else ()
    return tuple([name for member in members for name in names_in(member)])


def meaningless_none(key: str, value: Json) -> Iterator[Finding]:
    """`__none__` where it is the name of a tool like any other."""
    if isinstance(value, list | tuple) and NO_TOOLS in value:
        what = f"`{NO_TOOLS}` has no special meaning in `{key}`"
        hint = f'Write [] in toolsCalled, or toolsAcceptable [["{NO_TOOLS}"]].'
        yield Finding(f"expect.{key}", what, hint, "mixed-none")
