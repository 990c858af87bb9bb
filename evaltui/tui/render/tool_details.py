"""One tool in full: where it is defined, what changed, its parameters, the cases that name it."""

from collections.abc import Mapping

from msgspec import Struct

from evaltui.core.case import CaseKey
from evaltui.core.json_value import Json
from evaltui.core.tool import ToolDefinition
from evaltui.expectations.coverage import ToolCoverage
from evaltui.tui.render.clip import fit, width_of
from evaltui.tui.render.sanitize import one_line
from evaltui.tui.render.text_builder import TextBuilder
from evaltui.tui.render.values import inline, pretty
from evaltui.tui.render.words import ago


class LastChange(Struct, frozen=True):
    """What of a tool changed, in words, and when (seconds since the epoch)."""

    what: tuple[str, ...]
    at: float


def write_details(
    builder: TextBuilder,
    entry: ToolCoverage,
    tool: ToolDefinition | None,
    changed: LastChange | None,
    now: float,
    age: float | None = None,
) -> None:
    """`age`: in seconds, of a tool whose source cannot be read now."""
    if tool is None:
        builder.write(("cases name it, but it is not in the registry", "case-stale"), indent=4)
        return
    write_place(builder, tool)
    if age is not None:
        said = f"its source cannot be read now: this is what it listed {ago(age)}"
        builder.write((said, "case-stale"), indent=4)
    if changed is not None:
        said = f"changed {ago(max(0.0, now - changed.at))}: {', '.join(changed.what)}"
        builder.write((said, "diff-changed"), indent=4)
    else:
        builder.write(("unchanged since this dashboard was opened", "quiet"), indent=4)
    write_definition(builder, entry, tool)


def write_place(builder: TextBuilder, tool: ToolDefinition) -> None:
    builder.write((f"description hash {hash_of(tool)}", "quiet"), indent=4)
    if tool.file:
        place = f"{tool.file}:{tool.line}" if tool.line else tool.file
        builder.write((f"defined in {place}", "quiet"), indent=4, hang=2)


def write_definition(builder: TextBuilder, entry: ToolCoverage, tool: ToolDefinition) -> None:
    """What it says of itself, and which cases name or call it."""
    if tool.description is not None:
        builder.long(tool.description, f"tool:{tool.name}:description", indent=4)
    for unresolved in tool.unresolved:
        builder.write(
            f"{unresolved.field}: ",
            (f"not checked: `{unresolved.expression}` would need code to run", "case-stale"),
            (f" {unresolved.file}:{unresolved.line}", "quiet"),
            indent=4,
            hang=2,
        )
    _write_parameters(builder, tool)
    for word, keys in _by_way(entry):
        shown = ", ".join(key.case for key in keys[:8])
        rest = f" and {len(keys) - 8:,} more" if len(keys) > 8 else ""
        builder.write((f"{word}: ", "quiet"), shown, (rest, "quiet"), indent=4, hang=2)
    builder.write(("Enter shows its cases", "quiet"), indent=4, anchor=tool.name)


def _by_way(entry: ToolCoverage) -> list[tuple[str, tuple[CaseKey, ...]]]:
    groups = [
        ("expected by", entry.expecting),
        ("forbidden by", entry.forbidding),
        ("in its suite, not expected by", entry.suite_mates),
        ("not counted, only stubbed by", entry.stubbing),
        ("not counted, called unexpectedly by", entry.calling),
    ]
    return [(word, keys) for word, keys in groups if keys]


def _write_parameters(builder: TextBuilder, tool: ToolDefinition) -> None:
    schema = tool.parameters or {}
    properties = schema.get("properties")
    if not isinstance(properties, Mapping):
        if tool.parameters:
            builder.long(pretty(tool.parameters), f"tool:{tool.name}:schema", indent=4)
        else:
            builder.write(("no parameters are described", "quiet"), indent=4)
        return
    required = schema.get("required")
    demanded = set(map(str, required)) if isinstance(required, (list, tuple)) else set()
    rows = [(name, _type(shape), name in demanded, shape) for name, shape in properties.items()]
    names = min(max((width_of(row[0]) for row in rows), default=0), builder.width // 3)
    types = min(max((width_of(row[1]) for row in rows), default=0), builder.width // 4)
    cut = builder.look.symbols.cut
    for name, kind, is_required, shape in rows:
        described = shape.get("description") if isinstance(shape, Mapping) else ""
        builder.write(
            (fit(name, names, cut), "code-key"),
            "  ",
            (fit(kind, types, cut), "code-word"),
            ("  required  " if is_required else "  optional  ", "quiet"),
            " ".join(described.split()) if isinstance(described, str) else "",
            indent=4,
            hang=min(names + types + 14, builder.width // 3),
        )
        if width_of(kind) > types:
            builder.write((kind, "code-word"), indent=6, hang=2)


def _type(shape: Json) -> str:
    if not isinstance(shape, Mapping):
        return "any"
    choices = shape.get("enum")
    if isinstance(choices, (list, tuple)):
        return "one of " + "|".join(one_line(inline(choice)) for choice in choices)
    kind = shape.get("type", "any")
    return "|".join(map(str, kind)) if isinstance(kind, (list, tuple)) else str(kind)


def hash_of(tool: ToolDefinition) -> str:
    if tool.description_hash is not None:
        return tool.description_hash
    return "hash not checked" if tool.is_unresolved("description") else "no description"
