"""The tool registry: each tool, which cases name it, and what changed last."""

from collections.abc import Mapping, Sequence

from evaltui.core.case import CaseKey
from evaltui.core.tool import ToolDefinition, ToolRegistry, ToolStatus
from evaltui.expectations.coverage import ToolCoverage
from evaltui.store.board import Board
from evaltui.store.counts import Counts
from evaltui.tui.render.clip import fit, width_of
from evaltui.tui.render.count_marks import count_marks, side_marks
from evaltui.tui.render.glyphs import UNKNOWN, Mark
from evaltui.tui.render.sanitize import one_line
from evaltui.tui.render.text_builder import Part, TextBuilder
from evaltui.tui.render.tool_details import LastChange, hash_of, write_details
from evaltui.tui.render.words import ago, count

STATUS = {
    ToolStatus.ACTIVE: Mark("●", "a", "active", "case-passed"),
    ToolStatus.DEPRECATED: Mark("◐", "d", "deprecated", "case-stale"),
    ToolStatus.REMOVED: Mark("○", "o", "removed", "case-unknown"),
}
ROOMY = 76
"""Cells from which a tool's line has its description's hash."""
LAST_GOOD = Mark("◷", "@", "last good, its source cannot be read", "case-stale")
NOT_COVERED = Mark("⚠", "*", "no golden or labeled eval", "severity-warning")


def write_tools(
    builder: TextBuilder,
    registry: ToolRegistry,
    coverage: Sequence[ToolCoverage],
    board: Board,
    changed: Mapping[str, LastChange],
    now: float,
) -> None:
    """The anchor of a tool's line is its name."""
    if not len(registry):
        missing = "No tool registry was found." if not registry.configured else "It has no tools."
        builder.empty_state(
            missing,
            "Point `toolRegistryPath` at a JSON, TypeScript or Python file with tool definitions.",
        )
    elif uncovered := [e for e in coverage if not e.has_routing_eval and registry.get(e.tool)]:
        names = ", ".join(entry.tool for entry in uncovered)
        mark = builder.look.symbol(NOT_COVERED)
        said = f"{mark} {count(len(uncovered), 'tool')} with {NOT_COVERED.word}: {names}"
        builder.write((said, NOT_COVERED.variable), hang=2)
    names_width = max((width_of(entry.tool) for entry in coverage), default=0)
    column = min(names_width, max(12, builder.width // 3))
    for entry in coverage:
        tool = registry.get(entry.tool)
        at = registry.as_of.get(entry.tool)
        age = None if at is None else max(0.0, now - at)
        _write_line(builder, entry, tool, board, column, age)
        if builder.folds.is_open(f"tool:{entry.tool}"):
            write_details(builder, entry, tool, changed.get(entry.tool), now, age)


def _write_line(
    builder: TextBuilder,
    entry: ToolCoverage,
    tool: ToolDefinition | None,
    board: Board,
    column: int,
    age: float | None,
) -> None:
    """`age`: in seconds, of a tool whose source cannot be read now."""
    fold = f"tool:{entry.tool}"
    is_open, triangle = builder.opens(fold)
    cut = builder.look.symbols.cut
    name = fit(entry.tool, column, cut)
    parts: list[Part] = [(f"{triangle} ", "quiet"), (name, "strong"), " "]
    if tool is None:
        mark, version = _MISSING, ""
    else:
        mark = STATUS[tool.status]
        version = tool.version or "version not checked" * tool.is_unresolved("version")
    parts.append((f"{builder.look.symbol(mark)} {mark.word:<10}", mark.variable))
    if age is not None:
        parts.append((f" {builder.look.symbol(LAST_GOOD)} as of {ago(age)}", LAST_GOOD.variable))
    if version:
        parts.append((f" {version}", "quiet"))
    if tool is not None and builder.width >= ROOMY:
        parts.append((f" {hash_of(tool)}", "quiet"))
    parts += [" ", *_counts(builder, entry.naming, board)]
    if tool is not None and not entry.has_routing_eval:
        parts += [" ", (f"{builder.look.symbol(NOT_COVERED)} uncovered", NOT_COVERED.variable)]
    used = sum(width_of(part if isinstance(part, str) else part[0]) for part in parts)
    room = builder.width - used - 2
    if tool is not None and tool.description and room >= 12:
        described = " ".join(one_line(tool.description.replace("\n", " ")).split())
        parts.append((f"  {fit(described, room, cut).rstrip()}", "quiet"))
    builder.write(*parts, hang=4, fold=fold, pages=int(is_open), anchor=entry.tool)


def _counts(builder: TextBuilder, keys: Sequence[CaseKey], board: Board) -> list[Part]:
    """How many cases name it, and their counts."""
    counts = Counts.of_cases(keys, board.rows)
    parts: list[Part] = [(count(len(keys), "case"), "quiet")]
    parts += [
        (f" {builder.look.symbol(mark)}{number:,}", mark.variable)
        for mark, number in (count_marks(counts) | side_marks(counts)).items()
        if number
    ]
    return parts


_MISSING = Mark(UNKNOWN.glyph, UNKNOWN.plain, "not in the registry", "case-error")
