"""The page of a tool or suite: how its cases do and did, what a save changed, what may flip."""

from collections.abc import Iterable, Sequence

from evaltui.core.case import CaseKey
from evaltui.core.flip_margin import FlipMargin, flip_margin
from evaltui.core.result import CaseStatus
from evaltui.core.suite import Suite
from evaltui.core.tool import ToolDefinition
from evaltui.expectations.coverage import ToolCoverage
from evaltui.store.board import Board
from evaltui.store.counts import Counts
from evaltui.store.row import Row
from evaltui.tui.render.clip import fit, width_of
from evaltui.tui.render.glyphs import OUTDATED, ROW_STATUS
from evaltui.tui.render.sanitize import one_line
from evaltui.tui.render.save_blame import write_tool_change
from evaltui.tui.render.sparkline import sparkline
from evaltui.tui.render.text_builder import Part, TextBuilder
from evaltui.tui.render.tool_details import write_definition, write_place
from evaltui.tui.render.tool_line import bar, save_marks
from evaltui.tui.render.words import count

BAR = 10
NEAREST = 5
"""Cases nearest to flipping that are shown."""


def write_tool_page(
    builder: TextBuilder,
    entry: ToolCoverage,
    tool: ToolDefinition | None,
    board: Board,
) -> None:
    """All of it is about the cases that name the tool, as its lines in the lists are."""
    _write_counts(builder, entry.tool, Counts.of_cases(entry.naming, board.rows))
    rows = [row for key in entry.naming if (row := board.rows.get(key)) is not None]
    _write_trend(builder, rows)
    if tool is None:
        builder.write(("cases name it, but it is not in the registry", "case-stale"), indent=2)
        return
    save = board.headline.save
    if save is not None and (change := save.tools.get(entry.tool)) is not None:
        builder.heading("changed in this save")
        write_tool_change(builder, change)
    _write_nearest(builder, rows, entry.tool)
    builder.heading("definition")
    write_place(builder, tool)
    write_definition(builder, entry, tool)


def write_suite_page(builder: TextBuilder, suite: Suite, board: Board) -> None:
    rows = [row for case in suite.cases if (row := board.rows.get(case.key)) is not None]
    counts = board.counts.of(suite.id)
    _write_counts(builder, suite.id, counts)
    _write_trend(builder, rows)
    about = f" of {suite.tool_name}" if suite.tool_name else ""
    builder.write((f"{suite.tier.value} evals{about}", "quiet"), indent=2)
    if counts.outdated:
        said = f"{builder.look.symbol(OUTDATED)} {OUTDATED.word}: {OUTDATED.meaning}"
        builder.write(*builder.look.spans(said, OUTDATED.variable), indent=2, hang=2)
    failing = [row for row in rows if row.is_failing]
    if failing:
        builder.heading("failing")
    for row in failing:
        mark = ROW_STATUS[row.status]
        why = row.result.error if row.result is not None else ""
        builder.write(
            (f"{builder.look.symbol(mark)} ", mark.variable),
            f"{row.key.case}  ",
            (one_line(why), "quiet"),
            indent=2,
            hang=4,
            anchor=f"case:{row.key}",
        )
    _write_nearest(builder, rows)


def key_of(anchor: str) -> CaseKey | None:
    """The case that a line of the page leads to."""
    kind, _, name = anchor.partition(":")
    return CaseKey.parse(name) if kind == "case" else None


def _write_counts(builder: TextBuilder, name: str, counts: Counts) -> None:
    builder.write((name, builder.look.style("strong", bold=True)), hang=2)
    parts: list[Part] = []
    if counts.judged:
        parts += [
            (segment.text, segment.style or "")
            for segment in bar(counts, BAR, builder.look, "background")
        ]
        parts.append(f" {counts.passed}/{counts.judged} passed")
        if (others := counts.total - counts.judged) > 0:
            parts.append((f", {others:,} not judged", "quiet"))
    else:
        parts.append((f"{count(counts.total, 'case')}, none has run", "quiet"))
    parts += [(f"  {text}", variable) for text, variable in save_marks(counts, builder.look)]
    builder.write(*parts, indent=2, hang=2)


def pass_rates(strips: Iterable[Sequence[CaseStatus]]) -> list[float]:
    """What share of the cases passed, from 0 to 1, in their last results, as many as each of them
    has: rates of different cases say nothing of a change. What was not judged is left out."""
    known = [
        [status for status in strip if status is not CaseStatus.SKIPPED]
        for strip in strips
        if strip and strip[-1] is not CaseStatus.SKIPPED
    ]
    least = min(map(len, known), default=0)
    columns = zip(*(strip[-least:] for strip in known), strict=True)
    return [column.count(CaseStatus.PASSED) / len(column) for column in columns]


def _write_trend(builder: TextBuilder, rows: Iterable[Row]) -> None:
    """Nothing where a case has one result only."""
    rates = pass_rates(row.recent for row in rows if not row.muted)
    if len(rates) < 2:
        return
    look = builder.look
    line = sparkline((*rates, 1.0), look.is_ascii)[:-1]  # scaled to all that could pass
    change = f"{rates[0]:.0%} {look.symbols.arrow} {rates[-1]:.0%}"
    said = f"passed over the last {len(rates)} results of each case"
    builder.write((line, "case-passed"), f" {change} ", (said, "quiet"), indent=2, hang=2)


def _write_nearest(builder: TextBuilder, rows: Sequence[Row], tool: str = "") -> None:
    """Nothing for an agent that does not say how sure it was; of a tool only where it is one of
    the two."""
    known = [(margin, row) for row in rows if (margin := _margin(row)) is not None]
    found = [pair for pair in known if not tool or tool in (pair[0].chosen, pair[0].other)]
    if not found:
        return
    found.sort(key=lambda pair: pair[0].by)
    builder.heading("nearest to flipping")
    if len(known) < len(rows):
        never = sum(row.result is None for row in rows)
        earlier = len(rows) - len(known) - never
        why = [f"{earlier:,} ran earlier"] * bool(earlier) + [f"{never:,} never ran"] * bool(never)
        said = f"of {len(known)} of {count(len(rows), 'case')}: {', '.join(why)}"
        builder.write((said, "quiet"), indent=2)
    names = max(width_of(row.key.case) for _, row in found[:NEAREST])
    room = min(names, builder.width // 2)
    for margin, row in found[:NEAREST]:
        mark = ROW_STATUS[row.status]
        builder.write(
            (f"{builder.look.symbol(mark)} ", mark.variable),
            fit(row.key.case, room, builder.look.symbols.cut),
            (f" {margin.by:+.2f}", "code-number"),
            (f"  {_said(margin)}", "quiet"),
            indent=2,
            hang=4,
            anchor=f"case:{row.key}",
        )


def _said(margin: FlipMargin) -> str:
    """`cancel_event 0.52, move_event 0.50`: what is called first."""
    chosen = f"{margin.chosen or 'no tool'} {margin.p:.2f}"
    return f"{chosen}, {margin.other or 'no tool'} {margin.other_p:.2f}"


def _margin(row: Row) -> FlipMargin | None:
    response = row.result.response if row.result is not None else None
    return flip_margin(response.explanation) if response is not None else None
