"""A planted key is searched for in everything that runs leave behind."""

import asyncio
import json
import logging
from pathlib import Path
from typing import Any

import pytest

from evaltui.agents import make_agent
from evaltui.agents.recordings.recorded_agents import recorded
from evaltui.agents.recordings.recorder import Recorder, RecordingMode
from evaltui.core.agent import Agent, AgentRequest
from evaltui.core.case import CaseKey
from evaltui.core.config import AgentProfile, Config
from evaltui.core.errors import AgentError
from evaltui.core.events import Event
from evaltui.disk.codec import encode_event
from evaltui.disk.recordings import RecordingFolder
from evaltui.session import Session
from tests.agents.model_agents import KEY
from tests.agents.servers import Asked, answer, serving
from tests.agents.wire_texts import anthropic_text, broken_stream, chunk, piece, sse, stream

TYPES = ("openai", "anthropic", "http")
CASES = 7


def echoes(type_: str) -> list[bytes]:
    """Answers of a server that gives the key away in every place it can."""
    if type_ == "http":
        call = {"name": "t", "params": {"x": KEY}, "success": True, "durationMs": 1}
        good = answer({"response": f"The key is {KEY}", "toolCalls": [call]})
    elif type_ == "openai":
        made = piece(0, KEY, "t", json.dumps({"x": KEY}))
        halves = (chunk(content=f"The key is {KEY[:8]}"), chunk(content=KEY[8:]))
        good = stream(sse(*halves, chunk(tool_calls=[made]), chunk("tool_calls")))
    else:
        good = stream(sse(*anthropic_text(f"The key is {KEY}"), names=True))
    return [
        good,
        answer({"error": {"message": f"bad key {KEY}"}}, status="401 Unauthorized"),
        answer(f"<html>{KEY}", kind="text/html"),
        answer({"message": KEY}, status="400 Bad Request"),
        stream(sse({"error": {"message": KEY, "type": KEY}})),
        stream(sse(f"{{{KEY}")),
        broken_stream(sse(chunk(content=KEY)))[:-4],
    ]


def write_project(root: Path) -> None:
    (root / ".env").write_text(f"THE_KEY={KEY}\n")
    cases = [
        {"id": f"gs-{n}", "input": {"message": f"number {n}"}, "expect": {"responseNonEmpty": True}}
        for n in range(CASES)
    ]
    (root / "evals").mkdir()
    (root / "evals" / "a.golden.json").write_text(json.dumps({"metadata": None, "cases": cases}))


def profile(type_: str, url: str) -> AgentProfile:
    if type_ == "http":
        options: dict[str, Any] = {
            "url": f"{url}?key=${{THE_KEY}}",
            "headers": {"X-Key": "${THE_KEY}"},
        }
    else:
        options = {"model": "m", "base_url": url, "api_key": "${THE_KEY}", "retries": 0}
    return AgentProfile("tested", type_, options)


@pytest.mark.parametrize("type_", TYPES)
async def test_nothing_that_a_run_leaves_holds_the_key(
    type_: str,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    capsys: pytest.CaptureFixture[str],
) -> None:
    caplog.set_level(logging.DEBUG)
    write_project(tmp_path)
    raw = echoes(type_)

    async def behave(asked: Asked, writer: asyncio.StreamWriter) -> bool:
        number = next(n for n in range(CASES) if f"number {n}".encode() in asked.body)
        writer.write(raw[number])
        return number != CASES - 1

    events: list[Event] = []

    class Ear:
        def handle(self, event: Event) -> None:
            events.append(event)

    async with serving(behave) as server:
        chosen = profile(type_, server.url)
        config = Config(tmp_path, agents=(chosen,), evals=("evals/*.golden.json",))
        session = Session(config)
        session.add_sink(Ear())
        await session.open()
        keys = [case.key for suite in session.project.suites for case in suite.cases]
        assert len(keys) == CASES
        await session.run(keys)
        await session.close()
        assert any(KEY in str(asked.headers) for asked in server.asked), "the key was never sent"
        agent = make_agent(type_, "tested", chosen.options, root=tmp_path)
        await record_all(agent, tmp_path, keys, session)

    search_files(tmp_path)
    assert not [
        event for event in events if KEY in repr(event) or KEY.encode() in encode_event(event)
    ]
    assert any("***" in repr(event) for event in events)
    assert KEY not in caplog.text
    assert KEY not in "".join(capsys.readouterr())


def search_files(root: Path) -> None:
    left = [path for path in root.rglob("*") if path.is_file() and path.name != ".env"]
    assert any("cassettes" in path.parts for path in left)
    assert any(path.suffix == ".jsonl" for path in left)
    assert [str(path) for path in left if KEY.encode() in path.read_bytes()] == []


async def record_all(agent: Agent, root: Path, keys: list[CaseKey], session: Session) -> None:
    """Record every case; the exceptions of those that fail hold no key either."""
    recorder = Recorder(RecordingFolder(root / "evals" / "cassettes", root), RecordingMode.RECORD)
    recording = recorded(agent, recorder)
    for number, key in enumerate(keys):
        # The case itself holds the key, as a careless author may write it.
        request = AgentRequest(key, f"number {number} {KEY}", session.project.registry)
        try:
            await recording.respond(request)
        except AgentError as error:
            chain: BaseException | None = error
            while chain is not None:
                assert KEY not in f"{chain} {chain!r} {vars(chain)}"
                chain = chain.__cause__ or (
                    None if chain.__suppress_context__ else chain.__context__
                )
    await agent.close()
    text = RecordingFolder(root / "evals" / "cassettes", root).path(keys[0]).read_text("utf-8")
    assert "***" in text
