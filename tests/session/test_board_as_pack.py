"""What a pin asserted where its file does not tell: what the same case asserts now, if anything."""

from collections.abc import Collection, Mapping
from typing import cast

import pytest
from msgspec.structs import replace

from evaltui.core.case import Case, CaseKey, ContractCase, Tier, TraceCase
from evaltui.core.case_body import EvaluatorUse
from evaltui.core.fingerprint import case_fingerprint
from evaltui.core.result import CaseResult, CaseStatus, TrialResult
from evaltui.core.statistics.trials import Planned, Trials
from evaltui.core.suite import Suite
from evaltui.core.trace import Event
from evaltui.disk.baselines.baseline_reading import PinnedDemands
from evaltui.disk.history.history import History
from evaltui.evidence.asserted import asserted_of
from evaltui.evidence.case_row import CaseRow
from evaltui.session.board_as_pack import BoardEvidence, CaseEvidence, moment_of
from evaltui.store.board import Board
from tests.disk.samples import SUITE, passed

CASE = Case(CaseKey(SUITE, passed().key.case), ContractCase("hello"))
NOW = {name: tuple(prints) for name, prints in asserted_of(CASE, passed()).items()}
THEN: Mapping[str, tuple[str, ...]] = {"toolsCalled": ("another",)}


def result_of(case: Case = CASE) -> CaseResult:
    """That the case passed, as it is."""
    inputs = replace(passed().inputs, case=case_fingerprint(case))
    return replace(passed(), key=case.key, inputs=inputs)


class Whole:
    """A history that keeps each result whole."""

    def whole_of(self, agent: str, suite: str, light: object) -> object:
        assert (agent, suite) == ("mine", SUITE)
        return light


def demands(pinned: PinnedDemands, *shown: Case) -> Mapping[str, Collection[str]] | None:
    made = BoardEvidence("mine", cast("History", Whole()), lambda _: {CASE.key: pinned})
    made.read([(case, result_of(case)) for case in shown], moment_of(Board("mine")))
    return made.demands[CASE.key]


@pytest.mark.parametrize(
    ("pinned", "shown", "asserted"),
    [
        (PinnedDemands(case_fingerprint(CASE), THEN), (CASE,), THEN),
        (PinnedDemands(case_fingerprint(CASE)), (CASE,), NOW),
        (PinnedDemands("another case"), (CASE,), None),
        (PinnedDemands(case_fingerprint(CASE)), (), None),
    ],
    ids=["it is told", "the same case", "another case", "the case is gone"],
)
def test_it_is_that_of_the_same_case_only(
    pinned: PinnedDemands,
    shown: tuple[Case, ...],
    asserted: Mapping[str, Collection[str]] | None,
) -> None:
    assert demands(pinned, *shown) == asserted


def test_where_evaluators_have_a_say_nobody_knows_how_they_were_set() -> None:
    case = replace(CASE, body=ContractCase("hello", evaluators=(EvaluatorUse("own"),)))
    assert demands(PinnedDemands(case_fingerprint(case)), case) is None


def test_what_was_read_is_a_side_with_the_groups_of_the_files() -> None:
    board = Board("mine")
    grouped = replace(CASE, extra={"group": "refunds"})
    board.suites = (Suite(SUITE, "", Tier.GOLDEN, (grouped,), ""),)
    made = BoardEvidence("mine", cast("History", Whole()), lambda _: {})
    result = result_of()
    made.read([(CASE, result)], moment_of(board))
    assert made.is_of(board)
    side = made.side(board)
    assert side.cases is not None and side.judges is not None
    assert {name: row.group for name, row in side.cases.items()} == {str(CASE.key): "refunds"}
    assert "toolsCalled" in side.judges
    assert (side.run_id, side.summary["pass_rate"]) == ("results", 1.0)
    board.runs.number = 7
    assert made.side(board).run_id == "#7"
    assert not made.is_of(board), "it shows another run"


