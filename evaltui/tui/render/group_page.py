"""The page of a group of cases that the last save affected alike: what it is, and its keys."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from evaltui.core.comparison import Effect
from evaltui.core.paired_runs import PairedRuns
from evaltui.store.counts import Counts
from evaltui.store.row import Row
from evaltui.store.save_view import SaveView
from evaltui.tui import order
from evaltui.tui.order import SaveGroup
from evaltui.tui.render.case_note import note_of
from evaltui.tui.render.glyphs import ROW_STATUS
from evaltui.tui.render.headline import cause
from evaltui.tui.render.suite_line import count_segments
from evaltui.tui.render.text_builder import TextBuilder
from evaltui.tui.render.words import count

MOST = 20
"""Cases and suites that are named."""

MEANING: Mapping[str, str] = {
    Effect.WORSE.upper(): "They passed before and fail now.",
    Effect.BETTER.upper(): "They failed before and pass now.",
    Effect.ERROR.upper(): "They could not be judged now, so a change cannot be told.",
    Effect.CALLS_DIFFER.upper(): "Other calls, order or parameters; the verdict is as before.",
    Effect.NEW.upper(): "There is no earlier verdict to compare with.",
    order.REGRESSED: "They failed before and fail now; their trials prove that they got worse.",
    order.FAILING_AT_TIMES: "Most of their trials passed, then and now; some failed.",
    order.STILL_FAILING: "They failed before and fail now.",
    order.DUE: "What they depend on changed, and they have not run since: `R` runs what is due.",
    Effect.AS_BEFORE.upper(): "They ran and came out as before.",
    order.RAN_BESIDES: "They ran for another reason: a key, the opening or a command wanted them.",
    order.MUTED: "They ran and are muted: their results do not count.",
    order.NOT_TOUCHED: "They did not run this time.",
}


def write_group_page(
    builder: TextBuilder,
    group: SaveGroup,
    rows: Sequence[Row],
    save: SaveView | None,
    difference_of: Callable[[Row], str],
    whole: PairedRuns | None = None,
) -> None:
    """`rows`: the cases of the group; `difference_of`: what differs in the calls of one; `whole`:
    of two points in time, all cases that ran between them."""
    look = builder.look
    builder.write((group.name, look.style("strong", bold=True)))
    numbers = [
        (segment.text, segment.style or "")
        for segment in count_segments(Counts.of(rows), look, "background")
    ]
    builder.write(count(len(rows), "case"), " ", *numbers, indent=2, hang=2)
    builder.write(*look.spans(MEANING[group.name]), indent=2)
    if save is not None and save.trigger and (since := cause(save, save.trigger, look)):
        builder.write((f"after {since}", "quiet"), indent=2, hang=2)
    if whole is not None:
        builder.heading("all cases that ran between the two")
        builder.write(whole.difference, indent=2, hang=2)
        for note in whole.notes:
            builder.write((note, "quiet"), indent=2, hang=2)
    those = "this case" if len(rows) == 1 else "these cases"
    builder.heading("keys")
    for said in (
        "`Enter` folds and unfolds them",
        f"`r` reruns {those}",
        f"`x` runs {those} several times: flaky or broken?",
        "`b` pins their results as the baseline",
        "`Space` chooses them",
    ):
        builder.write(*look.spans(said), indent=2, hang=2)
    suites = Counter(row.suite.short_name for row in rows)
    if len(suites) > 1:
        builder.heading("suites")
        width = len(f"{max(suites.values()):,}")
        for name, number in suites.most_common(MOST):
            builder.write(f"{number:>{width},} {name}", indent=2, hang=2)
        _write_more(builder, len(suites), "suite")
    builder.heading("cases")
    for row in rows[:MOST]:
        mark, (said, variable) = ROW_STATUS[row.status], note_of(row, difference_of(row))
        builder.write(
            (f"{look.symbol(mark)} ", mark.variable),
            f"{row.key.case}  ",
            (said, variable),
            indent=2,
            hang=4,
            anchor=f"case:{row.key}",
        )
    _write_more(builder, len(rows), "case")


def _write_more(builder: TextBuilder, total: int, noun: str) -> None:
    if total > MOST:
        builder.write((f"and {count(total - MOST, 'more ' + noun)}", "quiet"), indent=2)
