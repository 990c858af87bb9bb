"""A case that is the same on both sides adds nothing to what is told of changes, so that only the
others need be looked at."""

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from evaltui.core.verdict import Kind
from evaltui.evidence.case_row import CaseRow
from evaltui.evidence.compared.comparing import compare
from evaltui.evidence.compared.side import Side
from evaltui.traces.judge_row import JudgeRow

NAMES = st.sampled_from(["agent", "regex", "policy", "criteria"])
JUDGES = st.builds(
    JudgeRow,
    NAMES,
    st.booleans(),
    st.sampled_from([0.0, 0.5, 1.0]),
    st.just("why"),
    st.booleans(),
    st.sampled_from([None, True, False]),
    st.sampled_from(list(Kind)),
)
ASSERTED = st.none() | st.dictionaries(
    st.one_of(NAMES, st.just("timeout_ms")), st.just(("1",)) | st.just(("1", "2"))
)
ROWS = st.builds(
    CaseRow,
    st.just("same"),
    st.booleans(),
    st.booleans(),
    st.lists(JUDGES, max_size=4, unique_by=lambda one: one.judge_id).map(tuple),
    asserted=ASSERTED,
)
CHANGES = (
    "case_regressions",
    "score_regressions",
    "lost_checks",
    "unreached_checks",
    "regressions",
)


@given(ROWS)
def test_the_same_on_both_sides_is_no_change(row: CaseRow) -> None:
    # Equal and not identical, as two reports are read.
    other = CaseRow(
        row.case_id, row.passed, row.hard_failed, row.judge_results, asserted=row.asserted
    )
    sides = (Side(Path(), {}, cases={"same": one}) for one in (row, other))
    report = compare(*sides, reference={})
    assert not any(report[name] for name in CHANGES)


@given(ROWS, ROWS)
def test_what_stands_beside_it_is_told_the_same(before: CaseRow, after: CaseRow) -> None:
    def told(beside: dict[str, CaseRow]) -> list[object]:
        sides = (Side(Path(), {}, cases={"one": one, **beside}) for one in (before, after))
        report = compare(*sides, reference={})
        return [report[name] for name in CHANGES]

    assert told({}) == told({"beside": before})
