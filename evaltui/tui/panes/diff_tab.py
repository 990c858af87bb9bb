"""The first tab of the detail pane: the calls made against those expected."""

from evaltui.core.result import CaseStatus
from evaltui.expectations import ASSERTIONS
from evaltui.expectations.call_diff import CaseDiff, DiffTarget, diff_calls
from evaltui.expectations.expected_diff import diff_expected
from evaltui.store.row import Row
from evaltui.tui.panes.shown_case import ShownCase, write_no_result, write_waiting
from evaltui.tui.render.conversation import write_stubs
from evaltui.tui.render.diff import FIRST, write_diff
from evaltui.tui.render.explain import write_why
from evaltui.tui.render.glyphs import REGRESSED, STATUS
from evaltui.tui.render.save_blame import explanation_of, write_blame
from evaltui.tui.render.text_builder import TextBuilder
from evaltui.tui.render.verdicts import first_gating, write_verdict


def diff_of(shown: ShownCase) -> CaseDiff | None:
    """The comparison, or `None` when there is nothing to compare."""
    result = shown.row.result
    if result is None or result.response is None:
        return None
    calls = result.response.tool_calls
    if shown.target is DiffTarget.EXPECTED:
        return diff_expected(shown.row.case, calls, result.verdicts, multiset=shown.multiset)
    if shown.earlier is None or shown.earlier.response is None:
        return None
    before = shown.earlier.response.tool_calls
    return diff_calls(before, calls, shown.target, shown.against)


def write_diff_tab(builder: TextBuilder, shown: ShownCase) -> None:
    row, result = shown.row, shown.row.result
    if result is None:
        write_no_result(builder, row)
        return
    write_waiting(builder, row)
    gating = first_gating(result.verdicts)
    assertion = ASSERTIONS.get(gating.check) if gating is not None else None
    diff = diff_of(shown)
    is_about_calls = assertion is not None and assertion.is_in_diff
    if diff is not None and diff.target is DiffTarget.EXPECTED and diff.is_same:
        is_about_calls = False  # What it asks for cannot even be read, so no row shows it.
    if gating is not None and (not is_about_calls or not gating.evidence):
        index = result.verdicts.index(gating)
        write_verdict(builder, gating, index, anchor=FIRST)
        builder.blank()
    if row.regressed and shown.target is DiffTarget.EXPECTED:
        then = row.baseline.words if row.baseline is not None else "passed"
        symbol = builder.look.symbol(REGRESSED)
        said = f"{symbol} {then} in the pinned baseline: `d` compares with it"
        builder.write(*builder.look.spans(said, REGRESSED.variable), hang=2)
    if diff is not None:
        is_silent = result.response is not None and result.response.is_silent_on_calls
        write_diff(builder, diff, is_silent=is_silent)
        explanation = explanation_of(result)
        if explanation and any(call.state.is_difference for call in diff.calls):
            write_why(builder, explanation, explanation_of(shown.before_save))
    elif result.response is None:
        reason = result.error or "the agent's answer is not kept"
        builder.write((f"no calls to compare: {reason}", "quiet"), hang=2)
        if result.status is CaseStatus.ERROR:
            builder.empty_state("`r` runs it again; `E` runs every case that had an error.")
    else:
        if gating is not None and is_about_calls and gating.evidence:
            write_verdict(builder, gating, result.verdicts.index(gating))
            builder.blank()
        _write_no_earlier(builder, shown)
    write_blame(builder, row, shown.before_save, shown.tools)
    builder.blank()
    _write_past(builder, row)
    if not row.suite.is_unread:
        write_stubs(builder, row.case)


def _write_past(builder: TextBuilder, row: Row) -> None:
    """`history ✓✓✓✗`, nothing of a first result."""
    if len(row.recent) > 1:
        marks = [builder.look.mark(STATUS[status]) for status in row.recent]
        said = f"  the last {len(row.recent)}, oldest first"
        builder.write(("history ", "quiet"), *marks, (said, "quiet"))


def _write_no_earlier(builder: TextBuilder, shown: ShownCase) -> None:
    then = shown.row.baseline
    if shown.target is DiffTarget.BASELINE and then is None:
        builder.empty_state("No baseline is pinned for this case.", "`b` pins this result as one.")
    elif shown.target is DiffTarget.BASELINE and then is not None:
        builder.empty_state(
            f"The pinned result is `{then.words}`; its calls are not on this machine."
        )
        builder.empty_state(
            "`b` pins this result in its place: later runs are then compared with it."
        )
    elif shown.target is DiffTarget.AGENT:
        builder.empty_state(f"There are no calls of `{shown.against}` for this case.")
    else:
        builder.empty_state("No earlier run of this case is kept.", "`r` runs it again.")
    builder.empty_state("`d` compares with something else.")
