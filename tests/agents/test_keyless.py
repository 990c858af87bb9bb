"""What was recorded is replayed without the secrets that recording it took, for every kind."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from evaltui.agents import make_agent
from evaltui.agents.recordings.recorded_agents import recorded
from evaltui.agents.recordings.recorder import Recorder, RecordingMode
from evaltui.core.agent import AgentRequest
from evaltui.core.errors import AgentError, MissingSecretError
from evaltui.core.response import AgentResponse
from evaltui.disk.recordings import RecordingFolder
from tests.agents.model_agents import request
from tests.agents.servers import Asked, answer, serving

ANSWER = {
    "response": "got it",
    "toolCalls": [],
    "choices": [{"message": {"content": "got it"}, "finish_reason": "stop"}],
    "content": [{"type": "text", "text": "got it"}],
    "messages": [{"type": "ai", "content": "got it"}],
}
MODEL = {"model": "m", "base_url": "http://${HOST}", "api_key": "${TOKEN}", "stream": False}
PROGRAM = f"print('''{json.dumps(ANSWER)}''')"
FUNCTION = "def f(message):\n    return {'response': 'got it', 'toolCalls': []}\n"
PROFILES: dict[str, dict[str, Any]] = {
    "openai": MODEL,
    "anthropic": MODEL,
    "http": {"url": "http://127.0.0.1:${PORT}/chat", "headers": {"X-Key": "${TOKEN}"}},
    "http whole": {"url": "${URL}"},
    "langgraph": {"base_url": "http://${HOST}", "configurable": {"token": "${TOKEN}"}},
    "command": {"command": ["python3", "-c", PROGRAM], "env": {"A": "${TOKEN}"}},
    "python": {"function": "mine.py:f", "env": {"A": "${TOKEN}"}},
    "keyring": {"url": "http://${HOST}", "headers": {"X-Key": "${TOKEN} ${keyring:no/one}"}},
}


async def asked(
    root: Path, type_: str, mode: RecordingMode, profile: dict[str, Any]
) -> AgentResponse:
    recorder = Recorder(RecordingFolder(root / "cassettes", root), mode)
    agent = recorded(make_agent(type_, "mine", profile, root=root, may_lack_secrets=True), recorder)
    try:
        asking: AgentRequest = request()
        return await agent.respond(asking)
    finally:
        await agent.close()


def type_of(name: str) -> str:
    return {"http whole": "http", "keyring": "http"}.get(name, name)


@pytest.mark.parametrize("name", [name for name in PROFILES if name != "keyring"])
async def test_a_replay_needs_no_key(name: str, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(FUNCTION)

    async def behave(_: Asked, writer: asyncio.StreamWriter) -> None:
        writer.write(answer(ANSWER))

    type_, profile = type_of(name), PROFILES[name]
    async with serving(behave) as server:
        url = server.url.removesuffix("/chat")
        host = url.removeprefix("http://")
        values = {"URL": url, "HOST": host, "PORT": host.partition(":")[2], "TOKEN": "t0ken-1234"}
        lines = "\n".join(f"{key}={value}" for key, value in values.items())
        (tmp_path / ".env").write_text(lines)
        first = await asked(tmp_path, type_, RecordingMode.RECORD, profile)
    (tmp_path / ".env").unlink()
    with pytest.raises(AgentError):
        await asked(tmp_path, type_, RecordingMode.RECORD, profile | {"is_free": True})
    for mode in (RecordingMode.REPLAY, RecordingMode.AUTO):
        again = await asked(tmp_path, type_, mode, profile)
        assert (first.text, again.text, again.source) == ("got it", "got it", "replayed")


@pytest.mark.parametrize("name", PROFILES)
async def test_asking_without_it_is_an_error_that_names_it(name: str, tmp_path: Path) -> None:
    with pytest.raises(AgentError, match=r"environment variable `[A-Z]+`") as caught:
        await asked(tmp_path, type_of(name), RecordingMode.AUTO, PROFILES[name])
    assert caught.value.category == "auth"


def test_without_recordings_it_is_missed_at_once(tmp_path: Path) -> None:
    with pytest.raises(MissingSecretError, match="`PORT`"):
        make_agent("http", "mine", PROFILES["http"], root=tmp_path)
