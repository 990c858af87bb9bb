"""A change during a run of a slow agent, and what limits of money leave behind."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from threading import Event as Signal
from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import pytest

from evaltui.core.agent import Agent, AgentRequest
from evaltui.core.asked import AgentTraits
from evaltui.core.case import CaseKey
from evaltui.core.config import AgentProfile, Config
from evaltui.core.events import CaseFinished, RunEnd, RunFinished
from evaltui.core.response import AgentResponse
from evaltui.session import Session
from evaltui.session.agent_queue import AgentQueue
from evaltui.session.baselines import Baselines
from evaltui.session.configured_agent import ConfiguredAgent
from evaltui.session.event_bus import EventBus
from evaltui.session.judge_in_force import JudgeInForce
from evaltui.session.judges import Judges
from evaltui.session.money.spending import Cause, Spending
from evaltui.session.project_state import ProjectState
from evaltui.session.running.run_request import RunRequest
from evaltui.session.undo import UndoStack
from evaltui.store.store import Store
from tests.projects import case, make_project, write_suite
from tests.session.test_session import Ear, all_keys, opened, written_by
from tests.session.test_two_dashboards import until
from tests.test_robustness.agent_server import agent_server

if TYPE_CHECKING:
    from evaltui.session.running.run import Run

COUNT = 8


def write_cases(root: Path, **messages: str) -> None:
    """Cases `c0` … `c7`; `messages` replaces some of theirs."""
    cases = [
        case(f"c{n}", messages.get(f"c{n}", f"Look up order SO-{n}"), "find_order")
        for n in range(COUNT)
    ]
    for one in cases:
        del one["stubs"]
    write_suite(root, "find_order", cases)


@asynccontextmanager
async def running(root: Path) -> AsyncIterator[tuple[Session, Ear]]:
    """Watching, in the middle of a run of all cases by an agent that takes 60 ms each."""
    make_project(root)
    (root / "evals" / "play_music.golden.json").unlink()
    write_cases(root)
    with agent_server(0.06) as url:
        async with opened(root, agent=[url]) as (session, ear):
            watching = asyncio.create_task(session.watch())
            session.requests.rerun(all_keys(session))
            await ear.until(lambda: len(ear.all(CaseFinished)) >= 2)
            yield session, ear
            await session.close()
            await watching


def finished_in(ear: Ear, run_id: str) -> set[str]:
    return {
        event.result.key.case
        for event in ear.heard
        if isinstance(event, CaseFinished) and event.run_id == run_id
    }


async def test_a_change_to_a_waiting_case_supersedes_the_run_and_the_rest_follows(
    tmp_path: Path,
) -> None:
    async with running(tmp_path) as (session, ear):
        write_cases(tmp_path, c7="Look up order SO-77")
        await ear.until(lambda: len(ear.runs()) == 3)
        first, second, third = ear.runs()
        assert first.end is RunEnd.SUPERSEDED
        assert {second.end, third.end} == {RunEnd.COMPLETED}
        kept, rest = finished_in(ear, first.run_id), finished_in(ear, third.run_id)
        assert len(kept) >= 2
        assert finished_in(ear, second.run_id) == {"c7"}, "what was saved comes first"
        assert kept | rest | {"c7"} == {f"c{n}" for n in range(COUNT)}
        assert not kept & rest, "what had finished and did not change is not asked again"
        await ear.until(lambda: session.requests.due_keys(session.agents[0]) == ())
        carried = {one["id"] for one in written_by(third)["cases"] if one.get("carriedFrom")}
        assert carried == kept | {"c7"}


async def test_a_change_to_a_finished_case_runs_it_again(tmp_path: Path) -> None:
    async with running(tmp_path) as (_, ear):
        write_cases(tmp_path, c0="Look up order SO-100")
        await ear.until(lambda: len(ear.runs()) == 2)
        first, second = ear.runs()
        assert first.end is RunEnd.SUPERSEDED
        assert "c0" in finished_in(ear, first.run_id) & finished_in(ear, second.run_id)


async def test_a_change_that_touches_no_case_leaves_the_run_alone(tmp_path: Path) -> None:
    async with running(tmp_path) as (_, ear):
        path = tmp_path / "tools.json"
        path.write_text(json.dumps(json.loads(path.read_text())))  # no line breaks any more
        await ear.until(lambda: bool(ear.runs()))
        (only,) = ear.runs()
        assert only.end is RunEnd.COMPLETED
        assert len(finished_in(ear, only.run_id)) == COUNT


async def test_cancelling_forgets_the_queue_and_leaves_the_rest_stale(tmp_path: Path) -> None:
    async with running(tmp_path) as (session, ear):
        session.requests.rerun(all_keys(session))
        session.requests.cancel()
        (agent,) = session.agents
        await ear.until(lambda: bool(ear.runs()))
        await ear.until(lambda: len(session.requests.due_keys(agent)) < COUNT)
        (only,) = ear.runs()
        assert only.end is RunEnd.CANCELLED
        done = {
            CaseKey("evals/find_order.golden.json", id_) for id_ in finished_in(ear, only.run_id)
        }
        assert set(session.requests.due_keys(agent)) == set(all_keys(session)) - done
        assert len(ear.started()) == 1


class HeldAgent(Agent):
    """Answers a message once it is let go; `stubborn` ones are answered when they are stopped."""

    name = "held"
    fingerprint = "0" * 12
    traits = AgentTraits(is_free=True)

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.stubborn: set[str] = set()
        self.let_go: set[str] = set()
        self._news = asyncio.Condition()

    async def respond(self, request: AgentRequest) -> AgentResponse:
        async with self._news:
            self.asked.append(request.message)
            self._news.notify_all()
            try:
                await self._news.wait_for(lambda: request.message in self.let_go)
            except asyncio.CancelledError:
                if request.message not in self.stubborn:
                    raise
        return AgentResponse(request.message)

    async def go_on(self, *messages: str) -> None:
        async with self._news:
            self.let_go.update(messages)
            self._news.notify_all()

    async def until_asked(self, message: str) -> None:
        async with asyncio.timeout(20), self._news:
            await self._news.wait_for(lambda: message in self.asked)


class Queued:
    """One agent's queue in a real project of the cases `c0` … that send `m0` …."""

    def __init__(self, root: Path, count: int) -> None:
        self.root = root
        self.messages = [f"m{number}" for number in range(count)]
        self.expected: dict[int, str] = {}
        """What the answer to a case has to contain, where anything."""
        self.events = EventBus(Store())
        self.agent = HeldAgent()
        self.ear = Ear()
        self.events.add_sink(self.ear)
        self.state = ProjectState(Config(root), {}, (), self.events)

    async def open(self) -> None:
        self._write()
        await self.state.open()
        self.state.emit_reading()
        baselines = Baselines(self.state, UndoStack())
        configured = ConfiguredAgent(self.agent, AgentProfile(), "off", "")
        judge = JudgeInForce(self.state)
        spending = Spending(self.state, judge)
        judges = Judges(self.state, judge, spending)
        self.queue = AgentQueue(configured, self.state, spending, baselines, judges)
        await self.queue.load_history()

    def run(self) -> None:
        """Ask for all cases by hand."""
        keys = (case.key for case in self.state.project.suites[0].cases)
        self.queue.enqueue(RunRequest(dict.fromkeys(keys), "by hand"))

    async def change(
        self, number: int, message: str, file: str = "evals/find_order.golden.json"
    ) -> None:
        """Have a case send something else, and react to the save, told as one of that file."""
        self.messages[number] = message
        await self.read(file)
        await self.compare(file)
        self.queue.run_due(Cause.SAVED, (file,))

    async def read(self, file: str = "evals/find_order.golden.json") -> None:
        """Save the messages as they are and have them read, told as a save of that file."""
        self._write()
        await self.state.reread_project([self.root / "evals/find_order.golden.json"])
        self.state.emit_reading((file,))
        self.queue.begin_save()

    async def compare(self, file: str = "evals/find_order.golden.json") -> None:
        """Mark what the last reading makes due."""
        await self.queue.due.compare((file,))

    def cases_of(self, index: int) -> list[str]:
        """The cases of the run with that index."""
        return [key.case for key in self.ear.started()[index].cases]

    def _write(self) -> None:
        cases = [case(f"c{n}", text, "find_order") for n, text in enumerate(self.messages)]
        for number, text in self.expected.items():
            cases[number]["expect"]["responseContains"] = [text]
        write_suite(self.root, "find_order", cases)


