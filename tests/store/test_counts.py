"""Counts are kept as rows change; they say what counting every row again would say."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from evaltui.core.baseline import Baseline, BaselineCase
from evaltui.core.case import Case
from evaltui.core.comparison import Effect
from evaltui.core.events import (
    BaselinePinned,
    CaseFinished,
    CaseMuted,
    CasesStale,
    CaseStarted,
    Event,
    ProjectRead,
    ResultsLoaded,
)
from evaltui.core.response import AgentResponse, Usage
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.core.staleness import Degree, DueCase
from evaltui.core.tool import ToolRegistry
from evaltui.store.board import Board
from evaltui.store.board_counts import BoardCounts
from evaltui.store.counts import Counts, summarize
from evaltui.store.row import Compared, Phase, Row
from evaltui.store.row_status import RANK, Attention, RowStatus
from evaltui.store.store import Store
from tests.tui import scene

AGENT = scene.AGENT
SUITES = scene.suites(5, 3)
CASES = scene.cases_of(SUITES)
P, F, E, S = CaseStatus.PASSED, CaseStatus.FAILED, CaseStatus.ERROR, CaseStatus.SKIPPED


def result_of(case: Case, status: CaseStatus, *, passes: int = -1) -> CaseResult:
    """`passes` of 4 attempts; a single attempt without."""
    made = replace(scene.result(case, status), finished_at=1.0)
    if passes < 0:
        return replace(made, trials=1, passes=int(status is P))
    return replace(made, trials=4, passes=passes)


results = st.builds(
    result_of,
    st.sampled_from(CASES),
    st.sampled_from(list(CaseStatus)),
    passes=st.integers(-1, 4),
)
SOME_SUITES = st.lists(st.sampled_from([0, 1, 2]), unique=True)
some_cases = st.lists(st.sampled_from(CASES), max_size=5, unique_by=lambda case: case.key)


def baseline_of(cases: list[Case], status: CaseStatus) -> BaselinePinned:
    made = [
        Baseline(
            suite.id,
            "run-0",
            "default",
            {case.id: BaselineCase(status) for case in cases if case.key.suite == suite.id},
        )
        for suite in SUITES
    ]
    return BaselinePinned(AGENT, "default", tuple(made))


def stale_of(cases: list[Case]) -> CasesStale:
    marks = (DueCase(case.key, Degree.AFFECTED, ("changed",)) for case in cases)
    return CasesStale(AGENT, tuple(marks), len(CASES))


def read_of(kept: list[int], outdated: list[int]) -> ProjectRead:
    """Suites by number; of the last one only the first case."""
    suites = [SUITES[number] for number in kept]
    if suites:
        suites[-1] = replace(suites[-1], cases=suites[-1].cases[:1])
    ids = tuple(SUITES[number].id for number in outdated)
    return ProjectRead(tuple(suites), ToolRegistry(configured=False), (), outdated=ids)


events: st.SearchStrategy[Event] = st.one_of(
    st.builds(CaseFinished, st.just("run-1"), results),
    st.builds(lambda made: ResultsLoaded(AGENT, tuple(made)), st.lists(results, max_size=4)),
    some_cases.map(stale_of),
    st.builds(baseline_of, some_cases, st.sampled_from([P, F, E])),
    st.sampled_from(CASES).map(lambda case: CaseStarted("run-1", AGENT, case.key)),
    st.builds(read_of, SOME_SUITES, SOME_SUITES),
    st.builds(
        CaseMuted,
        st.sampled_from([case.key for case in CASES]),
        st.sampled_from(["", "known"]),
    ),
)


def opened() -> Store:
    store = Store()
    store.handle(ProjectRead(SUITES, ToolRegistry(configured=False), ()))
    store.board(AGENT)
    return store


@given(st.lists(events, max_size=25))
def test_after_any_events_the_counts_are_those_of_the_rows(sequence: list[Event]) -> None:
    store = opened()
    board, reader = store.board(AGENT), store.reader()
    for event in sequence:
        before = counted_again(board)
        store.handle(event)
        now = counted_again(board)
        assert as_plain(board) == now
        changes, reader = store.drain(reader)
        moved = {suite for suite in before | now if before.get(suite) != now.get(suite)} - {""}
        assert changes.counts.get(AGENT, set()) >= moved
        assert not moved or changes
        for row in board.rows.values():
            assert row.rank == RANK[row.attention]
        assert Counts.of(board.rows.values()) == board.counts.all
        busy = [row for row in board.rows.values() if row.phase is not Phase.IDLE]
        assert len(board.activity) == len(busy)
        times = (row.result.finished_at for row in board.rows.values() if row.result)
        assert board.results_at == max(times, default=0.0)


def counted_again(board: Board) -> dict[str, Counter[str]]:
    """By suite, and of all under no name; straight from results and marks, suites with cases."""
    found: dict[str, Counter[str]] = {"": Counter()}
    for row in board.rows.values():
        words = Counter(words_of(row))
        found[""] += words
        found[row.key.suite] = found.get(row.key.suite, Counter()) + words
    return found


def words_of(row: Row) -> list[str]:
    words = ["total"]
    result = row.result
    if row.due is not None and result is not None:
        words.append("due")
    words += ["outdated"] * row.is_outdated + ["regressed"] * row.regressed
    is_idle = result is not None and result.is_nothing_asserted
    if result is not None and not is_idle and 0 < result.passes < result.trials:
        words.append("flaky")
    if row.muted:
        return [*words, "muted"]
    if result is None:
        return [*words, "not run"]
    match result.status:
        case CaseStatus.PASSED if result.assertions_run:
            words += ["passed", "judged"]
        case CaseStatus.FAILED:
            words += ["failed", "judged"]
        case CaseStatus.ERROR:
            words += ["errors", "judged"]
        case _:
            words.append("nothing asserted")
    return words


def as_plain(board: Board) -> dict[str, Counter[str]]:
    return {"": in_words(board.counts.all)} | {
        suite: in_words(counts) for suite, counts in board.counts.suites.items()
    }


def in_words(counts: Counts) -> Counter[str]:
    said = {
        "total": counts.total,
        "judged": counts.judged,
        "passed": counts.passed,
        "failed": counts.failed,
        "regressed": counts.regressed,
        "errors": counts.errors,
        "flaky": counts.flaky,
        "nothing asserted": counts.nothing_asserted,
        "not run": counts.not_run,
        "due": counts.due,
        "outdated": counts.outdated,
        "muted": counts.muted,
    }
    assert all(number >= 0 for number in said.values())
    assert sum(counts.by_status.values()) == counts.total
    return Counter({word: number for word, number in said.items() if number})


def test_the_worst_status_is_the_one_that_wants_attention_first() -> None:
    store = opened()
    board, case = store.board(AGENT), CASES[0]
    seen = [board.counts.all.worst]
    steps = (
        CaseFinished("run-1", result_of(case, P)),
        CaseFinished("run-1", result_of(CASES[1], F)),
        baseline_of([CASES[1]], P),
    )
    for event in steps:
        store.handle(event)
        seen.append(board.counts.of(case.key.suite).worst)
    assert seen == [Attention.NOT_RUN, Attention.PASSED, Attention.FAILED, Attention.REGRESSED]


def test_regressed_cases_are_among_the_failed() -> None:
    store = opened()
    store.handle(baseline_of([CASES[0]], P))
    for case in CASES[:2]:
        store.handle(CaseFinished("run-1", result_of(case, F)))
    counts = store.board(AGENT).counts.all
    assert (counts.failed, counts.regressed) == (2, 1)


def test_of_a_suite_that_is_gone_nothing_is_counted() -> None:
    store = opened()
    store.handle(read_of([0], []))
    board = store.board(AGENT)
    assert list(board.counts.suites) == [SUITES[0].id]
    assert board.counts.of(SUITES[1].id) == Counts()
    assert board.counts.all.total == 1


def test_cases_without_a_row_count_as_not_run() -> None:
    assert Counts.of((), not_run=3).not_run == 3


def test_a_summary_has_errors_among_the_failed() -> None:
    cases = tuple(
        result_of(case, status) for case, status in zip(CASES, (F, F, E, S, P), strict=True)
    )
    summary = summarize(cases)
    assert (summary.total_cases, summary.passed, summary.failed) == (5, 1, 3)
    assert (summary.errored, summary.skipped_cases) == (1, 1)
    assert summary.total_duration_ms == sum(case.duration_ms for case in cases)
    skipping = (replace(cases[0], assertions_skipped=2), replace(cases[1], assertions_skipped=1))
    assert summarize(skipping).skipped_assertions == 3


def test_without_a_row_a_case_still_wants_attention() -> None:
    muted = Row(CASES[0].key, CASES[0], SUITES[0], muted="known")
    assert Counts().worst is Attention.NOT_RUN
    assert Counts.of((muted,)).worst is Attention.MUTED
    assert Counts.of((muted,), not_run=1).worst is Attention.NOT_RUN


@pytest.mark.parametrize(
    ("status", "counted", "attention"),
    [
        (P, RowStatus.PASSED, Attention.PASSED),
        (F, RowStatus.FAILED, Attention.FAILED),
        (E, RowStatus.ERROR, Attention.ERROR),
        (S, RowStatus.NOTHING_ASSERTED, Attention.NOTHING_ASSERTED),
    ],
)
def test_cases_known_by_their_number_only_count_by_their_status(
    status: CaseStatus, counted: RowStatus, attention: Attention
) -> None:
    counts = BoardCounts()
    counts.add_unlisted("a.json", {status: 3})
    for made in (counts.all, counts.of("a.json")):
        assert (made.by_status[counted], made.total, made.worst) == (3, 3, attention)
    assert counts.take_moved() == {"a.json"}
    assert counts.take_moved() == set()


def test_the_cost_of_a_suite_is_known_of_those_that_said_so() -> None:
    def costing(cost_usd: float | None) -> CaseResult:
        response = AgentResponse("", usage=Usage(cost_usd=cost_usd))
        return replace(result_of(CASES[0], P), response=response)

    assert summarize((costing(0.5), costing(None), costing(0.25))).estimated_cost_usd == 0.75
    assert summarize((costing(0.0),)).estimated_cost_usd == 0.0
    assert summarize((costing(None),)).estimated_cost_usd is None


@given(st.lists(st.tuples(st.sampled_from(CaseStatus), st.booleans(), st.booleans()), max_size=8))
def test_results_without_rows_count_as_their_rows_would(
    outcomes: list[tuple[CaseStatus, bool, bool]],
) -> None:
    results, rows, muted = [], [], set()
    for case, (status, asserted, is_muted) in zip(CASES, outcomes, strict=False):
        result = replace(scene.result(case, status), assertions_run=int(asserted))
        results.append(result)
        row = Row(case.key, case, SUITES[0], result, muted="waits" if is_muted else "")
        rows.append(row)
        muted |= {case.key} if is_muted else set()
    found, board = Counts.of_results(results, muted.__contains__), Counts.of(rows)
    assert (found.by_status, found.worst) == (board.by_status, board.worst)
    counted = [one for one in results if one.key not in muted]
    assert found.judged == sum(not one.is_nothing_asserted for one in counted)


def test_cases_without_a_row_did_not_run() -> None:
    made = Board(AGENT)
    made.arrange(SUITES[:1])
    inside = [case.key for case in SUITES[0].cases]
    elsewhere = [case.key for case in SUITES[1].cases]
    made.finish(result_of(SUITES[0].cases[0], P))
    counts = Counts.of_cases([inside[0], *elsewhere[:2]], made.rows)
    assert (counts.passed, counts.not_run, counts.total) == (1, 2, 3)


def test_new_cases_that_fail_are_each_counted() -> None:
    rows = [Row(case.key, case, SUITES[0], result_of(case, F)) for case in CASES]
    rows[0].result = result_of(rows[0].case, P)
    counts = Counts.of_run([(row, Compared(effect=Effect.NEW, came_to=row.result)) for row in rows])
    assert (counts.new_failed, counts.by_effect[Effect.NEW]) == (len(rows) - 1, len(rows))


def test_what_a_run_made_of_its_cases_is_counted_apart_from_what_they_came_to() -> None:
    board = Board(AGENT)
    board.arrange(SUITES)
    worse, new, muted, rejudged, idle = board.rows.values()
    for row, effect in ((worse, Effect.WORSE), (new, Effect.NEW), (muted, Effect.WORSE)):
        row.result, row.changed = scene.result(row.case, F), effect
    muted.muted = "known"
    rejudged.changed, rejudged.is_rejudged = Effect.NEW, True
    counts = Counts.of(board.rows.values(), not_run=2)
    assert (counts.ran, counts.rejudged, counts.ran_muted) == (4, 1, 1)
    assert (counts.by_effect[Effect.WORSE], counts.by_effect[Effect.NEW]) == (1, 2)
    assert counts.new_failed == 1
    assert (counts.total, counts.not_run, counts.judged) == (7, 4, 2)
    assert (counts.has_trouble, counts.worst) == (True, Attention.WORSE)
    left = Counts.of([idle])
    assert (left.has_trouble, left.worst, left.judged) == (False, Attention.NOT_RUN, 0)
