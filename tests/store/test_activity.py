"""What is being done with cases, and that nothing of it outlives a run."""

import pytest

from evaltui.core.response import ToolCall
from evaltui.core.result import CaseStatus
from evaltui.store.board import Board
from evaltui.store.row import Phase
from tests.tui import scene

SUITES = scene.suites(4, 2)
ONE, TWO, *_ = scene.cases_of(SUITES)
P = CaseStatus.PASSED


@pytest.fixture
def board() -> Board:
    made = Board(scene.AGENT)
    made.arrange(SUITES)
    return made


def test_another_attempt_begins_without_the_words_of_the_one_before(board: Board) -> None:
    row = board.rows[ONE.key]
    board.activity.begin(row, 5.0)
    row.live_text, row.live_calls = "Let me see", [ToolCall("get_weather", {})]
    board.activity.begin(row, 9.0)
    assert (row.live_text, row.live_calls) == ("", [])
    assert row.started_at == 5.0, "the case has been running since then"
    board.finish(scene.result(ONE, P))
    board.activity.begin(row, 20.0)
    assert row.started_at == 20.0


@pytest.mark.parametrize("is_begun", [True, False])
def test_whatever_did_not_finish_is_idle_again(board: Board, is_begun: bool) -> None:
    row = board.rows[ONE.key]
    if is_begun:
        board.activity.begin(row, 0.0)
    else:
        board.activity.enqueue(row)
    assert board.activity.settle() == {ONE.key}
    assert board.activity.settle() == set()
    assert row.phase is Phase.IDLE


def test_what_belongs_to_a_run_that_is_on_goes_on(board: Board) -> None:
    one, two = (board.rows[case.key] for case in (ONE, TWO))
    board.activity.enqueue(one, "over")
    board.activity.begin(two, 0.0, "on")
    assert board.activity.settle({"on"}) == {ONE.key}
    assert (one.phase, two.phase, len(board.activity)) == (Phase.IDLE, Phase.RUNNING, 1)
    board.activity.remove(TWO.key)
    assert not board.activity


def test_a_result_ends_what_was_said_meanwhile(board: Board) -> None:
    row = board.rows[ONE.key]
    board.activity.begin(row, 0.0)
    row.live_text, row.live_calls = "Let me see", [ToolCall("get_weather", {})]
    board.activity.finish(row)
    assert (row.phase, row.live_text, row.live_calls) == (Phase.IDLE, "", [])
    assert not board.activity
