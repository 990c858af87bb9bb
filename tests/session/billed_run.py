"""A run in a process of its own, which ends at some request as by Ctrl+C or by `kill -9`."""

import asyncio
import os
import signal
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import ClassVar

from msgspec import Struct
from pydantic import Field

from evaltui.agents import AGENTS, AgentType
from evaltui.agents.profiles.options import AgentOptions
from evaltui.agents.profiles.reading import read_profile
from evaltui.agents.tool_loop import ToolLoop
from evaltui.cli.resume import resume
from evaltui.core.agent import Agent
from evaltui.core.asked import AgentTraits
from evaltui.core.errors import AgentError, UserError
from evaltui.core.json_value import Json
from evaltui.core.model import Model, ModelReply, ModelRequest
from evaltui.core.permit import Grant
from evaltui.core.response import ToolCall, Usage
from evaltui.session import Session
from evaltui.session.money import budgets
from evaltui.settings.load import load_config
from tests.session.bill import BillOnDisk, Noting, held_usd

NOTHING_LEFT = 3
"""Exit code where there was nothing to go on with."""


class BilledRun(Struct, frozen=True):
    root: Path
    bill: Path
    seed: int
    most_usd: float
    """No answer costs more."""
    tells: bool
    """Whether it is known before an answer came."""
    resumes: bool
    dies_at: int
    """The request at which it ends; 0: it comes to its end."""
    is_killed: bool = False


class BilledProfile(AgentOptions):
    is_billed: bool = Field(True, description="whether its answers cost anything")

    def grants(self, root: Path, by: str) -> Iterator[Grant]:  # noqa: ARG002
        yield from ()


class Billed(Model):
    """Answers, or not, as chance will have it."""

    fingerprint = "0" * 12
    run: ClassVar[BilledRun]
    chance: ClassVar[Random]
    main: ClassVar["asyncio.Task[None]"]

    def __init__(self, name: str, *, is_billed: bool) -> None:
        self.name, self._is_billed = name, is_billed
        self.traits = AgentTraits(is_free=not is_billed)
        self._bill = BillOnDisk(self.run.bill)
        self._dearest = self._bill.read().dearest_usd
        self._open: dict[int, tuple[float, float]] = {}
        self._asked = 0

    async def most_usd(self, request: ModelRequest) -> float | None:  # noqa: ARG002
        return self.run.most_usd if self.run.tells else None

    async def complete(self, request: ModelRequest) -> ModelReply:  # noqa: ARG002
        chance, held = self.chance, held_usd()
        said = '{"score": 1, "rationale": "fine"}'
        if not self._is_billed:
            return ModelReply(said)
        self._asked += 1
        number = self._asked
        cost = self.run.most_usd * chance.choice(
            (1, 1, 0.05) if self.run.tells else (1,) + (0.05,) * 9
        )
        cost *= chance.uniform(0.2, 1)
        kind = chance.choices(("ok", "refused", "broken"), (14, 1, 1))[0]
        if kind == "refused":
            raise AgentError("HTTP 429", is_unpaid=True)
        # Of what nobody knows the price of, no answer that never came was the dearest.
        lost = cost if self.run.tells else min(cost, self._dearest)
        self._open[number] = lost, held
        try:
            for _ in range(chance.randint(0, 9)):
                await asyncio.sleep(0)
            if number == self.run.dies_at:
                self._die()
                await asyncio.sleep(60)
        except asyncio.CancelledError:
            self._bill.add(lost, held, came=False)
            raise
        finally:
            del self._open[number]
        self._bill.add(lost if kind == "broken" else cost, held, came=kind == "ok")
        if kind == "broken":
            raise AgentError("the stream ended")
        self._dearest = max(self._dearest, cost)
        calls = (ToolCall("look", {}),) if chance.random() < 0.5 else ()
        return ModelReply(said, () if "judge" in self.name else calls, Usage(10, 10, cost))

    def _die(self) -> None:
        if not self.run.is_killed:
            self.main.cancel()
            return
        for lost, held in self._open.values():
            self._bill.add(lost, held, came=False)
        os.kill(os.getpid(), signal.SIGKILL)


def make(name: str, options: Mapping[str, Json], *, root: Path) -> Agent:  # noqa: ARG001
    profile = read_profile(BilledProfile, "billed", options)
    return ToolLoop(Billed(name, is_billed=profile.is_billed))


def execute(run: BilledRun) -> None:
    """In a process of its own: it may be killed, and what it changes stays changed."""
    Billed.run, Billed.chance = run, Random(run.seed)
    AGENTS["billed"] = AgentType(f"{__name__}:make", f"{__name__}:BilledProfile")
    budgets.Payer = Noting  # type: ignore[attr-defined]
    with suppress(asyncio.CancelledError):
        asyncio.run(_execute(run))


async def _execute(run: BilledRun) -> None:
    task = asyncio.current_task()
    assert task is not None
    Billed.main = task
    read = load_config(run.root, {})
    session = Session(read.config, problems=read.problems)
    try:
        await session.open(is_strict=True)
        keys = tuple(case.key for suite in session.store.suites for case in suite.cases)
        if run.resumes:
            await resume(session, keys, confirms=False)
        else:
            await session.run(keys)
    except UserError as error:
        assert "nothing to continue" in error.what, error.what
        os._exit(NOTHING_LEFT)
    finally:
        await session.close()
