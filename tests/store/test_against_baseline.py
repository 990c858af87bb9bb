"""Which cases are compared as a whole with what is pinned of them, and by which trials."""

import pytest
from msgspec.structs import replace

from evaltui.core.baseline import Baseline, BaselineCase
from evaltui.core.proof import Proof
from evaltui.core.result import CaseStatus
from evaltui.core.statistics.trials import Trials, TwoSides
from evaltui.store import against_baseline as asked
from evaltui.store.against_baseline import against_baseline
from evaltui.store.board import Board
from tests.tui import scene

P, F, S = CaseStatus.PASSED, CaseStatus.FAILED, CaseStatus.SKIPPED
(SUITE,) = SUITES = scene.suites(6, 1)
KEYS = tuple(case.key for case in SUITE.cases)
Sides = dict[object, tuple[Trials, Trials, tuple[int, int]]]
NONE = (0, 0)


@pytest.fixture
def board(monkeypatch: pytest.MonkeyPatch) -> Board:
    """All passed when they were pinned, and fail now; what is compared is returned as it is."""
    made = Board(scene.AGENT)
    made.arrange(SUITES)
    pins = {key.case: BaselineCase(P) for key in KEYS}
    made.compare_with([Baseline(SUITE.id, "run-0", "default", pins)])
    for case in SUITE.cases:
        made.finish(scene.result(case, F))
    monkeypatch.setattr(asked, "paired_trials", lambda trials, _: trials)
    return made


def sides(board: Board, *keys: object) -> Sides:
    return against_baseline(board, SUITES, keys or KEYS)  # type: ignore[arg-type, return-value]


def test_only_what_is_pinned_judged_and_not_muted_is_compared(board: Board) -> None:
    muted, unpinned, skipped, not_run, empty, last = board.rows.values()
    muted.muted = "known"
    unpinned.baseline = None
    skipped.baseline = BaselineCase(S)
    not_run.result = None
    assert empty.result is not None
    empty.result = replace(empty.result, status=P, assertions_run=0)
    assert sides(board) == {last.key: (Trials(1, 0), Trials(0, 1), NONE)}
    assert sides(board, muted.key) == {}


def test_of_an_agent_that_varies_only_trials_count(board: Board) -> None:
    board.standards.is_sampled = True
    tried, untried, *_ = board.rows.values()
    tried.proof = Proof(tried.key, TwoSides(Trials(3, 1), Trials(1, 3)))
    assert sides(board, tried.key, untried.key) == {
        tried.key: (Trials(3, 1), Trials(1, 3), NONE),
        untried.key: (Trials(), Trials(), NONE),
    }


@pytest.mark.parametrize("is_sampled", [False, True])
def test_attempts_that_erred_now_are_told_beside_the_trials(board: Board, is_sampled: bool) -> None:
    board.standards.is_sampled = is_sampled
    row = next(iter(board.rows.values()))
    assert row.result is not None
    row.result = replace(row.result, erred=2)
    ((*_, lost),) = sides(board, row.key).values()
    assert lost == (0, 2)


@pytest.mark.parametrize(
    ("baseline", "lost"),
    [(None, 1), (Trials(2, 0), 1), (Trials(5, 0), 0)],
    ids=["each counts", "those of the pin alone count", "others count too"],
)
def test_attempts_that_erred_when_it_was_pinned_are_told_where_no_others_count(
    board: Board, baseline: Trials | None, lost: int
) -> None:
    board.standards.is_sampled = baseline is not None
    row = next(iter(board.rows.values()))
    row.baseline = BaselineCase(P, 1.0, 2, erred=1)
    row.proof = Proof(row.key, TwoSides(baseline or Trials(), Trials(3, 0)))
    ((then, _, told),) = sides(board, row.key).values()
    assert then == (baseline or Trials(2, 0))
    assert told == (lost, 0)
