"""How often a board calls a case regressed that is not, and how many broken ones it finds.

    python -m benchmarks.proven_regressions --suites 1000 --broken 0
    python -m benchmarks.proven_regressions --suites 120 --broken 10 --fit easy

Each suite is a project of its own on disk, with a simulated agent under the real session: rates of
200 cases are drawn from a fit, those that come out green are pinned and tried 20 times more for the
pin; then the tool of all is edited, and some of the pinned ones fall to a tenth of their rate. All
cases run once, and what is undecided is tried again while the budget lasts. Somebody looks after
each call: one `↓` at any moment counts, also one that goes again.
"""

import argparse
import asyncio
import json
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from evaltui.agents import AGENTS, AgentType
from evaltui.agents.profiles.options import AgentOptions
from evaltui.core.agent import Agent, AgentRequest
from evaltui.core.asked import AgentTraits
from evaltui.core.case import CaseKey
from evaltui.core.events import CaseFinished, Event
from evaltui.core.json_value import Json
from evaltui.core.permit import Grant
from evaltui.core.response import AgentResponse, Execution, ToolCall, Usage
from evaltui.session import Session
from evaltui.settings.load import load_config
from evaltui.store.row_status import RowStatus
from evaltui.store.store import Store

CASES, FRESH, FALLEN = 200, 20, 0.1
CALLS = 1.4
"""A case, after the baseline: what may be spent."""
FITS = {"hard": (0.64, 0.86), "easy": (3.0, 0.35)}
"""Beta distributions of pass rates. `hard` is the most likely one for gpt-4o on τ-bench's airline
domain, passes of four trials: 14 tasks 0, 12 tasks 1, 10 tasks 2, 4 tasks 3, 10 tasks 4."""
AGENT = "simulated"
CENT = 0.01
"""Each answer costs so much, in US dollars."""


class Found(NamedTuple):
    """Of one suite."""

    wrong: int
    """Cases that stood as regressed at any moment and were not broken."""
    found: int
    """Broken cases that stood so at the end."""
    wrong_at_end: int
    calls: int
    """After the baseline."""


