"""The figures of a suite's heading are those of the rows below it, in whatever they stand there."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from evaltui.core.case import CaseKey
from evaltui.core.events import CaseFinished, CaseMuted, ResultsLoaded
from evaltui.core.result import CaseStatus
from evaltui.store.board import Board
from evaltui.store.board_counts import BoardCounts
from evaltui.store.counts import Counts
from evaltui.store.row import Row
from evaltui.store.store import Store
from evaltui.tui.arrangement import Arrangement
from evaltui.tui.filter import parse
from evaltui.tui.heading_counts import HeadingCounts
from evaltui.tui.order import Order, narrowed_rows
from evaltui.tui.suite_parts import SuitePart
from evaltui.tui.view import View
from tests.driver import driving
from tests.screen_figures import Picture, figures, truth
from tests.tui import scene
from tests.tui.fake_session import FakeSession

MADE = scene.suites(15, 3)
CASES = scene.cases_of(MADE)
OTHER = "other"


class Life:
    """Two agents' boards, and the lines of the first, which are put in order when somebody says."""

    def __init__(self) -> None:
        self.store = Store()
        for event in scene.opened(MADE):
            self.store.handle(event)
        self.store.board(OTHER)
        self.arrangement = Arrangement()
        self.arrangement.is_grouped = True
        self.counts = HeadingCounts(self.arrangement)
        self.sort(keeps_order=False)

    @property
    def board(self) -> Board:
        return self.store.board(scene.AGENT)

    def sort(self, *, keeps_order: bool) -> None:
        self.arrangement.sort(self.board, (), keeps_order=keeps_order)

    @property
    def headings(self) -> list[SuitePart]:
        return [line for line in self.arrangement.lines if isinstance(line, SuitePart)]

    def finish(self, at: int, status: CaseStatus, agent: str) -> None:
        made = replace(scene.result(CASES[at], status, agent=agent), assertions_run=1)
        self.store.handle(CaseFinished("run-50", made))

    def mute(self, at: int, reason: str) -> None:
        self.store.handle(CaseMuted(CASES[at].key, reason))

    def fold(self, at: int) -> None:
        heading = self.headings[at % len(self.headings)]
        self.arrangement.fold(heading, is_folded=heading.id not in self.arrangement.folded)
        self.sort(keeps_order=True)

    def narrow(self, view: View, text: str) -> None:
        self.arrangement.view, self.arrangement.filter = view, parse(text)
        self.sort(keeps_order=True)

    def order(self, order: Order) -> None:
        self.arrangement.order = order
        self.sort(keeps_order=False)

    def check(self) -> None:
        for agent in (scene.AGENT, OTHER):
            board, total = self.store.board(agent), Counts()
            for part in self.headings:
                said = self.counts.of(part, board)
                below = Counts.of(board.rows[row.key] for row in part.rows)
                assert (said.by_status, said.by_mark) == (below.by_status, below.by_mark)
                for status, number in said.by_status.items():
                    total.by_status[status] += number
            if not self.arrangement.is_narrowed:
                assert total.by_status == board.counts.all.by_status

    def next_problem(self, cursor: int, step: int) -> int:
        """The line that the key goes to; -1 when nothing failed."""
        while key := self.arrangement.next_problem(cursor, step):
            if self.arrangement.index_of(key) < 0:
                folded = {*self.arrangement.folded}
                assert self.arrangement.unfold(key, self.board)
                assert len(folded - self.arrangement.folded) == 1, "just its heading"
                self.sort(keeps_order=True)
            return self.arrangement.index_of(key)
        return -1

    def check_round(self, cursor: int, step: int) -> None:
        arrangement = self.arrangement
        if arrangement.is_narrowed:  # what came to fit it meanwhile has a line from now on
            self.sort(keeps_order=True)
        rows = narrowed_rows(
            self.board.rows.values(), view=arrangement.view, narrowed=arrangement.filter
        )
        failed = {row.key for row in rows if row.is_failing}
        assert {*arrangement.problems} == failed and len(arrangement.problems) == len(failed)
        seen: list[CaseKey] = []
        cursor = min(cursor, max(0, len(arrangement.lines) - 1))
        for _ in failed:
            cursor = self.next_problem(cursor, step)
            line = arrangement.at(cursor)
            assert isinstance(line, Row)
            seen.append(line.key)
        assert len(seen) == len(failed) and {*seen} == failed
        came = seen[::step]
        at = came.index(arrangement.problems[0]) if failed else 0
        assert (*came[at:], *came[:at]) == arrangement.problems, "in the order of the lines"
        if not failed:
            assert self.next_problem(cursor, step) == -1


