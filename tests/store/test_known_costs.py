"""What cases took the last time they were asked, and what is guessed from the others."""

from collections.abc import Sequence
from typing import NoReturn

import pytest
from msgspec.structs import replace

from evaltui.core.case import CaseKey, TraceCase
from evaltui.core.response import AgentResponse, Usage
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.core.verdict import RUBRIC, Verdict, VerdictStatus
from evaltui.store.board import Board
from evaltui.store.known_costs import KnownCosts, has_voted, vote_usd
from evaltui.store.row import Row
from tests.tui import scene

SUITES = scene.suites(4, 2)
ONE, TWO, *_ = scene.cases_of(SUITES)
P = CaseStatus.PASSED


@pytest.fixture
def board() -> Board:
    made = Board(scene.AGENT)
    made.arrange(SUITES)
    return made


def told(board: Board, *keys: CaseKey) -> tuple[float | None, float | None, int]:
    known = KnownCosts.of(board.rows, keys)
    return known.seconds, known.cost_usd, known.never_run


def test_nothing_is_known_of_what_never_ran_alone(board: Board) -> None:
    assert told(board, ONE.key) == (None, None, 1)


@pytest.mark.parametrize(
    ("costs", "mean"),
    [((0.5, 0.1), 0.3), ((0.0, 0.0), 0.0), ((None, 0.1), 0.1), ((None, None), None)],
)
def test_what_cases_cost_is_known_of_those_that_said_so(
    board: Board, costs: Sequence[float | None], mean: float | None
) -> None:
    for case, cost, took_ms in zip((ONE, TWO), costs, (1000.0, 2000.0), strict=True):
        response = AgentResponse("", usage=Usage(cost_usd=cost))
        board.finish(replace(scene.result(case, P), response=response, duration_ms=took_ms))
    assert told(board, ONE.key, TWO.key) == (1.5, mean, 0)
    assert KnownCosts.of(board.rows, [ONE.key]).seconds == 1.0


def test_what_never_ran_is_guessed_from_the_others_by_the_attempt(board: Board) -> None:
    response = AgentResponse("", usage=Usage(cost_usd=0.6))
    board.finish(replace(scene.result(ONE, P), response=response, duration_ms=2000.0, trials=3))
    for row in board.rows.values():
        row.result = row.result if row.key == ONE.key else None
    guessed = KnownCosts.of(board.rows, [TWO.key])
    assert guessed.seconds == 2.0
    assert guessed.cost_usd == pytest.approx(0.2)
    assert guessed.never_run == KnownCosts.of(board.rows, [ONE.key, TWO.key]).never_run == 1
    skipped = replace(scene.result(TWO, P), status=CaseStatus.SKIPPED, response=None)
    board.finish(skipped)
    assert KnownCosts.of(board.rows, [TWO.key]).never_run == 1, "nobody was asked"


def test_what_was_asked_and_told_no_cost_is_guessed_from_the_others(board: Board) -> None:
    response = AgentResponse("", usage=Usage(cost_usd=0.003))
    board.finish(replace(scene.result(ONE, P), response=response))
    board.finish(replace(scene.result(TWO, CaseStatus.ERROR), response=None, duration_ms=5.0))
    assert told(board, TWO.key) == (0.005, 0.003, 0)


def test_what_happened_to_others_is_no_guess_of_what_asking_takes(board: Board) -> None:
    board.finish(replace(scene.result(ONE, P), duration_ms=60_000.0))
    board.rows[ONE.key].case = replace(ONE, body=TraceCase(""))
    assert told(board, TWO.key) == (None, None, 1)


def test_what_a_vote_costs_is_known_by_the_votes_that_were_given() -> None:
    def judged(judge: str, votes: list[int | None], cost_usd: float | None) -> CaseResult:
        verdict = Verdict(
            f"{RUBRIC}tone",
            VerdictStatus.PASSED,
            "kind",
            cost_usd=cost_usd,
            evidence={"judge": judge, "votes": votes},
        )
        return replace(scene.result(ONE, P), verdicts=(verdict,))

    results = [
        judged("one", [5, 4, None], 0.5),
        judged("one", [None, None], 0.5),
        judged("one", [5], None),
        judged("another", [5], 8.0),
    ]
    assert vote_usd(results, "one") == 0.25
    assert vote_usd(results[2:3], "one") is None
    assert (has_voted(results, "one"), has_voted(results, "third")) == (True, False)


class Unread(dict[CaseKey, Row]):
    """Rows that may be looked up, not gone through."""

    def values(self) -> NoReturn:
        raise AssertionError("all rows were gone through")


def test_how_long_known_cases_take_is_found_without_a_look_at_the_others(board: Board) -> None:
    board.finish(replace(scene.result(ONE, P), duration_ms=1000.0))
    assert KnownCosts.of(Unread(board.rows), [ONE.key]).seconds == 1.0
