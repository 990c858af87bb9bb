"""A copy of the sample evals that a test edits as a person would, and the dashboard over it."""

import asyncio
import json
import os
import shutil
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from evaltui.core.case import CaseKey
from evaltui.core.events import (
    CaseFinished,
    Event,
    ProjectChecked,
    ProjectRead,
    RunFinished,
    RunStarted,
)
from evaltui.core.sink import Sink
from evaltui.core.watch_state import WatchState
from evaltui.session import Session
from evaltui.settings.load import load_config
from evaltui.store.board import Board
from evaltui.store.row import Row
from tests.driver import Driver, driving

SAMPLES = Path(__file__).resolve().parent.parent / "sample_evals"
LIMIT_S = 30.0
FIND_ORDER = "evals/find_order.golden.json"
FIND_ORDER_TOOL = "tools/shop/find-order.tool.ts"


def copy_samples(root: Path) -> Path:
    """The samples in `root`, saved long ago: nothing counts as saved just before the start."""
    shutil.copytree(SAMPLES, root, ignore=shutil.ignore_patterns(".evaltui", "results"))
    past = time.time() - 3600
    for path in root.rglob("*"):
        os.utime(path, (past, past))
    return root


class Ear(Sink):
    """What happened since the last `forget`."""

    def __init__(self) -> None:
        self.heard: list[Event] = []
        self.ever: list[Event] = []
        """What happened since the start, whatever was forgotten."""

    def handle(self, event: Event) -> None:
        self.heard.append(event)
        self.ever.append(event)

    def forget(self) -> None:
        self.heard.clear()

    @property
    def started(self) -> list[RunStarted]:
        return [event for event in self.heard if isinstance(event, RunStarted)]

    @property
    def ended(self) -> list[RunFinished]:
        return [event for event in self.heard if isinstance(event, RunFinished)]

    @property
    def finished(self) -> list[CaseKey]:
        return [event.result.key for event in self.heard if isinstance(event, CaseFinished)]


class Line:
    """The whole line: files on one end, the screen on the other."""

    def __init__(self, root: Path, session: Session, driver: Driver, ear: Ear) -> None:
        self.root, self.session, self.driver, self.ear = root, session, driver, ear

    @property
    def board(self) -> Board:
        return self.session.store.board(self.session.agents[0])

    def row(self, case: str) -> Row:
        return next(row for row in self.board.rows.values() if row.key.case == case)

    def read(self, file: str) -> str:
        return (self.root / file).read_text(encoding="utf-8")

    def save(self, file: str, text: str) -> None:
        (self.root / file).write_text(text, encoding="utf-8")

    def edit(self, file: str, before: str, after: str) -> None:
        """Replace a text that the file holds, and save."""
        text = self.read(file)
        assert before in text
        self.save(file, text.replace(before, after))

    async def until(self, condition: Callable[[], bool]) -> None:
        """Wait for it; fails with the whole screen."""
        try:
            async with asyncio.timeout(LIMIT_S):
                while not condition():  # noqa: ASYNC110 - the screen tells nobody when it is painted
                    await asyncio.sleep(0.02)
        except TimeoutError:
            raise AssertionError(f"it never happened:\n{self.driver.text}") from None
        await self.driver.settle()

    async def shows(self, *texts: str) -> None:
        """Wait until the screen shows all of them."""
        await self.until(lambda: all(text in self.driver.text for text in texts))

    async def row_shows(self, case: str, text: str) -> None:
        await self.until(lambda: text in self.driver.row(case))

    async def runs(self, count: int = 1) -> tuple[RunStarted, ...]:
        """Wait until as many runs have ended and nothing more is under way."""
        await self.until(
            lambda: len(self.ear.ended) >= count and len(self.ear.ended) == len(self.ear.started)
        )
        return tuple(self.ear.started)

    async def reread(self) -> None:
        """Wait until saves made before this have been seen: a case of its own arrives and goes."""
        marker = self.root / "evals" / "zz_marker.golden.json"
        case = {"id": "gs-marker-001", "input": {"message": f"x {time.time_ns()}"}, "expect": {}}
        marker.write_text(json.dumps({"cases": [case]}), encoding="utf-8")
        await self.until(lambda: any(key.case == "gs-marker-001" for key in self.ear.finished))
        marker.unlink()
        await self.until(lambda: all(key.case != "gs-marker-001" for key in self.board.rows))

    async def looked_into(self) -> None:
        """Wait until what was read last was looked at closely."""

        def is_looked_into() -> bool:
            kinds = (ProjectRead, ProjectChecked)
            last = next(one for one in reversed(self.ear.ever) if isinstance(one, kinds))
            return isinstance(last, ProjectChecked)

        await self.until(is_looked_into)

    def runs_of(self, file: str) -> list[RunStarted]:
        """Runs so far that a change of the file led to."""
        return [run for run in self.ear.started if file in run.trigger]


@asynccontextmanager
async def at_the_line(
    root: Path, *, is_first: bool = True, **overrides: Any
) -> AsyncIterator[Line]:
    """The dashboard on the project in `root`, after its first run; when it `is_first` no more,
    there may be nothing to run, and it begins as soon as it watches."""
    read = load_config(root, overrides)
    session = Session(read.config, overrides=overrides, problems=read.problems)
    ear = Ear()
    session.add_sink(ear)
    async with driving(session, is_alone=False) as driver:
        line = Line(root, session, driver, ear)
        if is_first:
            await line.until(lambda: len(ear.ended) == len(session.agents) > 0)
        else:
            await line.until(lambda: session.state is WatchState.WATCHING)
        ear.forget()
        yield line
