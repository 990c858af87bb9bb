"""How often "of the others at most k moved (95 %)" is true, edit after edit.

    python -m benchmarks.audit_bound [--edits 1000] [--cases 160] [--drawn 20] [--seed 1]

A project on disk, a session that watches it, and a simulated agent that costs money. Every edit
saves the description of one of eight tools, which makes another number of cases pass and fail,
from none to all of them. Then the agent is asked, without the session, for the true verdict of each
case that did not run. Must: true for at least 95 % of the edits.
"""

import argparse
import asyncio
import tempfile
from pathlib import Path
from random import Random

import pytest

from evaltui.core.events import CaseFinished
from evaltui.core.result import CaseStatus
from tests.projects import case, write_suite, write_tools
from tests.session.test_session import all_keys, opened
from tests.simulated_agent import World, simulate

TOOLS = 8
SETTINGS = """agent = "mine"
concurrency = 8
confirm_above = 1000.0
[regressions]
audit = {drawn}
[agents.mine]
type = "simulated"
cost_usd = 0.0001
"""


def tools(edited: int, edit: int) -> list[dict[str, object]]:
    """With another description of one of them."""
    said = {number: f"Does {number}." for number in range(TOOLS)} | {edited: f"Does {edit} more."}
    return [
        {"name": f"tool_{number}", "description": text, "parameters": {}}
        for number, text in said.items()
    ]


def project(root: Path, cases: int, drawn: int) -> None:
    write_tools(root, tools(0, 0))
    for number in range(TOOLS):
        name = f"tool_{number}"
        asked = [case(f"gs-{number}-{n:03}", name, name) for n in range(cases // TOOLS)]
        write_suite(root, name, asked)
    (root / "evaltui.toml").write_text(SETTINGS.format(drawn=drawn))


async def simulated(root: Path, world: World, edits: int, random: Random) -> list[bool]:
    """Whether the sentence was true, for each edit of which it was said."""
    truth: dict[str, bool] = {}
    world.rate = lambda _, request: float(truth.get(request.key.case, True))
    said: list[bool] = []
    async with opened(root) as (session, ear):
        keys = all_keys(session)
        await session.run(keys)
        board = session.store.board("mine")
        watching = asyncio.create_task(session.watch())
        await asyncio.sleep(0)
        for edit in range(1, edits + 1):
            ear.heard.clear()
            # So that few and many moved ones are as frequent, and none and all come about.
            share = random.choice((0.0, 1.0, random.random(), 10 ** random.uniform(-2.5, 0)))
            before = {key: board.rows[key].result for key in keys}
            for key, result in before.items():
                passed = result is not None and result.status is CaseStatus.PASSED
                truth[key.case] = passed is not (random.random() < share)
            write_tools(root, tools(random.randrange(TOOLS), edit))
            await ear.until(lambda: bool(ear.runs()))
            told = board.ran_where_drawn
            if told is None:
                continue
            ran = {one.result.key for one in ear.heard if isinstance(one, CaseFinished)}
            left = [
                key
                for key, result in before.items()
                if key not in ran and result is not None and result.status is CaseStatus.PASSED
            ]
            moved = sum(not truth[key.case] for key in left)
            assert len(left) == told.left, "what did not run is what is spoken of"
            said.append(moved <= told.at_most)
            await session.run([key for key in keys if key not in ran])
        await session.close()
        await watching
    return said


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--edits", type=int, default=1_000)
    parser.add_argument("--cases", type=int, default=160)
    parser.add_argument("--drawn", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        root = Path(folder)
        project(root, options.cases, options.drawn)
        world = simulate(patch, options.seed)
        said = asyncio.run(simulated(root, world, options.edits, Random(options.seed)))
    share = sum(said) / len(said)
    print(f"{len(said):,} of {options.edits:,} edits bounded, true for {sum(said):,} ({share:.1%})")


if __name__ == "__main__":
    main()
