"""When saves make a run, by a clock that nobody has to wait for."""

import asyncio
import selectors
from collections.abc import AsyncIterator
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from evaltui.core.config import Config, WatchConfig
from evaltui.session.agent_queues import AgentQueues
from evaltui.session.money.spending import Cause
from evaltui.session.project_state import ProjectState
from evaltui.session.watch_loop import WatchLoop
from evaltui.session.who_runs import WhoRuns

FILE = Path("evals/a.golden.json")
LONG_S = 100.0


class Clock(selectors.SelectSelector):
    """Time passes as soon as everybody waits for it."""

    now = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        self.now += timeout or 0.0
        return super().select(0)


class VirtualLoop(asyncio.SelectorEventLoop):
    def __init__(self) -> None:
        self._virtual = Clock()
        super().__init__(self._virtual)

    def time(self) -> float:
        return self._virtual.now


class Saves:
    """Takes the part of the watcher: each save is heard of at one time and told at another."""

    def __init__(self, *saves: tuple[float, float]) -> None:
        self._saves = saves
        self._told = 0

    @property
    def has_news(self) -> bool:
        now = asyncio.get_running_loop().time()
        return any(heard <= now for heard, _ in self._saves[self._told :])

    def update(self, _: object) -> None:
        """It is the same file all the time."""

    def stop(self) -> None:
        """It ends by itself."""

    async def changes(self) -> AsyncIterator[frozenset[Path]]:
        for _, told in self._saves:
            await asyncio.sleep(told - asyncio.get_running_loop().time())
            self._told += 1
            yield frozenset({FILE})
        await asyncio.sleep(LONG_S)


class Project:
    """Takes the part of everything that a save goes through; each changes something."""

    def __init__(self, *, reading_s: float, debounce_ms: int) -> None:
        self._reading_s = reading_s
        self.config = Config(Path(), watch=WatchConfig(debounce_ms=debounce_ms))
        self.events = SimpleNamespace(report=lambda _: None)
        self.settings = SimpleNamespace(reread=self.reread_settings, problems=())
        self.unusable = ""
        self.project = SimpleNamespace(
            reader=SimpleNamespace(),
            registry=SimpleNamespace(files={}, all_files=()),
            files={FILE: None},
            files_watched=frozenset({FILE}),
            root=Path(),
            problems=(),
            changed_since=lambda _: (str(FILE),),
            shown=str,
        )
        self.runs: list[float] = []
        self.watched: frozenset[Path] = frozenset()
        self.has_unlike = self.has_run_saved = False
        self.of_save = SimpleNamespace(left={}, take_up_left=lambda: None)
        self.by_name = {
            "agent": SimpleNamespace(
                due=self,
                run_due=self.run_due,
                run_unlike=lambda: None,
                begin_save=self.begin_save,
            )
        }

    def warm_up(self) -> None:
        """There is no evaluator."""

    def concerned_by(self, _: object) -> set[Path]:
        return set()

    async def reread_settings(self, _: object) -> bool:
        return False

    async def reread_project(self, _: object) -> SimpleNamespace:
        await asyncio.sleep(self._reading_s)
        return self.project

    def emit_reading(self, _: object) -> None:
        """Nobody listens."""

    def begin_save(self, *, goes_on: bool, leaves: bool) -> None:
        """No save is told from another."""

    async def follow_history(self) -> None:
        """There is none."""

    async def compare(self, _: object) -> None:
        """Everything is due."""

    def claim(self) -> bool:
        return True

    def run_due(self, cause: Cause, _: object) -> None:
        if cause is Cause.SAVED:
            self.runs.append(round(asyncio.get_running_loop().time(), 3))


@pytest.fixture
def runs_of(monkeypatch: pytest.MonkeyPatch) -> "RunsOf":
    return RunsOf(monkeypatch)


class RunsOf:
    """At what times, in seconds, these saves make runs."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._monkeypatch = monkeypatch

    def __call__(
        self,
        *saves: float | tuple[float, float],
        debounce_ms: int = WatchConfig().debounce_ms,
        reading_s: float = 0.0,
        is_paused: bool = False,
    ) -> list[float]:
        """`saves`: when each is heard of and, if that is later, told."""
        watcher = Saves(*(one if isinstance(one, tuple) else (one, one) for one in saves))
        self._monkeypatch.setattr("evaltui.watch.Watcher", lambda *_: watcher)
        project = Project(reading_s=reading_s, debounce_ms=debounce_ms)
        loop = WatchLoop(
            cast("ProjectState", project), cast("AgentQueues", project), cast("WhoRuns", project)
        )

        async def follow() -> None:
            following = asyncio.create_task(loop.follow())
            await asyncio.sleep(0)
            if is_paused:
                project.events.emit = lambda _: None
                loop.pause()
            await following

        with asyncio.Runner(loop_factory=VirtualLoop) as runner:
            runner.run(follow())
        return project.runs


def test_a_save_runs_as_soon_as_it_has_been_quiet(runs_of: RunsOf) -> None:
    assert runs_of(1.0) == [1.05]


def test_saves_in_a_row_make_one_run_after_the_last(runs_of: RunsOf) -> None:
    assert runs_of(1.0, 1.04, 1.08) == [1.13]
    assert runs_of(1.0, 1.06) == [1.05, 1.11]


def test_the_setting_says_which_saves_count_as_one(runs_of: RunsOf) -> None:
    assert runs_of(1.0, 1.3, 1.6, debounce_ms=2000) == [3.6]
    assert runs_of(1.0, 1.3, 1.6, debounce_ms=200) == [1.2, 1.5, 1.8]


def test_the_time_that_reading_takes_counts(runs_of: RunsOf) -> None:
    assert runs_of(1.0, reading_s=0.03) == [1.05]
    (late,) = runs_of(1.0, reading_s=0.5)
    assert 1.5 < late < 1.55, "a moment for what was heard of meanwhile"


def test_what_was_heard_of_and_not_told_yet_is_waited_for(runs_of: RunsOf) -> None:
    assert runs_of(1.0, (1.04, 1.4)) == [1.45]


def test_paused_it_is_never_quiet_enough(runs_of: RunsOf) -> None:
    assert runs_of(1.0, 2.0, is_paused=True) == []
