"""What the end of a run leaves on the board."""

from collections import Counter

import pytest
from msgspec.structs import replace

from evaltui.core.audited import Audited
from evaltui.core.case import CaseKey
from evaltui.core.events import CasesStale, RunEnd, RunFinished, RunStarted
from evaltui.core.result import CaseStatus
from evaltui.core.staleness import Degree, DueCase
from evaltui.store.board import Board
from evaltui.store.board_counts import BoardCounts
from evaltui.store.row import Row
from evaltui.store.run_view import RunView
from tests.tui import scene

SUITES = scene.suites(2, 2)
KEYS = tuple(case.key for case in scene.cases_of(SUITES))
FEW, MORE = Audited(2, 0, 9), Audited(4, 0, 9)


@pytest.mark.parametrize(
    ("told", "known"),
    [((FEW, MORE), MORE), ((FEW, None), FEW), ((None, FEW), FEW), ((None, None), None)],
    ids=["more were drawn", "the rest tells nothing", "the rest tells it", "nothing is drawn"],
)
def test_what_a_sample_of_a_save_told_stays_until_more_is_drawn(
    told: tuple[Audited | None, Audited | None], known: Audited | None
) -> None:
    board = Board(scene.AGENT)
    board.arrange(SUITES)
    board.begin_save(("a.tool.ts",), board.headline.registry)
    assert board.headline.save is not None
    for number, audited in enumerate(told):
        run = f"run-{number}"
        started = RunStarted(run, scene.AGENT, 1, KEYS[:1], "saved", ("a.tool.ts",))
        board.begin_run(RunView.of(started), started.cases, is_rest=False)
        board.end_run(RunFinished(run, scene.AGENT, RunEnd.COMPLETED, 1.0, audited=audited))
    assert board.headline.save.sample.audited == known


def test_a_new_board_knows_of_no_run_result_or_cost() -> None:
    made = Board(scene.AGENT)
    assert (made.runs.last, made.runs.number) == (None, 0)
    assert (made.results_at, made.spending) == (0.0, None)
    assert not (made.runs.is_on or made.is_busy or made.is_cached or made.affected)


def test_a_save_counts_each_row_once_that_was_compared_and_is_due_now(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    board = Board(scene.AGENT)
    board.arrange(SUITES)
    due = tuple(DueCase(key, Degree.TO_JUDGE, ("changed",)) for key in KEYS)
    saved = CasesStale(scene.AGENT, due, len(KEYS), ("a.tool.ts",), due)
    board.take_save(saved, board.headline.registry)
    started = RunStarted("run-0", scene.AGENT, 1, KEYS, "saved", ("a.tool.ts",))
    board.begin_run(RunView.of(started), KEYS, is_rest=False)
    for case in scene.cases_of(SUITES):
        board.finish(replace(scene.result(case, CaseStatus.PASSED), run_id="run-0"), "run-0")
    board.end_run(RunFinished("run-0", scene.AGENT, RunEnd.COMPLETED, 1.0))
    assert all(row.is_of_save and not row.is_due for row in board.rows.values())
    counted = Counter[CaseKey]()
    count = BoardCounts.update

    def update(counts: BoardCounts, row: Row) -> None:
        counted[row.key] += 1
        count(counts, row)

    monkeypatch.setattr(BoardCounts, "update", update)
    assert board.take_save(saved, board.headline.registry) == set(KEYS)
    assert counted == dict.fromkeys(KEYS, 1)
    assert not any(row.is_of_save for row in board.rows.values())
    assert board.counts.all.due == len(KEYS)