@asynccontextmanager
async def queued(root: Path, count: int) -> AsyncIterator[Queued]:
    made = Queued(root, count)
    await made.open()
    try:
        yield made
    finally:
        await made.queue.close()
        await made.state.close()


async def test_what_finishes_while_its_run_is_stopped_is_not_asked_again(tmp_path: Path) -> None:
    async with queued(tmp_path, 2) as line:
        line.agent.stubborn.add("m1")
        line.run()
        await line.agent.go_on("m0", "other")
        await line.agent.until_asked("m1")
        await line.change(0, "other")
        await line.ear.until(lambda: len(line.ear.runs()) == 2)
        assert [run.end for run in line.ear.runs()] == [RunEnd.SUPERSEDED, RunEnd.COMPLETED]
        assert line.cases_of(1) == ["c0"]
    assert line.agent.asked == ["m0", "m1", "other"]


async def test_what_was_asked_for_by_hand_is_run_though_nothing_changed_it(tmp_path: Path) -> None:
    async with queued(tmp_path, 3) as line:
        await line.agent.go_on("m0", "m1", "m2")
        line.run()
        await line.ear.until(lambda: bool(line.ear.runs()))
        line.agent.let_go.remove("m0")
        line.agent.asked.clear()
        line.run()
        await line.agent.until_asked("m0")
        await line.change(2, "other")
        await line.agent.go_on("m0", "other")
        await line.ear.until(lambda: len(line.ear.runs()) == 4)
        assert line.ear.runs()[1].end is RunEnd.SUPERSEDED
        assert [line.cases_of(2), line.cases_of(3)] == [["c2"], ["c0", "c1"]]


