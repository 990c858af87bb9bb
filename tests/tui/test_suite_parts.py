"""Grouped by suites, what fails of all of them stands before everything that does not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from evaltui.core.comparison import Effect
from evaltui.core.result import CaseStatus
from evaltui.store.board import Board
from evaltui.store.row import Row
from evaltui.store.row_status import RANK, Attention
from evaltui.store.store import Store
from evaltui.tui.arrangement import Arrangement
from evaltui.tui.order import Order
from evaltui.tui.suite_parts import SuitePart, count_headings, part_ids
from tests.driver import Driver, driving
from tests.tui import scene
from tests.tui.fake_session import FakeSession

MADE = scene.suites(48)
SIZES = ((60, 20), (80, 24), (100, 30))


def board_of(statuses: list[CaseStatus | None]) -> Board:
    """In three suites, each case with its result, or none; nothing is pinned or due."""
    store = Store()
    for event in scene.opened(scene.suites(len(statuses), 3)):
        store.handle(event)
    board = store.board(scene.AGENT)
    for row, status in zip(board.rows.values(), statuses, strict=True):
        made = row.result or next(one.result for one in board.rows.values() if one.result)
        assert made is not None
        row.baseline = row.against = row.due = None
        asserted = replace(made, key=row.key, status=status or made.status, assertions_run=1)
        row.result = asserted if status is not None else None
        board.counts.update(row)
    return board


def arranged(board: Board, *folded: str) -> Arrangement:
    arrangement = Arrangement()
    arrangement.is_grouped = True
    arrangement.folded.update(folded)
    arrangement.sort(board, ())
    return arrangement


def headings(arrangement: Arrangement) -> list[SuitePart]:
    return [line for line in arrangement.lines if isinstance(line, SuitePart)]


def with_both(arrangement: Arrangement) -> tuple[SuitePart, SuitePart]:
    """Both headings of a suite that has two: of what fails, and of all else."""
    failing = {part.suite.id: part for part in headings(arrangement) if part.is_failing}
    others = (part for part in headings(arrangement) if not part.is_failing)
    other = next(part for part in others if part.suite.id in failing)
    return failing[other.suite.id], other


def has_failed_below(line: object) -> bool:
    rows = line.rows if isinstance(line, SuitePart) else [line]
    return any(isinstance(row, Row) and row.is_failing for row in rows)


RESULTS = st.lists(st.sampled_from([None, *CaseStatus]), min_size=2, max_size=24)


@given(RESULTS, st.data())
def test_no_row_that_passed_stands_before_one_that_failed_folded_or_not(
    statuses: list[CaseStatus | None], data: st.DataObject
) -> None:
    if not any(statuses):
        statuses[0] = CaseStatus.PASSED
    board = board_of(statuses)
    ids = sorted({id_ for row in board.rows.values() for id_ in part_ids(row.key.suite)})
    folded = data.draw(st.sets(st.sampled_from(ids)))
    arrangement = arranged(board, *folded)
    fails = [has_failed_below(line) for line in arrangement.lines]
    assert fails == sorted(fails, reverse=True)
    below = [row for part in headings(arrangement) for row in part.rows]
    assert {row.key for row in below} == board.rows.keys() and len(below) == len(board.rows)
    for part in headings(arrangement):
        assert {row.key.suite for row in part.rows} == {part.suite.id}
        assert [row.rank for row in part.rows] == sorted(row.rank for row in part.rows)
    assert count_headings(board.counts, is_parted=True) == len(headings(arrangement))


def test_among_what_fails_the_suite_with_the_worst_case_stands_first_and_the_case_in_it() -> None:
    store = Store()
    for event in scene.opened(MADE):
        store.handle(event)
    board = store.board(scene.AGENT)
    last = [*board.rows.values()][-1]
    assert last.result and not last.regressed
    last.result, last.baseline = replace(last.result, status=scene.F, assertions_run=1), None
    last.changed = Effect.WORSE
    board.counts.update(last)
    arrangement = arranged(board)
    first = arrangement.lines[0]
    assert isinstance(first, SuitePart) and first.suite is last.suite
    assert arrangement.lines[1] is last
    for is_failing in (True, False):
        parts = [part for part in headings(arrangement) if part.is_failing is is_failing]
        ranks = [[RANK[row.attention] for row in part.rows] for part in parts]
        assert len(ranks) > 1 and all(one == sorted(one) for one in ranks)
        worst = [one[0] for one in ranks]
        assert worst == sorted(worst)


@pytest.mark.parametrize("order", [one for one in Order if one is not Order.WORST])
def test_in_an_order_that_somebody_chose_a_suite_stands_whole(order: Order) -> None:
    arrangement = Arrangement()
    arrangement.is_grouped, arrangement.order = True, order
    board = board_of([CaseStatus.PASSED, CaseStatus.FAILED, CaseStatus.PASSED] * 3)
    arrangement.sort(board, ())
    assert [len(part.rows) for part in headings(arrangement)] == [3, 3, 3]
    assert count_headings(board.counts, is_parted=False) == 3


def test_what_failed_stays_where_it_stood_while_the_order_is_kept() -> None:
    board = board_of([CaseStatus.PASSED, CaseStatus.FAILED, CaseStatus.FAILED] * 3)
    arrangement = arranged(board)
    before, parts = arrangement.keys, [part.id for part in headings(arrangement)]
    row = arrangement.lines[1]
    assert isinstance(row, Row) and row.result
    row.result = replace(row.result, status=CaseStatus.PASSED)
    board.counts.update(row)
    arrangement.sort(board, (), keeps_order=True)
    assert arrangement.keys == before
    assert [part.id for part in headings(arrangement)] == parts
    gone = Board(scene.AGENT)
    gone.rows = {key: replace(row) for key, row in [*board.rows.items()][2:]}
    arrangement.sort(gone, (), keeps_order=True)
    assert arrangement.keys == tuple(key for key in before if key in gone.rows)
    arrangement.sort(board, ())
    assert board.rows[row.key].attention is Attention.PASSED
    assert arrangement.keys.index(row.key) >= 5, "no longer among the five that fail"


async def shown(driver: Driver) -> Arrangement:
    await driver.settle()
    return driver.app.dashboard.controller.layout.cases.arrangement


@pytest.mark.parametrize("size", SIZES)
async def test_folding_what_passed_of_a_suite_hides_no_failure_of_it(size: tuple[int, int]) -> None:
    async with driving(FakeSession(on_open=list(scene.opened(MADE))), size=size) as driver:
        cases = driver.app.dashboard.controller.layout.cases
        arrangement = await shown(driver)
        passed = with_both(arrangement)[1]
        failing = [key for key in arrangement.keys if cases.board.rows[key].is_failing]
        cases.go_to(passed.rows[-1].key)
        await driver.press("h")
        assert isinstance(cases.line, SuitePart) and cases.line.id == passed.id
        assert cases.selection == passed.keys, "what a key runs"
        assert [key for key in arrangement.keys if cases.board.rows[key].is_failing] == failing
        await driver.press("n")
        assert cases.row is not None and cases.row.key == failing[0], "round, from the end"
        seen = [cases.row.key]
        for _ in failing[1:]:
            await driver.press("n")
            assert cases.row is not None
            seen.append(cases.row.key)
        assert seen == failing


async def test_the_cursor_stays_on_a_case_that_passes_now_below_a_folded_heading() -> None:
    async with driving(FakeSession(on_open=list(scene.opened(MADE))), size=(100, 30)) as driver:
        cases = driver.app.dashboard.controller.layout.cases
        arrangement = await shown(driver)
        row = next(row for row in cases.board.rows.values() if row.is_failing and row.result)
        arrangement.folded.add(row.key.suite)
        cases.sort()
        assert row.result and cases.go_to(row.key)
        row.result, row.against = replace(row.result, status=CaseStatus.PASSED), None
        cases.board.counts.update(row)
        cases.sort()
        assert cases.row is row
        part = next(one for one in headings(arrangement) if row in one.rows)
        assert not part.is_failing and row.key in arrangement.keys


async def test_the_cursor_goes_to_the_other_heading_of_a_suite_when_its_own_is_gone() -> None:
    async with driving(FakeSession(on_open=list(scene.opened(MADE))), size=(100, 30)) as driver:
        cases = driver.app.dashboard.controller.layout.cases
        arrangement = await shown(driver)
        failing = with_both(arrangement)[0]
        cases.go(arrangement.index_of(failing.id))
        for row in failing.rows:
            assert row.result
            row.result, row.against = replace(row.result, status=CaseStatus.PASSED), None
            cases.board.counts.update(row)
        cases.sort()
        assert isinstance(cases.line, SuitePart)
        assert cases.line.suite is failing.suite and not cases.line.is_failing
