"""Order of the rows."""

from msgspec.structs import replace

from evaltui.core.comparison import Effect
from evaltui.core.proof import Proof, Standing
from evaltui.core.result import CaseStatus
from evaltui.core.statistics.trials import Trials, TwoSides
from evaltui.store.board import Board
from evaltui.store.row import Row
from evaltui.store.row_status import RANK, Attention, RowMark
from evaltui.store.store import Store
from evaltui.tui.order import (
    FOLDED_AT_FIRST,
    SAVE_GROUPS,
    Order,
    SaveGroup,
    arrange,
    by_save,
    in_order,
)
from evaltui.tui.render.problems import gather
from evaltui.tui.suite_parts import SuitePart
from tests.tui import scene


def board_of(count: int) -> Board:
    store = Store()
    for event in scene.opened(scene.suites(count)):
        store.handle(event)
    return store.board(scene.AGENT)


def test_worst_first_in_file_order_among_equals() -> None:
    board = board_of(48)
    rows = in_order(board)
    places = {key: index for index, key in enumerate(board.rows)}
    marks = [(RANK[row.attention], places[row.key]) for row in rows]
    assert marks == sorted(marks)
    assert len(rows) == 48


def test_grouped_rows_follow_their_heading() -> None:
    board = board_of(48)
    lines = arrange(in_order(board), is_grouped=True, folded={scene.suites(48)[1].id})
    heading = ""
    for line in lines:
        if isinstance(line, SuitePart):
            heading = line.suite.id
        else:
            assert isinstance(line, Row) and line.key.suite == heading
    assert sum(isinstance(line, SuitePart) for line in lines) == 6
    assert sum(isinstance(line, Row) for line in lines) == 40


def test_other_orders() -> None:
    board = board_of(48)
    keys = [*board.rows]
    last, slow = board.rows[keys[30]], board.rows[keys[20]]
    assert last.result
    assert slow.result
    last.result = replace(last.result, finished_at=scene.NOW + 9)
    slow.result = replace(slow.result, duration_ms=9e6)
    board.rows[keys[0]].result = None
    assert [row.key for row in in_order(board, Order.FILE)] == keys
    names = [row.key.case for row in in_order(board, Order.NAME)]
    assert names == sorted(names)
    by_time, by_duration = in_order(board, Order.TIME), in_order(board, Order.DURATION)
    assert (by_time[0], by_duration[0]) == (last, slow)
    assert by_time[-1].key == by_duration[-1].key == keys[0]


def test_what_is_proven_is_not_folded_away_where_it_passed_this_time_and_problems_say_so() -> None:
    board = board_of(48)
    row = next(one for one in board.rows.values() if one.result)
    assert row.result
    row.result = replace(row.result, status=CaseStatus.PASSED, error="", assertions_run=1)
    row.changed, row.against, row.due = Effect.AS_BEFORE, RowMark.REGRESSED, None
    sides = TwoSides(Trials(20, 0), Trials(1, 8))
    row.proof = Proof(row.key, sides, standing=Standing.REGRESSED)
    lines = by_save([row], FOLDED_AT_FIRST)
    assert [isinstance(one, SaveGroup) and one.name for one in lines] == ["REGRESSED", False]
    (entry,) = (one for group in gather((), board) for one in group.entries if one.key == row.key)
    assert "20/20 → 1/9" in entry.text and "passed this time" in entry.text


def test_what_is_proven_stands_above_what_may_be_chance_and_no_slip_is_still_failing() -> None:
    board = board_of(48)
    proven, known, chance, slips, failing = [*board.rows.values()][:5]
    for row in board.rows.values():
        row.changed, row.against, row.due = None, None, None
    for row, effect in (
        (proven, Effect.WORSE),
        (known, Effect.AS_BEFORE),
        (chance, Effect.WORSE),
        (slips, Effect.AS_BEFORE),
        (failing, Effect.AS_BEFORE),
    ):
        assert row.result
        row.result = replace(row.result, status=CaseStatus.FAILED, assertions_run=1)
        row.changed = effect
    for row in (proven, known):
        row.against = RowMark.REGRESSED
        row.proof = Proof(row.key, standing=Standing.REGRESSED)
    assert slips.result
    slips.result = replace(slips.result, passes=18, trials=20)
    ordered = sorted(board.rows.values(), key=lambda row: RANK[row.attention])
    assert {row.key for row in ordered[:2]} == {proven.key, known.key}
    assert [row.attention for row in ordered[:3]] == [Attention.PROVEN] * 2 + [Attention.WORSE]
    lines = by_save(ordered, ())
    groups = {one.name: (one.keys, one.also) for one in lines if isinstance(one, SaveGroup)}
    del groups["NOT TOUCHED"]
    assert groups == {
        "REGRESSED": ((known.key,), "as before"),
        "WORSE": ((proven.key, chance.key), ""),
        "STILL FAILING": ((failing.key,), "as before"),
        "FAILING AT TIMES": ((slips.key,), "as before"),
    }
    assert [*groups] == ["REGRESSED", "WORSE", "STILL FAILING", "FAILING AT TIMES"]


def test_headings_of_a_save_stand_in_the_order_of_what_wants_attention() -> None:
    assert (
        *("REGRESSED", "WORSE", "BETTER", "ERROR", "CALLS DIFFER", "NEW"),
        *("STILL FAILING", "FAILING AT TIMES", "DUE", "AS BEFORE", "RAN BESIDES"),
        *("MUTED", "NOT TOUCHED"),
    ) == SAVE_GROUPS