async def test_cancelling_a_run_that_is_being_superseded_forgets_what_would_follow(
    tmp_path: Path,
) -> None:
    async with queued(tmp_path, 2) as line:
        line.run()
        await line.agent.until_asked("m0")
        await line.change(0, "other")
        line.queue.cancel()
        line.run()
        await line.ear.until(lambda: len(line.ear.started()) == 2)
    assert [run.reason for run in line.ear.started()] == ["by hand", "by hand"]


async def test_a_save_during_repeats_runs_as_often_as_the_settings_say(tmp_path: Path) -> None:
    async with queued(tmp_path, 2) as line:
        first, _ = (case.key for case in line.state.project.suites[0].cases)
        await line.agent.go_on("other")
        line.queue.enqueue(RunRequest({first: None}, "10 times", trials=10))
        await line.agent.until_asked("m0")
        await line.change(1, "other")
        await line.agent.go_on("m0")
        await line.ear.until(lambda: len(line.ear.runs()) == 3)
        told = [([key.case for key in run.cases], run.trials) for run in line.ear.started()]
        assert told == [(["c0"], 10), (["c1"], 1), (["c0"], 10)]


async def test_an_answer_that_a_save_overtook_waits_for_the_run_of_that_save(
    tmp_path: Path,
) -> None:
    """That is not run in the name of the save before it."""
    async with queued(tmp_path, 2) as line:
        line.queue.run_due(Cause.OPENED)
        await line.agent.go_on("m0", "m1", "other")
        await line.ear.until(lambda: len(line.ear.runs()) == 1)
        await line.change(0, "other", "first")
        await line.ear.until(lambda: len(line.ear.runs()) == 2)
        line.agent.let_go.remove("m1")
        line.agent.asked.clear()
        line.run()
        await line.agent.until_asked("m1")
        line.messages[1] = "another"
        await line.read("second")
        await line.compare("second")
        await line.agent.go_on("m1", "another")
        await line.ear.until(lambda: len(line.ear.runs()) == 3)
        await until(lambda: line.queue.run is None)
        assert not line.queue.is_busy
        line.queue.run_due(Cause.SAVED, ("second",))
        await line.ear.until(lambda: len(line.ear.runs()) == 4)
    assert [run.trigger for run in line.ear.started()] == [(), ("first",), (), ("second",)]


async def test_an_answer_that_comes_after_the_save_of_its_expectation_is_judged_by_that(
    tmp_path: Path,
) -> None:
    """It is waited for, and is not asked for again."""
    file = "evals/find_order.golden.json"
    async with queued(tmp_path, 2) as line:
        await line.agent.go_on("m0")
        line.run()
        await line.agent.until_asked("m1")
        line.expected[1] = "18"
        await line.read()
        await line.compare()
        line.queue.run_due(Cause.SAVED, (file,))
        await line.agent.go_on("m1")
        await line.ear.until(lambda: len(line.ear.runs()) == 1)
        await until(lambda: not line.queue.is_busy)
        asked, judged = line.ear.started()
        assert (asked.is_rejudging, judged.is_rejudging) == (False, True)
        assert (judged.trigger, line.cases_of(1)) == ((file,), ["c1"])
        assert sorted(line.agent.asked) == ["m0", "m1"]
        assert line.queue.due.keys == set()


async def test_what_was_saved_runs_first_and_what_was_begun_goes_on_as_its_rest(
    tmp_path: Path,
) -> None:
    async with queued(tmp_path, 4) as line:
        line.agent.stubborn.clear()
        line.queue.run_due(Cause.OPENED)
        await line.agent.go_on("m0", "other", "m1", "m3")
        await line.agent.until_asked("m1")
        await line.change(2, "other")
        await line.ear.until(lambda: len(line.ear.runs()) == 3)
        opened, saved, rest = line.ear.started()
        told = [(one.reason, one.trigger, one.is_rest) for one in (saved, rest)]
        trigger = ("evals/find_order.golden.json",)
        assert told == [("c2 message", trigger, False), ("never run", (), True)]
        assert line.cases_of(1) == ["c2"]
        assert saved.left == rest.cases, "so that `--resume` knows of them"
        assert set(line.cases_of(2)) | {"c2"} <= {key.case for key in opened.cases}
        board = line.events.store.board("held")
        assert board.counts.all.ran == 1
        assert board.headline.save is not None and board.headline.save.trigger == trigger
        assert [sum(run.changes.counts.values()) for run in line.ear.runs()[1:]] == [
            1,
            len(rest.cases),
        ]
        assert all(row.result is not None for row in board.rows.values())


