"""Who runs for a save, where another process may: each save once, whoever leaves meanwhile."""

import asyncio
from collections.abc import Callable
from typing import cast

import pytest

from evaltui.core.events import RunEnd, RunFinished, RunStarted
from evaltui.core.watch_state import WatchState
from evaltui.session.agent_queues import AgentQueues
from evaltui.session.money.spending import Cause
from evaltui.session.project_state import ProjectState
from evaltui.session.watch_loop import WatchLoop
from evaltui.session.who_runs import WhoRuns
from tests.session.test_when_saves_run import FILE, Project, Saves, VirtualLoop

BEGUN = RunStarted("run-x", "agent", 1, (), "changed", (str(FILE),))
BY_HAND = RunStarted("run-y", "agent", 1, (), "asked for")
SAVED = (Cause.SAVED, (str(FILE),))
OPENED = (Cause.OPENED, ())


def ended(run_id: str, end: RunEnd) -> RunFinished:
    return RunFinished(run_id, "agent", end, 1.0)


class Shared(Project):
    """A project in which this process runs, or another one."""

    def __init__(self, *, is_runner: bool) -> None:
        super().__init__(reading_s=0.0, debounce_ms=50)
        self._is_runner = is_runner
        self.asked: list[tuple[Cause, tuple[str, ...]]] = []
        self.events.emit = lambda _: None

    def claim(self) -> bool:
        return self._is_runner

    def run_due(self, cause: Cause, trigger: object) -> None:
        self.asked.append((cause, cast("tuple[str, ...]", trigger)))


Act = Callable[[WatchLoop], None]


@pytest.fixture
def asked_after(monkeypatch: pytest.MonkeyPatch) -> "AskedAfter":
    return AskedAfter(monkeypatch)


class AskedAfter:
    """What queues are asked to run, and for which files."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._monkeypatch = monkeypatch

    def __call__(
        self, *acts: Act, saves: tuple[float, ...] = (1.0,), is_runner: bool = False
    ) -> list[tuple[Cause, tuple[str, ...]]]:
        """The acts come two seconds after the start, when the saves have been looked into."""
        watcher = Saves(*((at, at) for at in saves))
        self._monkeypatch.setattr("evaltui.watch.Watcher", lambda *_: watcher)
        project = Shared(is_runner=is_runner)
        loop = WatchLoop(
            cast("ProjectState", project), cast("AgentQueues", project), cast("WhoRuns", project)
        )

        async def follow() -> None:
            following = asyncio.create_task(loop.follow())
            await asyncio.sleep(2.0)
            for act in acts:
                act(loop)
            await following

        with asyncio.Runner(loop_factory=VirtualLoop) as runner:
            runner.run(follow())
        return project.asked


def test_who_runs_here_runs_what_is_due_at_the_start_and_what_is_saved(
    asked_after: AskedAfter,
) -> None:
    assert asked_after(is_runner=True) == [OPENED, SAVED]
    assert asked_after(saves=(), is_runner=True) == [OPENED]


def test_who_follows_runs_nothing(asked_after: AskedAfter) -> None:
    assert asked_after() == []
    assert asked_after(WatchLoop.pause, WatchLoop.resume) == []


def test_who_takes_over_runs_what_was_saved_and_nobody_ran(asked_after: AskedAfter) -> None:
    assert asked_after(WatchLoop.take_over, WatchLoop.take_over) == [SAVED]
    assert asked_after(WatchLoop.take_over, saves=()) == [OPENED]


def test_a_save_that_another_process_runs_for_is_done_unless_its_run_is_lost(
    asked_after: AskedAfter,
) -> None:
    def hear(*events: RunStarted | RunFinished) -> Act:
        def act(loop: WatchLoop) -> None:
            for event in events:
                loop.hear_other(event)

        return act

    take = WatchLoop.take_over
    done, lost = ended("run-x", RunEnd.COMPLETED), ended("run-x", RunEnd.LOST)
    assert asked_after(hear(BEGUN, done), take) == [OPENED]
    assert asked_after(hear(BEGUN, lost), take) == [SAVED]
    assert asked_after(hear(BEGUN, done, lost), take) == [OPENED], "it is told of once"
    assert asked_after(hear(BY_HAND, ended("run-y", RunEnd.LOST)), take) == [SAVED]
    assert asked_after(hear(BY_HAND, ended("run-y", RunEnd.LOST)), take, saves=()) == [OPENED]


def test_resuming_without_a_save_runs_no_more_than_an_opening(asked_after: AskedAfter) -> None:
    def check(loop: WatchLoop) -> None:
        assert loop.state is WatchState.WATCHING

    pause, resume = WatchLoop.pause, WatchLoop.resume
    assert asked_after(check, pause, resume, is_runner=True) == [OPENED, SAVED, OPENED]


def test_after_the_end_nothing_runs_for_what_was_seen(asked_after: AskedAfter) -> None:
    assert asked_after(WatchLoop.stop, saves=(1.99,), is_runner=True) == [OPENED]