def test_a_result_is_read_once_as_long_as_it_is_the_same() -> None:
    read: list[object] = []

    class Counted(Whole):
        def whole_of(self, agent: str, suite: str, light: object) -> object:
            read.append(light)
            return super().whole_of(agent, suite, light)

    made = BoardEvidence("mine", cast("History", Counted()), lambda _: {})
    result = replace(result_of(), finished_at=1.0)
    others = (replace(result, run_id="run-2"), replace(result, run_id="run-2", finished_at=2.0))
    for one in (result, result, *others):
        made.read([(CASE, one)], moment_of(Board("mine")))
    assert read == [(result,), *((one,) for one in others)]


def test_what_was_asserted_is_told_of_the_case_as_it_was_run_whenever_it_is_read() -> None:
    edited = replace(CASE, body=ContractCase("hello", expect={"responseContains": ["18"]}))
    board = Board("mine")

    def read(*files: Case) -> CaseRow:
        """What is known of one result after these readings of its file."""
        made = BoardEvidence("mine", cast("History", Whole()), lambda _: {})
        for case in files:
            made.read([(case, result_of(edited))], moment_of(board))
        cases = made.side(board).cases
        assert cases is not None
        return cases[str(CASE.key)]

    known = read(edited).asserted
    assert known is not None and "responseContains" in known
    assert read(CASE).asserted is None, "nobody knows any more"
    assert read(edited, CASE) == read(CASE)
    assert read(CASE, edited) == read(edited)


def test_of_a_case_that_was_edited_since_those_are_told_who_judged_it() -> None:
    board = Board("mine")
    edited = replace(CASE, body=ContractCase("hello", expect={"responseContains": ["18"]}))
    made = BoardEvidence("mine", cast("History", Whole()), lambda _: {})
    made.read([(edited, result_of())], moment_of(board))
    assert made.side(board).judges == ["agent", "toolsCalled", "latency"]


def test_of_an_edited_trace_nothing_that_happened_is_taken_for_what_was_judged() -> None:
    case = replace(
        CASE, body=TraceCase("hello", trace=(Event(0, "agent", "message", latency_ms=40.0),))
    )
    result = replace(result_of(case), response=None)
    edited = replace(
        case, body=TraceCase("hello", trace=(Event(0, "agent", "message", latency_ms=70.0),))
    )
    found = [CaseEvidence.of(one, result).measured["latency_ms"] for one in (case, edited)]
    assert found == [[40.0], []]


def test_what_asserts_nothing_is_no_evidence() -> None:
    board = Board("mine")
    suite = Suite(SUITE, "", Tier.GOLDEN, (CASE,), "")
    board.arrange([suite])
    made = BoardEvidence("mine", cast("History", Whole()), lambda _: {})
    result = result_of()
    seen = []
    for one in (None, replace(result, assertions_run=0), result):
        board.rows[CASE.key].result = one
        seen.append(made.shown(board))
    assert seen == [[], [], [(CASE, result)]]


def test_a_result_without_its_verdicts_tells_what_was_planned_of_it() -> None:
    case = Case(CaseKey("evals/a.json", "c"), ContractCase("Hi", expect={}))
    tried = tuple(
        TrialResult(n, one)
        for n, one in enumerate((CaseStatus.FAILED, CaseStatus.PASSED, CaseStatus.PASSED))
    )
    once = Planned(Trials(0, 1), 1)
    light = CaseResult(
        *(case.key, "r", "mine", CaseStatus.FAILED),
        assertions_run=1,
        trials=3,
        passes=2,
        attempts=tried,
        planned=once,
    )
    row = CaseEvidence.of(case, light).row
    assert (row.attempts, row.as_planned) == (Trials(2, 1), once)


@pytest.mark.parametrize("status", [CaseStatus.PASSED, CaseStatus.FAILED])
def test_a_result_without_its_verdicts_tells_whether_it_passed_and_of_no_judge_why(
    status: CaseStatus,
) -> None:
    light = CaseResult(CASE.key, "r", "mine", status, assertions_run=1)
    row = CaseEvidence.of(CASE, light).row
    is_passed = status is CaseStatus.PASSED
    assert (row.case_id, row.passed, row.hard_failed) == (str(CASE.key), is_passed, not is_passed)
    assert (row.judge_results, row.asserted) == ((), None)
