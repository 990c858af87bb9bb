"""Lines of the console: suite titles, cases, figures."""

from collections.abc import Mapping, Sequence

from evaltui.core.case import Case
from evaltui.core.cells import cells, fit_cells
from evaltui.core.provenance import how_it_came
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.core.suite import Suite
from evaltui.core.tool import same_tool_name
from evaltui.core.trace_times import took
from evaltui.reporters.ansi import Ink, plain
from evaltui.reporters.muted_failures import Mutes
from evaltui.reporters.trials import rate_text
from evaltui.store.counts import Counts, skipped_assertions

WIDTH = 67
LONGEST = 110
"""Columns after which a description is cut, with a mark."""


def titled(suite: Suite) -> str:
    """In the contract's words, and the file's name where it is not the tool's: the suite is shown
    by that everywhere else."""
    if not suite.tool_name:  # a file of scenarios is about no tool
        return f"{suite.short_name} — {suite.tier}s"
    title = f"{suite.tool_name} — {suite.tier} evals"
    is_same = same_tool_name(suite.short_name, suite.tool_name)
    return title if is_same else f"{title} · {suite.name}"


def named(case: str, description: str) -> str:
    """A case by its id and its description, as its line shows them."""
    return f"{plain(case)}  {plain(description)}"


def bar(title: str) -> str:
    """A title wider than the others keeps its words."""
    # Without our own signs, a column each, most titles are ASCII, which is measured at once.
    return title + "═" * (WIDTH - cells(title.translate(_AS_ASCII)))


_AS_ASCII = str.maketrans("═—·", "=--")


def case_lines(
    result: CaseResult,
    ink: Ink,
    width: int = WIDTH - 10,
    *,
    case: Case | None = None,
    muted: str = "",
) -> list[str]:
    """The case's line, its reason when it did not pass, and what a reader must know besides.

    `width` is in columns, up to where the duration begins; `case`: that of a trace, which may tell
    no time; `muted` is why a failure does not count.
    """
    glyph, paint = ("⊘", Ink.dim) if muted else _GLYPHS[result.shown_status]
    said = rate_text(result)
    rate = f"  {said}" if said else ""
    facts = how_it_came(result.response)
    came = "".join(f"  {fact}" for fact in facts) if facts else ""
    # Without the glyph most lines are ASCII, which is measured at once.
    left = fit_cells(named(result.key.case, result.description), width - 4)
    time = _in_ms(result.duration_ms if case is None else took(case, result.duration_ms))
    lines = [f"  {glyph} {left} {time:>10}{rate}{came}".rstrip()]
    if result.error or muted:
        why = [plain(result.error)] if result.error else []
        why += [f"muted: {plain(muted)}"] if muted else []
        lines.append(f"    → {' · '.join(why)}")
    elif result.status is CaseStatus.PASSED and not result.assertions_run:
        lines.append("    nothing asserted")
    if result.unchecked:
        lines.append(f"    ⚠ {plain(result.unchecked)}")
    if result.response is not None:
        lines += [f"    ⚠ {plain(note)}" for note in result.response.notes]
    lines[0] = paint(ink, lines[0])
    return lines


def figures(results: Sequence[CaseResult], mutes: Mutes, suites: Mapping[str, Suite]) -> str:
    """How many passed, failed ...; `suites` by id."""
    skipped = skipped_assertions(results)
    counts = Counts.of_results(results, mutes.covers)
    errors = f" | {counts.errors} errors" if counts.errors else ""
    muted = f" | {counts.muted} muted" if counts.muted else ""
    idle = counts.nothing_asserted
    nothing = f" | {idle} nothing asserted" if idle else ""
    return (
        f"{counts.passed}/{counts.judged} passed | "
        f"{counts.failed} failed{errors}{muted}{nothing} | "
        f"{skipped} skipped assertions | "
        f"{_times(results, suites)}"
    )


def _times(results: Sequence[CaseResult], suites: Mapping[str, Suite]) -> str:
    """What the agents took now; what traces tell of another time is said apart."""
    told = {id_ for id_, suite in suites.items() if not suite.asks_agent}
    traces = {case.key: case for id_ in told for case in suites[id_].cases}
    recorded = [took(traces[one.key], one.duration_ms) for one in results if one.key in traces]
    ran = [one.duration_ms for one in results if one.key.suite not in told]
    said = [f"{sum(ran):.0f}ms total"] if ran or not recorded else []
    return " | ".join([*said, *([_recorded(recorded)] if recorded else [])])


def _recorded(times: Sequence[float | None]) -> str:
    known = [one for one in times if one is not None]
    return f"{_in_ms(sum(known)) if known else 'no time'} recorded in traces"


def _in_ms(known: float | None) -> str:
    return "" if known is None else f"{known:.0f}ms"


_GLYPHS = {
    CaseStatus.PASSED: ("✓", Ink.good),
    CaseStatus.FAILED: ("✗", Ink.bad),
    CaseStatus.ERROR: ("!", Ink.warn),
    CaseStatus.SKIPPED: ("○", Ink.dim),
}
