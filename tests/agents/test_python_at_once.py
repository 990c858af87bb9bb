"""An async function answers all open cases in one process; a bad case still costs only itself."""

import asyncio
from pathlib import Path

import pytest

from evaltui.child import shared_child
from evaltui.core.errors import AgentError
from tests.agents.requests import request
from tests.agents.scripts import until_gone
from tests.agents.test_python_function import agent

BODY = """
import asyncio, os, sys, time
met = 0
async def f(m):
    global met
    if m.startswith("die"): os._exit(3)
    if m.startswith("exit"): sys.exit(3)
    if m.startswith("raise"): raise ValueError(m)
    if m.startswith("hang"): await asyncio.sleep(600)
    if m.startswith("block"): time.sleep(600)
    if m.startswith("meet"):
        met += 1
        while met < 8: await asyncio.sleep(0.01)
    print("said", m)
    await asyncio.sleep(0.01)
    return f"{m} {os.getpid()}"
"""


async def test_open_cases_are_answered_by_one_process_at_once(tmp_path: Path) -> None:
    made = agent(tmp_path, BODY)
    async with asyncio.timeout(20):
        answers = await asyncio.gather(*(made.respond(request(f"meet{n}")) for n in range(8)))
    said, pids = zip(*(answer.text.split() for answer in answers), strict=True)
    assert said == tuple(f"meet{n}" for n in range(8))
    assert len(set(pids)) == 1
    for n, answer in enumerate(answers):
        assert answer.notes[-1] == f"printed: said meet{n}"
    await made.close()
    await until_gone(int(pids[0]))


@pytest.mark.parametrize("bad", ["raise", "exit", "die", "hang"])
async def test_a_bad_case_costs_only_itself(tmp_path: Path, bad: str) -> None:
    made = agent(tmp_path, BODY)

    async def asked(message: str) -> str:
        try:
            return (await made.respond(request(message))).text.split()[0]
        except AgentError as error:
            return type(error).__name__

    async with asyncio.timeout(60):
        first, worst, *others = (asyncio.create_task(asked(one)) for one in ("a", bad, "b", "c"))
        assert await asyncio.gather(first, *others) == ["a", "b", "c"]
        if bad == "hang":
            assert not worst.done()
            worst.cancel()
        else:
            assert await worst == "AgentError"
        assert await asked("after") == "after"
    await made.close()


async def test_who_blocks_the_loop_blocks_nobody_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shared_child, "_LOOK_S", 0.05)
    monkeypatch.setattr(shared_child, "_SILENT_S", 0.5)
    made = agent(tmp_path, BODY)
    first = asyncio.create_task(made.respond(request("block")))
    await asyncio.sleep(0)
    others = [asyncio.create_task(made.respond(request(name))) for name in "abc"]
    async with asyncio.timeout(20):
        answers = [(await other).text.split() for other in others]
    assert [name for name, _ in answers] == ["a", "b", "c"]
    first.cancel()
    with pytest.raises(asyncio.CancelledError):
        await first
    await made.close()


async def test_async_generators_stream_side_by_side(tmp_path: Path) -> None:
    body = (
        "import asyncio\nasync def f(m):\n"
        "    for part in m:\n        yield part\n        await asyncio.sleep(0.01)\n"
    )
    made = agent(tmp_path, body)
    answers = await asyncio.gather(*(made.respond(request(text)) for text in ("abc", "def")))
    assert [answer.text for answer in answers] == ["abc", "def"]
    assert all(answer.first_token_ms is not None for answer in answers)
    await made.close()
