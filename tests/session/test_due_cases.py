"""A result is compared with a reading of the project once, whenever it comes."""

import asyncio
from collections.abc import AsyncIterator, Collection
from pathlib import Path
from threading import Event as Signal
from threading import current_thread, main_thread

import pytest
from msgspec.structs import replace

from evaltui.core.agent import Agent
from evaltui.core.asked import AgentTraits
from evaltui.core.case import Case, CaseKey
from evaltui.core.config import Config
from evaltui.core.events import CaseFinished, CasesStale, Event, RunStarted
from evaltui.core.outcome import Outcome
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.core.staleness import Degree
from evaltui.kinds import settled
from evaltui.session import affected
from evaltui.session.due_cases import DueCases
from evaltui.session.event_bus import EventBus
from evaltui.session.inputs_of import InputsOf
from evaltui.session.project_state import ProjectState
from evaltui.store.store import Store
from tests.projects import MUSIC, ORDERS, make_project, write_suite
from tests.session.test_session import MUSIC_TOO, asking

NAME = "counting"
ORDER = CaseKey("evals/find_order.golden.json", "gs-find-order-001")
OTHER = CaseKey("evals/find_order.golden.json", "gs-find-order-002")
SONG = CaseKey("evals/play_music.golden.json", "gs-play-music-001")
ALL = (ORDER, OTHER, SONG)


class Free(Agent):
    name = NAME
    fingerprint = "0" * 12
    traits = AgentTraits(is_free=True)


class Comparisons:
    """Notes each message that is compared; keeps the thread that compares waiting for `go`."""

    def __init__(self) -> None:
        self.messages: list[str] = []
        self.began, self.go = Signal(), Signal()
        self.go.set()

    def settled(self, case: Case, *, has_judge: bool = False) -> Outcome | None:
        """What each comparison with a result asks first."""
        self.messages.append(case.message)
        self.began.set()
        if current_thread() is not main_thread():
            assert self.go.wait(20)
        return settled(case, has_judge=has_judge)


