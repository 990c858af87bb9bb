"""A saved persona, scenario or connector of an EvalStudio workspace reruns what it affects."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from evaltui.core.case import CaseKey
from evaltui.core.errors import UserError
from evaltui.session import Session
from tests.agents.servers import Asked, answer, serving
from tests.session.test_session import Ear, all_keys, opened
from tests.workspaces import (
    ANN,
    BOB,
    DATA,
    HELLO,
    REFUND,
    TOKEN,
    connector,
    write_entities,
    write_workspace,
)


async def said(asked: Asked, writer: asyncio.StreamWriter) -> bool:
    """Counts what it is told, and repeats the secret that it was sent."""
    told = f"{len(asked.json['messages'])} {asked.headers['authorization']}"
    writer.write(answer({"message": {"content": told}}))
    return True


@asynccontextmanager
async def watching(root: Path) -> AsyncIterator[tuple[Session, Ear]]:
    async with serving(said) as server:
        write_workspace(root, server.url)
        async with opened(root) as (session, ear):
            await session.run(all_keys(session))
            ear.heard.clear()
            watch = asyncio.create_task(session.watch())
            await asyncio.sleep(0)
            yield session, ear
            await session.close()
            await watch


def run(ear: Ear) -> tuple[list[str], tuple[str, ...]]:
    (started,) = ear.started()
    return [key.case for key in started.cases], started.trigger


async def test_a_saved_persona_reruns_the_scenarios_that_it_talks_in(tmp_path: Path) -> None:
    async with watching(tmp_path) as (_, ear):
        write_entities(tmp_path, "personas", ANN, {**BOB, "description": "Slower"})
        await ear.until(lambda: bool(ear.runs()))
        assert run(ear) == (["Refund (Bob)"], (f"{DATA}/personas.json",))


async def test_a_saved_scenario_reruns_for_each_persona_and_no_other(tmp_path: Path) -> None:
    async with watching(tmp_path) as (_, ear):
        write_entities(tmp_path, "scenarios", {**REFUND, "instructions": "Too late."}, HELLO)
        await ear.until(lambda: bool(ear.runs()))
        cases, trigger = run(ear)
        assert sorted(cases) == ["Refund (Ann)", "Refund (Bob)"]
        assert trigger == (f"{DATA}/scenarios.json",)


async def test_a_saved_connector_is_another_agent(tmp_path: Path) -> None:
    async with watching(tmp_path) as (session, ear):
        url = json.loads((tmp_path / DATA / "connectors.json").read_text())[0]["baseUrl"]
        write_entities(tmp_path, "connectors", connector(url, config={"path": "?v=2"}))
        await ear.until(lambda: bool(ear.runs()))
        assert len(run(ear)[0]) == 3
        assert f"{DATA}/connectors.json" in run(ear)[1]
        assert session.agents == ("Shop",)


@pytest.mark.parametrize("is_plain", [False, True])
async def test_a_connector_may_answer_with_all_messages_or_plain_text(
    tmp_path: Path, is_plain: bool
) -> None:
    async def said(asked: Asked, writer: asyncio.StreamWriter) -> bool:
        sent = asked.json["messages"]
        mine = [{"role": "tool", "content": "7"}, {"role": "assistant", "content": f"{len(sent)}"}]
        writer.write(answer(f"number {len(sent)}" if is_plain else {"messages": [*sent, *mine]}))
        return True

    async with serving(said) as server:
        write_workspace(tmp_path, server.url)
        async with opened(tmp_path) as (session, _):
            await session.run(all_keys(session))
            rows = {key.case: row for key, row in session.store.board("Shop").rows.items()}
    result = rows["Refund (Ann)"].result
    assert result is not None
    assert result.response is not None
    told = [(one.role, one.content) for one in result.response.messages]
    if is_plain:
        assert told == [
            ("user", "Hi"),
            ("assistant", "number 1"),
            ("user", "Thanks"),
            ("assistant", "number 3"),
        ]
    else:
        assert told == [
            ("user", "Hi"), ("tool", "7"), ("assistant", "1"),
            ("user", "Thanks"), ("tool", "7"), ("assistant", "4"),
        ]  # fmt: skip


async def test_nothing_that_is_kept_holds_a_secret(tmp_path: Path) -> None:
    async with watching(tmp_path) as (session, _):
        results = [row.result for row in session.store.board("Shop").rows.values()]
        told = [one.response.text for one in results if one is not None and one.response]
        assert told[0] == "3 ***"
    assert holding(tmp_path, TOKEN) == ["connectors.json"]


def holding(folder: Path, secret: str) -> list[str]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return [path.name for path in files if secret.encode() in path.read_bytes()]


async def test_no_edit_of_a_workspace_is_made(tmp_path: Path) -> None:
    async with watching(tmp_path) as (session, _):
        suite = f"{DATA}/scenarios.json"
        for case in ("", "Refund (Ann)"):
            with pytest.raises(UserError, match="EvalStudio's own file, which is read and never"):
                session.edits.evaluators(suite, case)
        key = CaseKey(suite, "Refund (Ann)")
        (agent,) = session.agents
        with pytest.raises(UserError, match="never written"):
            session.edits.preview_accept(key, agent, "calls")
        with pytest.raises(UserError, match="never written"):
            session.edits.preview_capture(key, agent, bug_ref="1")


async def test_headers_of_a_persona_are_sent_with_what_it_says_and_kept_nowhere(
    tmp_path: Path,
) -> None:
    secret = "secret-of-bob-1234"
    heard: dict[str, set[str | None]] = {}

    async def echo(asked: Asked, writer: asyncio.StreamWriter) -> bool:
        first = asked.json["messages"][0]["content"]
        heard.setdefault(first, set()).add(asked.headers.get("x-token"))
        assert asked.headers["authorization"].endswith(TOKEN), "the connector's are sent as well"
        writer.write(answer({"message": {"content": f"you are {asked.headers.get('x-token')}"}}))
        return True

    async with serving(echo) as server:
        write_workspace(tmp_path, server.url)
        write_entities(tmp_path, "personas", ANN, {**BOB, "headers": {"X-Token": secret}})
        async with opened(tmp_path) as (session, _):
            await session.run(all_keys(session))
    assert heard == {"Hi": {None}, "Hello": {secret}}
    written = [path for path in (tmp_path / ".evaltui").rglob("*") if path.is_file()]
    written += [path for path in (tmp_path / "evals").rglob("*") if path.is_file()]
    assert len(written) > 2
    assert not [path for path in written if secret.encode() in path.read_bytes()]