PLACES = st.integers(0, len(CASES) - 1)
STATUSES = st.sampled_from(CaseStatus)
ACTS = st.one_of(
    st.tuples(st.just(Life.finish), PLACES, STATUSES, st.sampled_from([scene.AGENT, OTHER])),
    st.tuples(st.just(Life.mute), PLACES, st.sampled_from(["", "known"])),
    st.tuples(st.just(Life.fold), PLACES),
    st.tuples(st.just(Life.order), st.sampled_from(Order)),
    st.tuples(
        st.just(Life.narrow),
        st.sampled_from([View.ALL, View.ALL, View.PROBLEMS, View.MUTED]),
        st.sampled_from(["", "", "get-weather", "status:passed", "is:problem"]),
    ),
)


@settings(max_examples=60, deadline=None)
@given(st.lists(ACTS, max_size=24), PLACES, st.sampled_from([1, -1]), st.booleans())
def test_whatever_happens_figures_are_those_of_the_rows_and_every_failure_is_come_to(
    acts: list[tuple[object, ...]], cursor: int, step: int, is_by_save: bool
) -> None:
    life = Life()
    for act, *values in acts:
        if life.headings or act is not Life.fold:
            act(life, *values)  # type: ignore[operator]
        life.check()
    life.arrangement.is_by_save = is_by_save
    if is_by_save:
        life.sort(keeps_order=True)
    life.check_round(cursor, step)


def test_what_failed_below_a_folded_heading_comes_after_its_line() -> None:
    life = Life()
    first, second = [part for part in life.headings if part.is_failing][:2]
    for part in (first, second):
        life.arrangement.fold(part, is_folded=True)
    life.sort(keeps_order=True)
    failed = [[row.key for row in part.rows] for part in (first, second)]
    at = life.arrangement.index_of(second.id)
    assert life.arrangement.next_problem(at, 1) == failed[1][0]
    assert life.arrangement.next_problem(at, -1) == failed[0][-1]