class Line:
    """One agent's results in a real project, without any run."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.events = EventBus(Store())
        self.agent = Free()
        self.compared = Comparisons()
        self.state = ProjectState(Config(root), {}, (), self.events)
        self.stale_events: list[CasesStale] = []
        self.runs = 0
        self.events.add_sink(self)

    def handle(self, event: Event) -> None:
        if isinstance(event, CasesStale):
            self.stale_events.append(event)

    async def open(self) -> DueCases:
        await self.state.open()
        self.state.emit_reading()
        board = self.events.store.board(NAME)
        self.due = DueCases(self.agent, board, self.state)
        return self.due

    def begin(self) -> str:
        """Begin a run under the last reading."""
        project = self.state.project
        self.runs += 1
        run_id = f"run-{self.runs}"
        self.events.emit(RunStarted(run_id, NAME, 1, ALL, "asked for", reading=project.number))
        self.results = {
            case.key: CaseResult(
                case.key,
                run_id,
                NAME,
                CaseStatus.PASSED,
                assertions_run=1,
                inputs=InputsOf(project, self.agent)(case, suite),
            )
            for suite in project.suites
            for case in suite.cases
        }
        return run_id

    def finish(self, run_id: str, *keys: CaseKey) -> None:
        for key in keys:
            self.events.emit(CaseFinished(run_id, self.results[key]))

    async def save(self, name: str, cases: Collection[dict[str, object]]) -> None:
        """Save a suite and read it."""
        path = write_suite(self.root, name, tuple(cases))
        await self.state.reread_project([path])
        self.state.emit_reading()

    @property
    def keys(self) -> tuple[CaseKey, ...]:
        return tuple(case.key for case in self.due.cases)

    @property
    def shown(self) -> set[CaseKey]:
        """What the board shows as stale."""
        rows = self.events.store.board(NAME).rows.values()
        return {row.key for row in rows if row.due is not None}


@pytest.fixture
async def line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Line]:
    made = Line(make_project(tmp_path))
    monkeypatch.setattr(affected, "settled", made.compared.settled)
    await made.open()
    yield made
    await made.state.close()


@pytest.fixture
async def fresh(line: Line) -> Line:
    """All three cases have a result of the first reading."""
    await line.due.compare()
    line.finish(line.begin(), *ALL)
    line.compared.messages.clear()
    return line


async def test_what_was_asked_under_the_reading_is_not_compared_with_it_at_all(line: Line) -> None:
    run = line.begin()
    line.compared.messages.clear()
    line.finish(run, ORDER, SONG)
    await line.due.compare()
    assert (line.keys, line.compared.messages) == ((OTHER,), [])


async def test_what_was_asked_under_a_reading_before_the_first_comparison_is_compared(
    line: Line,
) -> None:
    run = line.begin()
    line.finish(run, ORDER, SONG)
    await line.save("play_music", [{**MUSIC[0], "input": {"message": "Play something else"}}])
    await line.due.compare()
    assert {*line.keys} == {OTHER, SONG}


async def test_what_never_ran_is_stale_until_its_result_comes(line: Line) -> None:
    await line.due.compare()
    assert line.stale_events[-1].cases == line.due.cases
    assert {case.key for case in line.stale_events[-1].cases} == {*ALL}
    run = line.begin()
    line.compared.messages.clear()
    line.finish(run, OTHER)
    assert line.keys == (ORDER, SONG)
    assert line.compared.messages == [], "a result of the last reading needs no comparison"


async def test_what_was_stale_at_the_opening_is_no_doing_of_a_save(line: Line) -> None:
    await line.due.compare()
    line.due.open()
    await line.save("find_order", (asking("Show order SO-9"), ORDERS[1]))
    await line.due.compare(("evals/find_order.golden.json",))
    assert line.keys == ALL
    (told,) = line.stale_events[-1].by_save or ()
    assert (told.key, told.degree, told.reasons) == (ORDER, Degree.AFFECTED, ("case changed",))
    line.finish(line.begin(), ORDER)
    assert line.due.saved == (), "it has run"


async def test_a_save_counts_only_what_it_made_due_itself(fresh: Line) -> None:
    fresh.due.open()
    await fresh.save("play_music", (MUSIC[0], MUSIC_TOO))
    await fresh.due.compare(("evals/play_music.golden.json",))
    assert [case.key.case for case in fresh.due.saved] == ["gs-play-music-002"]
    fresh.due.of_save.cases.clear()
    await fresh.save("find_order", (asking("Show order SO-9"), ORDERS[1]))
    await fresh.due.compare(("evals/find_order.golden.json",))
    assert [case.key for case in fresh.due.saved] == [ORDER]
    assert len(fresh.keys) == 2, "the other one is due all the same"


async def test_what_is_due_already_counts_where_a_save_makes_it_due_once_more(fresh: Line) -> None:
    fresh.due.open()
    for message in ("Show order SO-9", "Show order SO-10"):
        fresh.due.of_save.cases.clear()
        await fresh.save("find_order", (asking(message), ORDERS[1]))
        await fresh.due.compare(("evals/find_order.golden.json",))
        assert [case.key for case in fresh.due.saved] == [ORDER]


async def test_of_saves_in_a_row_what_each_made_due_counts(fresh: Line) -> None:
    fresh.due.open()
    await fresh.save("find_order", (asking("Show order SO-9"), ORDERS[1]))
    await fresh.due.compare(("evals/find_order.golden.json",))
    await fresh.save("play_music", (MUSIC[0], MUSIC_TOO))
    await fresh.due.compare(("evals/play_music.golden.json",))
    assert [case.key.case for case in fresh.due.saved] == [ORDER.case, "gs-play-music-002"]
    await fresh.save("find_order", ORDERS)
    await fresh.due.compare(("evals/find_order.golden.json",))
    assert [case.key.case for case in fresh.due.saved] == ["gs-play-music-002"], "taken back"


async def test_only_what_a_save_can_touch_is_compared(fresh: Line) -> None:
    await fresh.save("find_order", (asking("Show order SO-9"), ORDERS[1]))
    await fresh.due.compare(("evals/find_order.golden.json",))
    assert fresh.compared.messages == ["Show order SO-9"]
    assert fresh.keys == (ORDER,)
    assert fresh.stale_events[-1].trigger == ("evals/find_order.golden.json",)
    assert fresh.stale_events[-1].total == 3


async def test_one_reading_is_compared_once(fresh: Line) -> None:
    await fresh.save("find_order", (asking("Show order SO-9"), ORDERS[1]))
    await fresh.due.compare()
    fresh.compared.messages.clear()
    await fresh.due.compare()
    assert fresh.compared.messages == []
    assert fresh.keys == (ORDER,)


async def test_what_was_stale_before_a_save_elsewhere_stays_stale(fresh: Line) -> None:
    await fresh.save("find_order", (asking("Show order SO-9"), ORDERS[1]))
    await fresh.due.compare()
    await fresh.save("play_music", (MUSIC[0], MUSIC_TOO))
    await fresh.due.compare()
    assert [key.case for key in fresh.keys] == ["gs-find-order-001", "gs-play-music-002"]


async def test_taking_a_change_back_takes_its_mark_back(fresh: Line) -> None:
    await fresh.save("find_order", (asking("Show order SO-9"), ORDERS[1]))
    await fresh.due.compare()
    await fresh.save("find_order", ORDERS)
    await fresh.due.compare()
    assert fresh.keys == ()


async def test_a_case_that_is_gone_is_not_stale(fresh: Line) -> None:
    await fresh.save("find_order", (asking("Show order SO-9"), ORDERS[1]))
    await fresh.due.compare()
    await fresh.save("find_order", ORDERS[1:])
    await fresh.due.compare()
    assert fresh.keys == ()


async def test_a_result_that_comes_while_it_is_compared_is_not_asked_for_again(
    fresh: Line,
) -> None:
    await fresh.save("find_order", (asking("Show order SO-9"), ORDERS[1]))
    run = fresh.begin()
    fresh.compared.began.clear()
    fresh.compared.go.clear()
    comparing = asyncio.create_task(fresh.due.compare())
    assert await asyncio.to_thread(fresh.compared.began.wait, 20)
    fresh.finish(run, ORDER)
    fresh.compared.go.set()
    await comparing
    assert fresh.keys == ()


async def test_a_result_of_an_earlier_reading_counts_where_nothing_changed(fresh: Line) -> None:
    run = fresh.begin()
    await fresh.save("find_order", (asking("Show order SO-9"), ORDERS[1]))
    await fresh.due.compare()
    fresh.finish(run, OTHER, SONG)
    assert fresh.keys == (ORDER,)


async def test_a_result_of_an_earlier_reading_is_stale_where_its_case_changed(fresh: Line) -> None:
    run = fresh.begin()
    await fresh.save("find_order", (asking("Show order SO-9"), ORDERS[1]))
    await fresh.due.compare()
    fresh.finish(run, *ALL)
    assert fresh.keys == (ORDER,)
    await asyncio.sleep(0)
    assert fresh.shown == {ORDER}, "before the run is over"
    fresh.due.emit_late_ones()
    assert fresh.shown == {ORDER}
    count = len(fresh.stale_events)
    fresh.due.emit_late_ones()
    assert len(fresh.stale_events) == count


async def test_what_is_judged_by_a_rule_that_was_put_back_meanwhile_is_marked_at_once(
    fresh: Line,
) -> None:
    run = fresh.begin()
    fresh.finish(run, *ALL)
    now = fresh.due.keys
    again = RunStarted("again", NAME, 2, ALL, "judged again", is_rejudging=True)
    fresh.events.emit(again)
    for key in (ORDER, OTHER):
        kept = fresh.results[key]
        by_another = replace(kept, inputs=replace(kept.inputs, rules="of then"))
        fresh.events.emit(CaseFinished("again", by_another))
    assert not fresh.shown - now, "not before all heard of the results"
    await asyncio.sleep(0)
    assert fresh.shown == {ORDER, OTHER}
    fresh.events.emit(CaseFinished("again", fresh.results[ORDER]))
    assert fresh.shown == {OTHER}, "that came by the rule of now"


async def test_a_result_that_comes_before_its_reading_is_compared_is_looked_at_then(
    fresh: Line,
) -> None:
    run = fresh.begin()
    await fresh.save("play_music", (MUSIC[0], MUSIC_TOO))
    await fresh.due.compare()
    await fresh.save("find_order", (asking("Show order SO-9"), ORDERS[1]))
    of_before = fresh.results[OTHER]
    inputs = replace(of_before.inputs, agent="another")
    fresh.results[OTHER] = replace(of_before, inputs=inputs)
    fresh.finish(run, OTHER)
    await fresh.due.compare()
    assert {ORDER, OTHER} <= {*fresh.keys}, "though its case says the same as before"


async def test_what_another_process_brought_by_other_files_is_taken_up_once(fresh: Line) -> None:
    """Of its runs that is not known which reading they are of."""
    fresh.finish(fresh.begin(), *ALL)
    told = [fresh.due.has_unlike]
    then = fresh.results[ORDER]
    await fresh.save("find_order", (asking("Show order SO-9"), ORDERS[1]))
    await fresh.due.compare()
    fresh.events.emit(RunStarted("theirs", NAME, 2, ALL, "asked for"))
    for result in (then, fresh.results[SONG]):
        fresh.events.emit(CaseFinished("theirs", result))
    told.append(fresh.due.has_unlike)
    assert fresh.due.take_unlike() == {ORDER}, "the other one is as here"
    assert [*told, fresh.due.has_unlike] == [False, True, False]
    assert fresh.due.take_unlike() == frozenset()


async def test_results_of_another_agent_are_none_of_its(line: Line) -> None:
    await line.due.compare()
    line.begin()
    line.events.emit(RunStarted("run-x", "another", 1, ALL, "asked for", reading=1))
    line.finish("run-x", ORDER)
    assert line.keys == ALL


async def test_a_result_that_was_judged_again_is_compared_by_what_its_answer_had(
    fresh: Line,
) -> None:
    project = fresh.state.project
    started = RunStarted("again", NAME, 2, (ORDER,), "", reading=project.number, is_rejudging=True)
    fresh.events.emit(started)
    kept = fresh.results[ORDER]
    others = replace(kept, inputs=replace(kept.inputs, registry="of then", all_tools="of then"))
    fresh.events.emit(CaseFinished("again", others))
    assert fresh.keys == (ORDER,)


async def test_a_successor_that_was_answered_before_it_compared_is_not_due(fresh: Line) -> None:
    await fresh.save("find_order", (asking("Show order SO-9"), ORDERS[1]))
    await fresh.due.compare()
    assert ORDER in fresh.due
    before, after = fresh.due, await fresh_due(fresh)
    after.succeed(before)
    assert ORDER in after
    fresh.finish(fresh.begin(), ORDER)
    await after.compare()
    assert ORDER not in after


async def fresh_due(line: Line) -> DueCases:
    """Of an agent that takes the place of the one before."""
    line.due.close()
    return DueCases(line.agent, line.events.store.board(NAME), line.state)


async def test_what_waited_for_other_cases_is_due_once_those_pass(fresh: Line) -> None:
    assert not fresh.due.emit_late_ones(), "nothing came late"
    fresh.due.open()
    for key, by_save in ((SONG, True), (ORDER, False)):
        fresh.due.release([key], by_save=by_save)
        assert fresh.due.emit_late_ones()
    assert fresh.keys == (ORDER, SONG)
    assert [case.key for case in fresh.due.saved] == [SONG]
    fresh.due.release([SONG], by_save=True)
    assert not fresh.due.emit_late_ones(), "it is due already"


async def test_what_is_left_to_another_process_is_kept_for_who_takes_over(fresh: Line) -> None:
    fresh.due.open()
    fresh.due.release([SONG], by_save=True)
    fresh.due.of_save.begin(leaves=True)
    assert (fresh.due.saved, {*fresh.due.of_save.left}) == ((), {SONG})
    fresh.due.release([ORDER], by_save=True)
    fresh.due.of_save.take_up_left()
    assert ([case.key for case in fresh.due.saved], fresh.due.of_save.left) == ([ORDER, SONG], {})
    fresh.due.of_save.begin()
    assert (fresh.due.saved, fresh.due.of_save.left) == ((), {})
