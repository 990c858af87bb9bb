"""What an agent is asked while its files are saved is asked of nobody: it counts for no code."""

import asyncio
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from evaltui.agents import make_agent
from evaltui.agents.files_as_read import FilesAsRead
from evaltui.core.agent import Agent
from evaltui.core.errors import AgentError, NoMoreError
from tests.agents.requests import request
from tests.agents.scripts import program

ANSWERS = 'print(json.dumps({"response": "x", "toolCalls": []}))'
SAVES_ITSELF = f"open(__file__, 'a').write('# another'); {ANSWERS}"


def command(root: Path, body: str = ANSWERS, **options: Any) -> Agent:
    return make_agent("command", "mine", {"command": program(root, body), **options}, root=root)


def python(root: Path, body: str) -> Agent:
    (root / "agent.py").write_text(f"def answer(message):\n    {body}\n    return 'x'\n")
    return make_agent("python", "mine", {"function": "agent.py:answer"}, root=root)


async def refusal(agent: Agent) -> NoMoreError:
    with pytest.raises(NoMoreError) as caught:
        await agent.respond(request())
    await agent.close()
    return caught.value


async def test_what_was_saved_before_it_was_asked_is_not_asked(tmp_path: Path) -> None:
    agent = command(tmp_path)
    program(tmp_path, f"open('asked', 'w'); {ANSWERS}")
    found = await refusal(agent)
    assert "`agent.py`" in found.what
    assert found.is_unpaid
    assert not (tmp_path / "asked").exists()


@pytest.mark.parametrize("make", [command, python])
async def test_what_is_saved_meanwhile_has_answered_for_nobody(
    tmp_path: Path, make: Callable[[Path, str], Agent]
) -> None:
    body = SAVES_ITSELF if make is command else "open(__file__, 'a').write('# another')"
    assert not (await refusal(make(tmp_path, body))).is_unpaid


async def test_a_fault_of_half_a_file_is_none_of_the_agents(tmp_path: Path) -> None:
    found = await refusal(command(tmp_path, "open(__file__, 'a').write('#'); sys.exit(1)"))
    assert found.code == "agent-edited"


async def test_a_prompt_that_is_saved_counts_like_code(tmp_path: Path) -> None:
    (tmp_path / "prompt.md").write_text("Be kind.")
    agent = command(tmp_path, files=["*.md"])
    (tmp_path / "prompt.md").write_text("Be short.")
    assert "`prompt.md`" in (await refusal(agent)).what


@pytest.mark.parametrize("name", ["calls.log", "shop.db"])
async def test_what_a_program_writes_as_it_answers_is_not_held(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"\0" if name == "shop.db" else b"first\n")
    agent = command(tmp_path, f"open({name!r}, 'a').write('more'); {ANSWERS}", files=[name])
    assert (await agent.respond(request())).text == "x"
    assert (await agent.respond(request())).text == "x"


async def test_a_save_that_changes_nothing_is_none(tmp_path: Path) -> None:
    agent = command(tmp_path)
    os.utime(tmp_path / "agent.py", (1, 1))
    assert (await agent.respond(request())).text == "x"


async def test_a_cancelled_request_stays_cancelled(tmp_path: Path) -> None:
    held = FilesAsRead([tmp_path / "agent.py"], tmp_path)
    with pytest.raises(asyncio.CancelledError), held.hold():
        (tmp_path / "agent.py").write_text("another")
        raise asyncio.CancelledError
    with pytest.raises(NoMoreError):
        held.check()


async def test_another_fault_is_told_as_it_is(tmp_path: Path) -> None:
    with pytest.raises(AgentError) as caught:
        await command(tmp_path, "sys.exit(3)").respond(request())
    assert not isinstance(caught.value, NoMoreError)