def test_a_heading_is_counted_again_only_when_its_suite_counts_otherwise(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    life, asked = Life(), []
    of_keys = BoardCounts.of_keys

    def noted(counts: BoardCounts, keys: tuple[CaseKey, ...]) -> Counts:
        asked.append({key.suite for key in keys})
        return of_keys(counts, keys)

    monkeypatch.setattr(BoardCounts, "of_keys", noted)
    for _ in range(3):
        life.check()
    assert len(asked) == 2 * len(life.headings)
    asked.clear()
    life.finish(0, CaseStatus.ERROR, scene.AGENT)
    life.check()
    parts = [part for part in life.headings if part.suite.id == CASES[0].key.suite]
    assert asked == [{CASES[0].key.suite}] * len(parts)


def loaded(statuses: list[CaseStatus], listed: set[int]) -> Store:
    """An earlier process's board: counts of all, and of some cases the result."""
    results = [
        replace(scene.result(case, status), assertions_run=1)
        for case, status in zip(CASES, statuses, strict=True)
    ]
    counts: dict[str, dict[CaseStatus, int]] = {}
    for result in results:
        of_suite = counts.setdefault(result.key.suite, {})
        of_suite[result.status] = of_suite.get(result.status, 0) + 1
    store = Store()
    some = tuple(result for place, result in enumerate(results) if place in listed)
    store.handle(ResultsLoaded(scene.AGENT, some, ((),) * len(some), 3, counts))
    assert store.board(scene.AGENT).is_cached
    return store


@given(
    st.lists(STATUSES, min_size=len(CASES), max_size=len(CASES)),
    st.sets(PLACES, min_size=1),
    st.sampled_from(Order),
)
def test_a_board_that_is_read_yet_says_of_each_part_what_the_whole_board_will(
    statuses: list[CaseStatus], listed: set[int], order: Order
) -> None:
    said = []
    for some in (listed, {*range(len(CASES))}):
        board, arrangement = loaded(statuses, some).board(scene.AGENT), Arrangement()
        arrangement.is_grouped, arrangement.order = True, order
        arrangement.sort(board, ())
        counts = HeadingCounts(arrangement)
        parts = [line for line in arrangement.lines if isinstance(line, SuitePart)]
        said.append({part.id: counts.of(part, board).by_status for part in parts})
    first, whole = said
    assert first and first.items() <= whole.items()


async def test_folded_headings_show_what_failed_below_them_and_the_key_unfolds_just_one() -> None:
    made = scene.suites(24, 3)
    async with driving(FakeSession(on_open=list(scene.opened(made))), size=(100, 30)) as driver:
        cases = driver.app.dashboard.controller.layout.cases
        arrangement = cases.arrangement
        parts = [line for line in arrangement.lines if isinstance(line, SuitePart)]
        passed = [part for part in parts if not part.is_failing]
        for part in passed:
            cases.go(arrangement.index_of(part.id))
            await driver.press("h")
        hit, spared = passed[:2]
        for row in hit.rows[:2]:
            case = replace(scene.result(row.case, scene.F, at=time.time()), assertions_run=1)
            await driver.hear(CaseFinished("run-60", case))
        await driver.settle()
        said = figures(next(line for line in driver.lines if f"▸ {hit.suite.id}" in line))
        assert said["failed"] == 2
        assert {word: n for word, n in said.items() if n} == truth([*hit.rows])
        failing = [key for key in arrangement.problems if cases.board.rows[key].is_failing]
        assert {row.key for row in hit.rows[:2]} <= {*failing}
        cases.go(0)
        seen = []
        for _ in failing:
            await driver.press("n")
            assert cases.row is not None
            seen.append(cases.row.key)
        assert seen == failing
        assert hit.id not in arrangement.folded and spared.id in arrangement.folded
        await driver.press("n", "N")
        assert cases.row is not None and cases.row.key == seen[-1]


async def test_the_walk_leaves_headings_folded_below_which_nothing_failed() -> None:
    made = scene.suites(24, 3)
    async with driving(FakeSession(on_open=list(scene.opened(made))), size=(100, 30)) as driver:
        arrangement = driver.app.dashboard.controller.layout.cases.arrangement
        parts = [line for line in arrangement.lines if isinstance(line, SuitePart)]
        arrangement.folded.update(part.id for part in parts)
        driver.app.dashboard.controller.layout.cases.sort()
        assert arrangement.folded >= {part.id for part in parts}
        await driver.press("i")
        driver.sees(f"WALK 1/{sum(len(part.rows) for part in parts if part.is_failing)}")
        assert [part.id for part in parts if part.id not in arrangement.folded] == [parts[0].id]


async def test_in_a_narrowed_view_headings_count_what_stands_below_them() -> None:
    made = scene.suites(24, 3)
    async with driving(FakeSession(on_open=list(scene.opened(made))), size=(100, 40)) as driver:
        board = driver.app.dashboard.controller.board
        await driver.press("F", "p")
        headings = Picture.of(driver).headings()
        assert headings
        for name, line in headings:
            rows = [row for row in board.rows.values() if row.key.suite == name and row.is_failing]
            assert {word: n for word, n in figures(line).items() if n} == truth(rows)


async def test_what_is_muted_counts_where_it_stands() -> None:
    made = scene.suites(24, 3)
    async with driving(FakeSession(on_open=list(scene.opened(made))), size=(100, 40)) as driver:
        cases = driver.app.dashboard.controller.layout.cases
        part = next(line for line in cases.arrangement.lines if isinstance(line, SuitePart))
        cases.go_to(part.rows[0].key)
        for row in part.rows:
            await driver.hear(CaseMuted(row.key, "known"))
        line = Picture.of(driver).headings()[0][1]
        assert figures(line)["muted"] == len(part.rows)
        driver.misses("no cases")


async def test_a_heading_is_folded_with_the_rows_that_stand_below_it() -> None:
    """Not with others, or none, as it would have in an order that was made anew."""
    made = scene.suites(24, 3)
    async with driving(FakeSession(on_open=list(scene.opened(made))), size=(100, 40)) as driver:
        cases = driver.app.dashboard.controller.layout.cases
        first = next(line for line in cases.arrangement.lines if isinstance(line, SuitePart))
        cases.go(0)
        for row in first.rows:
            await driver.hear(CaseMuted(row.key, "known"))
        await driver.press("h")
        part = cases.line
        assert isinstance(part, SuitePart) and part.id == first.id and part.keys == first.keys
        driver.sees(f"▸ {first.suite.id}", f"{len(first.rows)} folded, S sorts")
        await driver.press("l")
        assert cases.arrangement.keys[: len(first.keys)] == first.keys


async def test_each_agent_has_the_figures_of_the_rows_below() -> None:
    made = scene.suites(24, 3)
    host = FakeSession(agents=(scene.AGENT, OTHER))
    host.on_open = [*scene.opened(made), *list(scene.opened(made, agent=OTHER))[1:]]
    host.on_open += [
        CaseFinished("run-2", replace(scene.result(case, scene.F, agent=OTHER), assertions_run=1))
        for case in made[0].cases[:2]
    ]
    async with driving(host, size=(120, 60)) as driver:
        driver.app.dashboard.controller.layout.navigation.is_zoomed = True
        await driver.resize(120, 58)
        cases = driver.app.dashboard.controller.layout.cases
        both = [line for line in cases.arrangement.lines if isinstance(line, SuitePart)]
        at = driver.lines[driver.place("2 agents")[0]].index(f" {OTHER} ")
        lines = [line for line in driver.lines if line.startswith(("▾", "›▾"))]
        assert len(lines) == len(both) > len(made)
        total = [0, 0]
        for part, line in zip(both, lines, strict=True):
            for place, agent in enumerate((scene.AGENT, OTHER)):
                said = figures(line[at:] if place else line[:at])
                rows = host.store.board(agent).rows
                below = Counts.of(rows[row.key] for row in part.rows)
                for word, number in (("passed", below.passed), ("failed", below.failed)):
                    assert said.get(word, 0) == number, (line, agent)
                total[place] += said.get("failed", 0)
        assert total == [host.store.board(one).counts.all.failed for one in (scene.AGENT, OTHER)]
        assert total[0] != total[1]