class World:
    """Pass rates by message, and how often somebody asked."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.rates: dict[str, float] = {}
        self.calls = 0

    def answers_rightly(self, message: str) -> bool:
        self.calls += 1
        return self.random.random() < self.rates[message]


class Simulated(Agent):
    traits = AgentTraits()
    fingerprint = name = AGENT
    world = World(0)

    async def respond(self, request: AgentRequest) -> AgentResponse:
        is_right = self.world.answers_rightly(request.message)
        calls = (ToolCall("find_order", {}),) if is_right else ()
        usage = Usage(1, 1, CENT)
        return AgentResponse("", calls, execution=Execution.ROUTING, usage=usage)


class Options(AgentOptions):
    def grants(self, root: Path, by: str) -> Iterator[Grant]:  # noqa: ARG002
        yield from ()


def make(name: str, options: Mapping[str, Json], *, root: Path) -> Agent:  # noqa: ARG001
    return Simulated()


def known() -> None:
    """Have settings name the agent."""
    AGENTS[AGENT] = AgentType(f"{__name__}:make", f"{__name__}:Options")


class Looking:
    """Somebody who looks at the board after each call."""

    hears = frozenset({CaseFinished})

    def __init__(self, session: Session) -> None:
        self._session = session
        self.seen: set[CaseKey] = set()

    def handle(self, event: Event) -> None:
        if isinstance(event, CaseFinished):
            self._session.evidence(AGENT).tell()
            self.seen |= self.regressed()

    def regressed(self) -> set[CaseKey]:
        rows = self._session.store.board(AGENT).rows.values()
        return {row.key for row in rows if row.regressed}


async def suite(fit: str, broken: int, seed: int, cases: int = CASES) -> Found:
    """Pin, edit, run and look."""
    known()
    world = Simulated.world = World(seed)
    messages = [f"case {number}" for number in range(cases)]
    world.rates = {message: world.random.betavariate(*FITS[fit]) for message in messages}
    with TemporaryDirectory(prefix="evaltui-") as folder:
        root = Path(folder)
        write(root, messages)
        write_tools(root, "Finds orders.")
        green = await _pin(root)
        write_tools(root, "Looks orders up.")
        fallen = set(world.random.sample(green, min(broken, len(green))))
        for message in fallen:
            world.rates[message] *= FALLEN
        return await _run(root, world, fallen, CALLS * cases * CENT)


async def _pin(root: Path) -> list[str]:
    """Returns the messages of the pinned cases."""
    session = await opened(root)
    try:
        rows = session.store.board(AGENT).rows
        await session.run(tuple(rows))
        green = [key for key, row in rows.items() if row.status is RowStatus.PASSED]
        await session.baselines.pin(green, AGENT)
        await session.run(green, trials=FRESH)
        return [rows[key].case.message for key in green]
    finally:
        await session.close()


async def _run(root: Path, world: World, fallen: set[str], budget_usd: float) -> Found:
    session = await opened(root, max_cost_usd=budget_usd)
    try:
        world.calls = 0
        rows = session.store.board(AGENT).rows
        looking = Looking(session)
        session.add_sink(looking)
        await session.run(tuple(rows), confirms=True)
        broken = {key for key, row in rows.items() if row.case.message in fallen}
        end = looking.regressed()
        wrong = looking.seen - broken
        return Found(len(wrong), len(end & broken), len(end - broken), world.calls)
    finally:
        await session.close()


async def opened(root: Path, **settings: object) -> Session:
    config = load_config(root, settings).config
    session = Session(config, overrides=settings, store=Store(is_shown=False))
    await session.open()
    return session


def write(root: Path, messages: list[str]) -> None:
    made: list[dict[str, Any]] = [
        {
            "id": f"gs-{n:03}",
            "input": {"message": message},
            "expect": {"toolsCalled": ["find_order"]},
        }
        for n, message in enumerate(messages)
    ]
    path = root / "evals" / "find_order.golden.json"
    path.parent.mkdir()
    path.write_text(json.dumps({"metadata": {"toolName": "find_order"}, "cases": made}))
    settings = f'agent = "{AGENT}"\nregistry = "tools.json"\n[agents.{AGENT}]\ntype = "{AGENT}"\n'
    (root / "evaltui.toml").write_text(settings)


def write_tools(root: Path, description: str) -> None:
    tool = {"name": "find_order", "description": description, "parameters": {}}
    (root / "tools.json").write_text(json.dumps({"tools": [tool]}))


def summary(found: list[Found], broken: int, cases: int = CASES) -> str:
    """One line of figures."""
    some = sum(one.wrong > 0 for one in found)
    listed = sum(one.found + one.wrong_at_end for one in found)
    wrong = sum(one.wrong_at_end for one in found)
    calls = sum(one.calls for one in found) / len(found) / cases
    share = some / len(found)
    said = f"{len(found):,} suites · {some:,} showed a false ↓ at some moment ({share:.1%})"
    if broken:
        share = wrong / listed if listed else 0.0
        hits = sum(one.found for one in found) / len(found)
        said += f" · {share:.1%} of the lists wrong · {hits:.1f} of {broken} found"
    return f"{said} · {calls:.2f} calls a case"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--suites", type=int, default=1_000)
    parser.add_argument("--broken", type=int, default=0)
    parser.add_argument("--fit", choices=FITS, default="hard")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, help="stop after so long, with fewer suites")
    flags = parser.parse_args()
    began, found = time.monotonic(), list[Found]()
    for number in range(flags.suites):
        found.append(asyncio.run(suite(flags.fit, flags.broken, flags.seed * 100_000 + number)))
        if number % 20 == 19:
            print(summary(found, flags.broken), flush=True)
        if flags.minutes is not None and time.monotonic() - began > flags.minutes * 60:
            break
    print(f"{flags.fit}, {flags.broken} broken: {summary(found, flags.broken)}")


if __name__ == "__main__":
    main()
