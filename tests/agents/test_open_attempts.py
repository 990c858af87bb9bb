"""What an attempt that is open takes, for each kind of agent: the guide has the table."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from evaltui.agents import make_agent
from evaltui.core.agent import Agent
from tests.agents.requests import request
from tests.agents.scripts import program
from tests.agents.servers import Asked, answer, serving

AT_ONCE = 3
ROUNDS = 2
MEET = """
import pathlib, time
def meet():
    "Wait until all of a round are here."
    pathlib.Path(f"{os.getpid()}-{time.monotonic_ns()}.here").touch()
    while len(list(pathlib.Path().glob("*.here"))) % 3:
        time.sleep(0.005)
"""
ONCE = f"""{MEET}
json.load(sys.stdin)
meet()
print(json.dumps({{"response": str(os.getpid()), "toolCalls": []}}))
"""
LINES = f"""{MEET}
for line in sys.stdin:
    meet()
    print(json.dumps({{"response": str(os.getpid()), "toolCalls": []}}), flush=True)
"""
FUNCTION = f"import os\n{MEET}\ndef f(message):\n    meet()\n    return str(os.getpid())\n"
ASYNC = "import os\nasync def f(message):\n    return str(os.getpid())\n"


async def pids(made: Agent) -> list[str]:
    """What answered, for each of some rounds of attempts that are open at once."""
    said: list[str] = []
    try:
        for _ in range(ROUNDS):
            async with asyncio.timeout(20):
                asked = (made.respond(request()) for _ in range(AT_ONCE))
                said += [one.text for one in await asyncio.gather(*asked)]
    finally:
        await made.close()
    return said


@pytest.mark.parametrize(
    ("mode", "body", "processes"),
    [("oneshot", ONCE, AT_ONCE * ROUNDS), ("jsonl", LINES, AT_ONCE)],
    ids=["oneshot", "jsonl"],
)
async def test_of_a_program(tmp_path: Path, mode: str, body: str, processes: int) -> None:
    options: dict[str, Any] = {"command": program(tmp_path, body), "mode": mode}
    assert len(set(await pids(make_agent("command", "a", options, root=tmp_path)))) == processes


@pytest.mark.parametrize(
    ("body", "processes"), [(FUNCTION, AT_ONCE), (ASYNC, 1)], ids=["sync", "async"]
)
async def test_of_a_function(tmp_path: Path, body: str, processes: int) -> None:
    (tmp_path / "mine.py").write_text(body)
    made = make_agent("python", "a", {"function": "mine.py:f"}, root=tmp_path)
    assert len(set(await pids(made))) == processes


@pytest.mark.parametrize(
    ("type_", "where", "said"),
    [
        ("http", "url", {"response": "x", "toolCalls": []}),
        (
            "openai",
            "base_url",
            {"choices": [{"message": {"content": "x"}, "finish_reason": "stop"}]},
        ),
        ("anthropic", "base_url", {"content": [{"type": "text", "text": "x"}]}),
        ("langgraph", "base_url", {"messages": [{"type": "ai", "content": "x"}]}),
    ],
)
async def test_of_a_server_it_is_a_request(
    tmp_path: Path, type_: str, where: str, said: dict[str, Any]
) -> None:
    open_now: list[int] = []
    all_here = asyncio.Event()

    async def behave(_: Asked, writer: asyncio.StreamWriter) -> None:
        open_now.append(1)
        if len(open_now) == AT_ONCE:
            all_here.set()
        await all_here.wait()
        writer.write(answer(said))

    async with serving(behave) as server:
        options: dict[str, Any] = {where: server.url}
        if type_ in ("openai", "anthropic"):
            options |= {"model": "m", "api_key": "k", "stream": False}
        made = make_agent(type_, "a", options, root=tmp_path)
        async with asyncio.timeout(10):
            asked = [made.respond(request()) for _ in range(AT_ONCE)]
            answers: Sequence[Any] = await asyncio.gather(*asked)
        await made.close()
    assert [one.text for one in answers] == ["x"] * AT_ONCE
    assert len(server.asked) == AT_ONCE


def test_of_the_embedded_agent_it_gives_way_to_nothing(tmp_path: Path) -> None:
    computing = make_agent("embedded", "embedded", {}, root=tmp_path).respond(request())
    with pytest.raises(StopIteration) as done:
        computing.send(None)  # one that waited for something would stop here
    assert done.value.value.tool_calls == ()
