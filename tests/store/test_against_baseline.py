"""Which cases are compared as a whole with what is pinned of them, and by which trials."""

from typing import Any, cast

import pytest
from msgspec.structs import replace

from evaltui.core.baseline import Baseline, BaselineCase
from evaltui.core.proof import Proof
from evaltui.core.result import CaseStatus
from evaltui.core.statistics.trials import Planned, Trials, TwoSides
from evaltui.store import against_baseline as asked
from evaltui.store.against_baseline import against_baseline
from evaltui.store.board import Board
from tests.tui import scene

P, F, S = CaseStatus.PASSED, CaseStatus.FAILED, CaseStatus.SKIPPED
(SUITE,) = SUITES = scene.suites(6, 1)
KEYS = tuple(case.key for case in SUITE.cases)
Sides = dict[object, tuple[Planned, Planned]]
NOTHING = Planned()


@pytest.fixture
def board(monkeypatch: pytest.MonkeyPatch) -> Board:
    """All passed when they were pinned, and fail now; what is compared is returned as it is."""
    made = Board(scene.AGENT)
    made.arrange(SUITES)
    pins = {key.case: BaselineCase(P) for key in KEYS}
    made.compare_with([Baseline(SUITE.id, "run-0", "default", pins)])
    for case in SUITE.cases:
        made.finish(scene.result(case, F))
    monkeypatch.setattr(asked, "paired_trials", lambda planned, _: planned)
    return made


def sides(board: Board, *keys: object, fresh: Trials = NOTHING.judged) -> Sides:
    chosen: tuple[Any, ...] = keys or KEYS
    return cast(Sides, against_baseline(board, SUITES, chosen, lambda _: fresh))


def test_only_what_is_pinned_judged_and_not_muted_is_compared(board: Board) -> None:
    muted, unpinned, skipped, not_run, empty, last = board.rows.values()
    muted.muted = "known"
    unpinned.baseline = None
    skipped.baseline = BaselineCase(S)
    not_run.result = None
    assert empty.result is not None
    empty.result = replace(empty.result, status=P, assertions_run=0)
    assert sides(board) == {last.key: (Planned(Trials(1, 0)), Planned(Trials(0, 1)))}
    assert sides(board, muted.key) == {}


def test_of_an_agent_that_varies_only_trials_count(board: Board) -> None:
    board.standards.is_sampled = True
    tried, untried, *_ = board.rows.values()
    tried.proof = Proof(tried.key, TwoSides(Trials(3, 1), Trials(0, 1)))
    assert sides(board, tried.key, untried.key) == {
        tried.key: (Planned(Trials(3, 1)), Planned(Trials(0, 1))),
        untried.key: (NOTHING, NOTHING),
    }


def test_of_those_no_further_ones_count_and_fresh_ones_stand_for_the_baseline(
    board: Board,
) -> None:
    board.standards.is_sampled = True
    row = next(iter(board.rows.values()))
    assert row.result is not None
    row.result = replace(row.result, trials=9, passes=8, planned=Planned(Trials(0, 1)))
    row.proof = Proof(row.key, TwoSides(Trials(23, 7), Trials(8, 1)))
    once = Planned(Trials(0, 1))
    fresh = Trials(15, 5)
    assert sides(board, row.key, fresh=fresh) == {row.key: (Planned(fresh), once)}
    assert sides(board, row.key) == {row.key: (Planned(Trials(23, 7)), once)}
    board.standards.is_sampled = False
    assert sides(board, row.key) == {row.key: (Planned(Trials(1, 0)), once)}


@pytest.mark.parametrize("is_sampled", [False, True])
def test_attempts_that_erred_now_are_told_beside_the_trials(board: Board, is_sampled: bool) -> None:
    board.standards.is_sampled = is_sampled
    row = next(iter(board.rows.values()))
    assert row.result is not None
    row.result = replace(row.result, erred=2)
    ((_, now),) = sides(board, row.key).values()
    assert now.erred == 2


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
    ((then, now),) = sides(board, row.key).values()
    assert then == Planned(baseline or Trials(2, 0), lost)
    assert now.erred == 0
