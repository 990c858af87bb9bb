"""What was pinned with several trials is told by them, wherever a fall is shown."""

import pytest

from evaltui.core.baseline import BaselineCase
from evaltui.core.result import CaseStatus
from evaltui.store.board import Board
from evaltui.store.row import Row
from evaltui.store.row_status import RowMark
from evaltui.tui.render.head import write_head
from evaltui.tui.render.history import write_history
from evaltui.tui.render.look import Look
from evaltui.tui.render.problems import gather
from evaltui.tui.render.text_builder import TextBuilder
from tests.tui import scene

(SUITE,) = scene.suites(1, 1)
(CASE,) = SUITE.cases
PLAIN = BaselineCase(CaseStatus.PASSED)
SLIPPED = BaselineCase(CaseStatus.FAILED, 0.9, 20)


def fallen(then: BaselineCase, mark: RowMark) -> Row:
    made = Row(CASE.key, CASE, SUITE, scene.result(CASE, CaseStatus.FAILED))
    made.baseline, made.against = then, mark
    return made


@pytest.mark.parametrize(
    ("then", "said"), [(PLAIN, "baseline passed"), (SLIPPED, "baseline 18 of 20 passed")]
)
def test_the_detail_says_what_the_pinned_trials_came_to(then: BaselineCase, said: str) -> None:
    builder = TextBuilder(Look({}), 160)
    write_head(builder, fallen(then, RowMark.MOVED), "mine", scene.NOW)
    assert said in builder.plain
    assert "baseline failed" not in builder.plain


@pytest.mark.parametrize(
    ("then", "said"),
    [(PLAIN, "pinned baseline: ✓ passed"), (SLIPPED, "pinned baseline: 18 of 20 passed")],
)
def test_so_does_the_history(then: BaselineCase, said: str) -> None:
    builder = TextBuilder(Look({}), 160)
    write_history(builder, [], scene.NOW, then)
    assert said in builder.plain


@pytest.mark.parametrize("mark", [RowMark.MOVED, RowMark.REGRESSED])
def test_problems_do_not_say_that_what_slipped_passed(mark: RowMark) -> None:
    board = Board("mine")
    hints = []
    for then in (PLAIN, SLIPPED):
        board.rows = {CASE.key: fallen(then, mark)}
        (group,) = gather((), board)
        hints.append(group.hint.partition(",")[0])
    assert hints == [
        "passed when they were pinned",
        "passed every time or more often than now when they were pinned",
    ]
