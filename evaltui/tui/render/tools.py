"""The tool registry: each tool, which cases touch it, and what changed last."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from evaltui.core.case import CaseKey
from evaltui.core.coverage import ToolCoverage
from evaltui.core.json_value import Json
from evaltui.core.tool import ToolDefinition, ToolRegistry, ToolStatus
from evaltui.store.board import Board
from evaltui.store.row import Standing
from evaltui.tui.render.clip import fit, one_line, width_of
from evaltui.tui.render.glyphs import STANDING, UNKNOWN, Mark
from evaltui.tui.render.paper import Paper, Part
from evaltui.tui.render.values import inline, pretty
from evaltui.tui.render.words import ago, count

_STATUS = {
    ToolStatus.ACTIVE: Mark("●", "*", "active", "case-passed"),
    ToolStatus.DEPRECATED: Mark("◐", "d", "deprecated", "case-stale"),
    ToolStatus.REMOVED: Mark("○", "-", "removed", "case-unknown"),
}
ROOMY = 76
"""Cells from which a tool's line has its description's hash."""
NOT_COVERED = Mark("⚠", "!", "no golden or labeled eval", "case-stale")


@dataclass(frozen=True, slots=True)
class LastChange:
    """What of a tool changed, in words, and when (seconds since the epoch)."""

    what: tuple[str, ...]
    at: float


def changes_between(before: ToolRegistry, now: ToolRegistry) -> dict[str, tuple[str, ...]]:
    """By tool: `added`, or the fields that changed. Tools that went are not among them."""
    if not before.configured and not len(before):
        return {}
    changed: dict[str, tuple[str, ...]] = {}
    for tool in now:
        then = before.get(tool.name)
        if then is None:
            changed[tool.name] = ("added",)
        elif then is not tool and (what := _changed_fields(then, tool)):
            changed[tool.name] = what
    return changed


def _changed_fields(before: ToolDefinition, now: ToolDefinition) -> tuple[str, ...]:
    names = ("description", "version", "category", "parameters", "status")
    return tuple(name for name in names if getattr(before, name) != getattr(now, name))


def write_tools(
    paper: Paper,
    registry: ToolRegistry,
    coverage: Sequence[ToolCoverage],
    board: Board,
    changed: Mapping[str, LastChange],
    now: float,
) -> None:
    """The anchor of a tool's line is its name."""
    if not len(registry):
        missing = "No tool registry was found." if not registry.configured else "It has no tools."
        paper.teach(
            missing,
            "Point `toolRegistryPath` at a JSON, TypeScript or Python file with tool definitions.",
        )
    elif uncovered := [e for e in coverage if not e.has_routing_eval and registry.get(e.tool)]:
        names = ", ".join(entry.tool for entry in uncovered)
        mark = paper.look.symbol(NOT_COVERED)
        said = f"{mark} {count(len(uncovered), 'tool')} with {NOT_COVERED.word}: {names}"
        paper.write((said, NOT_COVERED.variable), hang=2)
    names_width = max((width_of(entry.tool) for entry in coverage), default=0)
    column = min(names_width, max(12, paper.width // 3))
    for entry in coverage:
        tool = registry.get(entry.tool)
        _write_line(paper, entry, tool, board, column)
        if paper.folds.is_open(f"tool:{entry.tool}"):
            _write_details(paper, entry, tool, changed.get(entry.tool), now)


def _write_line(
    paper: Paper, entry: ToolCoverage, tool: ToolDefinition | None, board: Board, column: int
) -> None:
    fold = f"tool:{entry.tool}"
    is_open, triangle = paper.opens(fold)
    cut = paper.look.symbols.cut
    name = fit(entry.tool, column, cut)
    parts: list[Part] = [(f"{triangle} ", "quiet"), (name, "strong"), " "]
    if tool is None:
        mark, version = _MISSING, ""
    else:
        mark = _STATUS[tool.status]
        version = tool.version or "version not checked" * _is_unresolved(tool, "version")
    parts.append((f"{paper.look.symbol(mark)} {mark.word:<10}", mark.variable))
    if version:
        parts.append((f" {version}", "quiet"))
    if tool is not None and paper.width >= ROOMY:
        parts.append((f" {_hash(tool)}", "quiet"))
    parts += [" ", *_counts(paper, entry.keys, board)]
    if tool is not None and not entry.has_routing_eval:
        parts += [" ", (f"{paper.look.symbol(NOT_COVERED)} uncovered", NOT_COVERED.variable)]
    used = sum(width_of(part if isinstance(part, str) else part[0]) for part in parts)
    room = paper.width - used - 2
    if tool is not None and tool.description and room >= 12:
        described = " ".join(one_line(tool.description.replace("\n", " ")).split())
        parts.append((f"  {fit(described, room, cut).rstrip()}", "quiet"))
    paper.write(*parts, hang=4, fold=fold, pages=int(is_open), anchor=entry.tool)


def _counts(paper: Paper, keys: Sequence[CaseKey], board: Board) -> list[Part]:
    """Cases by verdict, worst first: glyph and number."""
    standings: dict[Standing, int] = {}
    for key in keys:
        row = board.rows.get(key)
        standing = row.standing if row else Standing.UNKNOWN
        standings[standing] = standings.get(standing, 0) + 1
    parts: list[Part] = [(count(len(keys), "case"), "quiet")]
    for standing in Standing:
        if number := standings.get(standing):
            mark = STANDING[standing]
            parts.append((f" {paper.look.symbol(mark)}{number}", mark.variable))
    return parts


def _write_details(
    paper: Paper,
    entry: ToolCoverage,
    tool: ToolDefinition | None,
    changed: LastChange | None,
    now: float,
) -> None:
    if tool is None:
        paper.write(("cases name it, but the registry does not have it", "case-stale"), indent=4)
        return
    paper.write((f"description hash {_hash(tool)}", "quiet"), indent=4)
    if tool.file:
        place = f"{tool.file}:{tool.line}" if tool.line else tool.file
        paper.write((f"defined in {place}", "quiet"), indent=4, hang=2)
    if changed is not None:
        said = f"changed {ago(max(0.0, now - changed.at))}: {', '.join(changed.what)}"
        paper.write((said, "diff-changed"), indent=4)
    else:
        paper.write(("not changed since this dashboard was opened", "quiet"), indent=4)
    if tool.description is not None:
        paper.long(tool.description, f"tool:{tool.name}:description", indent=4)
    for unresolved in tool.unresolved:
        paper.write(
            f"{unresolved.field}: ",
            (f"not checked, `{unresolved.expression}` needs code to run", "case-stale"),
            (f" {unresolved.file}:{unresolved.line}", "quiet"),
            indent=4,
            hang=2,
        )
    _write_parameters(paper, tool)
    for word, keys in _touched(entry):
        shown = ", ".join(key.case for key in keys[:8])
        rest = f" and {len(keys) - 8:,} more" if len(keys) > 8 else ""
        paper.write((f"{word}: ", "quiet"), shown, (rest, "quiet"), indent=4, hang=2)
    paper.write(("Enter shows its cases", "quiet"), indent=4, anchor=tool.name)


def _touched(entry: ToolCoverage) -> list[tuple[str, tuple[CaseKey, ...]]]:
    groups = [
        ("expected or stubbed by", entry.expecting),
        ("forbidden by", entry.forbidding),
        ("in its suite, not named by", entry.suite_mates),
        ("called unasked by", entry.calling),
    ]
    return [(word, keys) for word, keys in groups if keys]


def _write_parameters(paper: Paper, tool: ToolDefinition) -> None:
    schema = tool.parameters or {}
    properties = schema.get("properties")
    if not isinstance(properties, Mapping):
        if tool.parameters:
            paper.long(pretty(tool.parameters), f"tool:{tool.name}:schema", indent=4)
        else:
            paper.write(("no parameters are described", "quiet"), indent=4)
        return
    required = schema.get("required")
    demanded = set(map(str, required)) if isinstance(required, (list, tuple)) else set()
    rows = [(name, _type(shape), name in demanded, shape) for name, shape in properties.items()]
    names = min(max((width_of(row[0]) for row in rows), default=0), paper.width // 3)
    types = min(max((width_of(row[1]) for row in rows), default=0), paper.width // 4)
    cut = paper.look.symbols.cut
    for name, kind, is_required, shape in rows:
        described = shape.get("description") if isinstance(shape, Mapping) else ""
        paper.write(
            (fit(name, names, cut), "code-key"),
            "  ",
            (fit(kind, types, cut), "code-word"),
            ("  required  " if is_required else "  optional  ", "quiet"),
            " ".join(described.split()) if isinstance(described, str) else "",
            indent=4,
            hang=min(names + types + 14, paper.width // 3),
        )
        if width_of(kind) > types:
            paper.write((kind, "code-word"), indent=6, hang=2)


def _type(shape: Json) -> str:
    if not isinstance(shape, Mapping):
        return "any"
    choices = shape.get("enum")
    if isinstance(choices, (list, tuple)):
        return "one of " + "|".join(one_line(inline(choice)) for choice in choices)
    kind = shape.get("type", "any")
    return "|".join(map(str, kind)) if isinstance(kind, (list, tuple)) else str(kind)


def _hash(tool: ToolDefinition) -> str:
    if tool.description_hash is not None:
        return tool.description_hash
    return "hash not checked" if _is_unresolved(tool, "description") else "no description"


def _is_unresolved(tool: ToolDefinition, field: str) -> bool:
    return any(unresolved.field == field for unresolved in tool.unresolved)


_MISSING = Mark(UNKNOWN.glyph, UNKNOWN.plain, "not in the registry", "case-error")
