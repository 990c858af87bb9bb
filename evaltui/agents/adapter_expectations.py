"""The assertions of a case, as far as the repair loop's adapter contract has words for them."""

from collections.abc import Iterator, Mapping

from evaltui.core.json_value import Json, JsonObject
from evaltui.core.tool import ToolRegistry

_NONE = "__none__"
_TOKEN = "{{"  # what it stands for is not known before the snapshot is taken


def expected_output(expect: JsonObject | None) -> str | None:
    """The one text that a response must contain; `None` when several are, or none."""
    wanted = list(_texts(expect, "responseContains"))
    return wanted[0] if len(wanted) == 1 and _TOKEN not in wanted[0] else None


def policy(registry: ToolRegistry, expect: JsonObject | None) -> dict[str, Json]:
    """Tools that must be called, and those that must not."""
    required = list(dict.fromkeys(_texts(expect, "toolsCalled")))
    forbidden = dict.fromkeys(_texts(expect, "toolsNotCalled"))
    if required == [_NONE]:
        required, forbidden = [], dict.fromkeys((*forbidden, *registry.tools))
    return {"forbidden_tools": list(forbidden), "required_tools": list(required)}


def tool_contracts(registry: ToolRegistry, expect: JsonObject | None) -> dict[str, Json]:
    """By tool, the arguments that its schema or the case demands, and those the case refuses."""
    required: dict[str, dict[str, None]] = {}
    forbidden: dict[str, dict[str, None]] = {}
    for known in registry:
        listed = (known.parameters or {}).get("required")
        names = listed if isinstance(listed, list | tuple) else ()
        required[known.name] = {name: None for name in names if isinstance(name, str)}
    entries = expect.get("toolParams") if expect else None
    for entry in entries if isinstance(entries, list | tuple) else ():
        if isinstance(entry, Mapping):
            tool, param = entry.get("tool"), entry.get("paramName")
            if isinstance(tool, str) and isinstance(param, str):
                rules = forbidden if entry.get("assertion") == "notExists" else required
                rules.setdefault(tool, {})[param] = None
    return {
        name: {
            "required_args": list(required.get(name, ())),
            "forbidden_args": list(forbidden.get(name, ())),
        }
        for name in dict.fromkeys((*required, *forbidden))
    }


def _texts(expect: Mapping[str, Json] | None, key: str) -> Iterator[str]:
    value = expect.get(key) if expect else None
    for item in [value] if isinstance(value, str) else value or ():  # type: ignore[union-attr]
        if isinstance(item, str):
            yield item