async def test_an_opening_that_is_told_after_a_save_is_not_that_save(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was being prepared when the save came."""
    async with queued(tmp_path, 2) as line:
        history, is_saved = line.state.record.history, Signal()
        next_number = history.next_number
        monkeypatch.setattr(history, "next_number", lambda: is_saved.wait(20) and next_number())
        line.queue.run_due(Cause.OPENED)
        await asyncio.sleep(0)
        assert line.queue.run is not None and not line.ear.started()
        await line.change(1, "other")
        is_saved.set()
        await line.agent.go_on("m0", "other")
        await line.ear.until(lambda: all(row.result for row in line.queue.board.rows.values()))
        assert line.queue.board.headline.save is not None
        assert line.queue.board.headline.save.trigger == ("evals/find_order.golden.json",)
        assert line.queue.board.counts.all.ran == 1


async def test_saves_in_a_row_are_one_run_before_the_rest(tmp_path: Path) -> None:
    async with queued(tmp_path, 5) as line:
        line.queue.run_due(Cause.OPENED)
        await line.agent.until_asked("m0")
        await line.change(3, "three")
        await line.agent.until_asked("three")
        await line.change(4, "four")
        await line.agent.go_on("m0", "m1", "m2", "three", "four")
        await line.ear.until(lambda: len(line.ear.runs()) == 4)
        runs = line.ear.started()
        assert [run.is_rest for run in runs] == [False, False, False, True]
        assert [{*line.cases_of(number)} for number in (1, 2, 3)] == [
            {"c3"},
            {"c3", "c4"},
            {"c0", "c1", "c2"},
        ]
        assert line.events.store.board("held").counts.all.ran == 2


async def test_a_run_that_goes_on_with_another_save_names_the_files_of_both(
    tmp_path: Path,
) -> None:
    async with queued(tmp_path, 3) as line:
        line.run()
        await line.agent.go_on("m0", "m1", "m2")
        await line.ear.until(lambda: bool(line.ear.runs()))
        await line.change(1, "one", "a.json")
        await line.agent.until_asked("one")
        await line.change(2, "two", "b.json")
        await line.agent.go_on("one", "two")
        await line.ear.until(lambda: len(line.ear.runs()) == 3)
        _, first, both = line.ear.started()
        assert (first.trigger, both.trigger) == (("a.json",), ("a.json", "b.json"))
        assert {*line.cases_of(2)} == {"c1", "c2"}
        board = line.queue.board
        assert board.headline.save is not None and board.headline.save.trigger == both.trigger


async def test_a_save_leaves_alone_what_was_due_before_it(tmp_path: Path) -> None:
    """As what another process left due, or what was cancelled."""
    async with queued(tmp_path, 3) as line:
        line.queue.run_due(Cause.OPENED)
        await line.agent.until_asked("m0")
        line.queue.cancel()
        await line.ear.until(lambda: bool(line.ear.runs()))
        await line.agent.go_on("other")
        await line.change(2, "other")
        await line.ear.until(lambda: len(line.ear.runs()) == 2)
        assert line.cases_of(1) == ["c2"]
        assert {case.key.case for case in line.queue.due.cases} == {"c0", "c1"}
        board = line.events.store.board("held")
        assert board.counts.all.ran == 1
        assert board.headline.reach is not None and (
            board.headline.reach.affected,
            board.headline.reach.total,
        ) == (1, 3)


async def test_what_is_held_is_told_after_a_run_that_was_not_to_ask_for_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def executed(_eta_s: float | None) -> RunFinished:
        return RunFinished("r", "held", RunEnd.COMPLETED, 1.0)

    async with queued(tmp_path, 1) as line:
        told: list[frozenset[CaseKey]] = []
        monkeypatch.setattr(line.queue._wanted.held, "end_run", told.append)
        (key,) = line.queue.board.rows
        for held, asks_judge in (((), True), ((key,), True), ((), False)):
            request = RunRequest({key: None}, "why", is_rejudging=True, asks_judge=asks_judge)
            run = SimpleNamespace(request=request, pending={}, held=frozenset(held), lost=set())
            run.end, run.execute = RunEnd.COMPLETED, executed
            await line.queue._execute(cast("Run", run))
        assert told == [{key}, set()]
