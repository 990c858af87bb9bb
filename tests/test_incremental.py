"""After any edit what stands on the board is what a full run would say, or it is marked as due."""

import json
import os
import runpy
import sys
import threading
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from msgspec import Struct, field

from evaltui.core.case import CaseKey
from evaltui.core.events import CaseFinished
from evaltui.core.result import CaseResult
from evaltui.session import Session
from evaltui.session.money.spending import Cause
from evaltui.store.row import Row
from tests.random_edits import RandomProject, copied
from tests.session.test_session import Ear, all_keys, opened

KINDS = ("embedded", "http", "command", "python")
RESTARTS = 0.15
"""Share of the edits that are made while nobody looks."""


class Found(Struct):
    """What a series of edits came to."""

    wrong: list[str] = field(default_factory=list)
    """Verdicts on the board that a full run contradicts, and that nothing marks."""
    compared: int = 0
    marked: int = 0
    """Those that differ and are marked as due."""
    reruns: int = 0
    changed: int = 0
    """Reruns that came to another verdict, other calls or another text."""


class _Handler(BaseHTTPRequestHandler):
    root: Path

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        module = runpy.run_path(str(self.root / "choosing.py"))
        said = module["answer_of"](asked["message"], module["read_tools"]())
        body = json.dumps(said).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def url(tmp_path: Path) -> Iterator[str]:
    """An agent that reads the project's tools by itself."""
    handler = type("Handler", (_Handler,), {"root": tmp_path / "project"})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/chat"
    server.shutdown()
    thread.join()
    server.server_close()


def outcome(result: CaseResult | None) -> tuple[object, ...]:
    """What is the same where nothing changed: verdict and reason, of a whole result calls too."""
    if result is None:
        return ()
    return (result.status, result.error)


def said(row: Row) -> tuple[object, ...]:
    return (*outcome(row.result), bool(row.muted), row.is_outdated)


async def full(project: RandomProject, target: Path) -> dict[CaseKey, tuple[object, ...]]:
    async with opened(copied(project.root, target)) as (session, _):
        await session.run(all_keys(session))
        board = session.store.board(session.agents[0])
        return {key: said(row) for key, row in board.rows.items()}


async def save(session: Session, project: RandomProject) -> None:
    """Have the session read what differs, as its watcher would, and run what that makes due."""
    loop = session.watch_loop
    paths = {path for path in loop._files() if path.is_file() or not path.exists()}
    new = {*(project.root / "evals").iterdir()}
    await loop._reread(paths | new)
    await settle(session)


async def settle(session: Session) -> None:
    (queue,) = session._queues.by_name.values()
    await queue.load_history()
    queue.run_due(Cause.SAVED, ("a file",))
    while queue._worker is not None and not queue._worker.done():
        await queue._worker


@asynccontextmanager
async def looking(project: RandomProject) -> AsyncIterator[tuple[Session, Ear]]:
    async with opened(project.root) as (session, ear):
        await settle(session)
        yield session, ear


def compare(
    session: Session, wanted: dict[CaseKey, tuple[object, ...]], done: str, found: Found
) -> None:
    board = session.store.board(session.agents[0])
    assert {*board.rows} == {*wanted}, done
    for key, row in board.rows.items():
        found.compared += 1
        if said(row) == wanted[key]:
            continue
        is_verdict = said(row)[:2] != wanted[key][:2]
        if is_verdict and (row.due is not None or row.result is None):
            found.marked += 1
        else:
            found.wrong.append(f"{done}: {key.case}: {said(row)} is {wanted[key]}")


def count(ear: Ear, before: dict[CaseKey, CaseResult], found: Found) -> None:
    """Reruns of cases that had a result, and which of them came to anything else."""
    for event in ear.heard:
        if isinstance(event, CaseFinished):
            result = event.result
            earlier = before.get(result.key)
            if earlier is not None and earlier.response is not None:
                found.reruns += 1
                found.changed += _answer(earlier) != _answer(result)
            before[result.key] = result


def _answer(result: CaseResult) -> tuple[object, ...]:
    response = result.response
    calls = [(call.name, call.params) for call in response.tool_calls] if response else []
    return (*outcome(result), calls, response.text if response else "")


async def edited(
    project: RandomProject, scratch: Path, steps: int, *, tools_only: bool = False
) -> Found:
    found, step = Found(), 0
    before: dict[CaseKey, CaseResult] = {}
    async with looking(project) as (session, ear):
        await session.run(all_keys(session))
        before |= {event.result.key: event.result for event in ear.heard
                   if isinstance(event, CaseFinished)}  # fmt: skip
    while step < steps:
        async with looking(project) as (session, ear):
            count(ear, before, found)
            done = "opened again"
            while True:
                compare(session, await full(project, scratch / f"full{step}"), done, found)
                step += 1
                done = f"{project.kind} step {step}: {project.edit(tools_only=tools_only)}"
                if step >= steps or project.random.random() < RESTARTS:
                    break
                ear.heard.clear()
                await save(session, project)
                count(ear, before, found)
    return found


@pytest.mark.parametrize("kind", ["embedded", "http"])
async def test_a_few_edits(tmp_path: Path, kind: str, url: str) -> None:
    address = url if kind == "http" else ""
    project = RandomProject(tmp_path / "project", kind, 1, url=address, tools=12, cases=6)
    found = await edited(project, tmp_path, 4)
    assert found.wrong == []
    assert found.compared > 15


@pytest.mark.slow
@pytest.mark.timeout(1_800)
@pytest.mark.parametrize("kind", KINDS)
async def test_many_edits(tmp_path: Path, kind: str, url: str) -> None:
    """500 in all; `EVALTUI_EDITS` and `EVALTUI_SEED` try others."""
    steps, seed = (
        int(os.environ.get("EVALTUI_EDITS", "125")),
        int(os.environ.get("EVALTUI_SEED", "7")),
    )
    cases = 60 if kind == "embedded" else 20
    address = url if kind == "http" else ""
    project = RandomProject(tmp_path / "project", kind, seed, url=address, cases=cases)
    found = await edited(project, tmp_path, steps)
    sys.stdout.write(
        f"\n{kind}: {found.compared} compared, {len(found.wrong)} wrong and unmarked, "
        f"{found.marked} marked; {found.reruns} reruns, {found.changed} changed\n"
    )
    assert found.wrong == []
    assert found.compared > steps * 10


@pytest.mark.slow
@pytest.mark.timeout(1_800)
async def test_reruns_of_the_embedded_agent_are_worth_it(tmp_path: Path) -> None:
    """At most 12 reruns for each that comes to something else, over edits of tools."""
    found, sums = Found(), Counter[str]()
    for seed in range(4):
        project = RandomProject(tmp_path / str(seed) / "project", "embedded", seed)
        project.settings["agents"]["it"]["is_free"] = True
        project.write()
        found = await edited(project, tmp_path / str(seed), 25, tools_only=True)
        assert found.wrong == []
        sums.update(reruns=found.reruns, changed=found.changed)
    sys.stdout.write(f"\n{sums['reruns']} reruns, {sums['changed']} changed\n")
    assert sums["changed"] > 10
    assert sums["reruns"] <= 12 * sums["changed"]
