"""Who runs here is named as far as it is known, and told of when it is somebody else."""

import asyncio
import os
import socket
from pathlib import Path

import pytest

from evaltui.core.events import RunnerChanged
from evaltui.disk.runner_lock import Runner, RunnerLock
from evaltui.session import Session
from evaltui.session.event_bus import EventBus
from evaltui.session.project_state import ProjectState
from evaltui.session.who_runs import WhoRuns
from evaltui.settings.load import load_config
from evaltui.store.store import Store
from tests.projects import make_project
from tests.session.test_session import Ear

HERE = socket.gethostname()


def made(root: Path) -> tuple[WhoRuns, Ear]:
    events, ear = EventBus(Store()), Ear()
    events.add_sink(ear)
    return WhoRuns(ProjectState(load_config(root, {}).config, {}, (), events)), ear


def test_the_first_runs_and_the_next_one_once_that_has_let_go(tmp_path: Path) -> None:
    first, _ = made(tmp_path)
    second, ear = made(tmp_path)
    assert first.claim() and (first.other, first.refusal) == ("", "")
    for _ in range(2):
        assert not second.claim()
    pid = f"pid {os.getpid()}"
    assert second.other == pid
    assert second.refusal == f"the dashboard with {pid} runs here: what you save reruns there"
    first.release()
    for _ in range(2):
        assert second.claim()
    assert (second.other, second.refusal) == ("", "")
    assert ear.all(RunnerChanged) == [RunnerChanged(pid), RunnerChanged("")], "each once"
    assert not first.claim()
    for one in (first, second):
        one.release()


@pytest.mark.parametrize(
    ("holder", "name"),
    [
        (None, "another process"),
        (Runner(7, HERE, 1.0), "pid 7"),
        (Runner(7, "elsewhere", 1.0), "pid 7 on elsewhere"),
    ],
)
def test_it_is_named_with_its_machine_where_that_is_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, holder: Runner | None, name: str
) -> None:
    monkeypatch.setattr(RunnerLock, "take", lambda _: False)
    monkeypatch.setattr(RunnerLock, "holder", lambda _: holder)
    who, ear = made(tmp_path)
    assert not who.claim()
    assert who.other == name
    assert ear.all(RunnerChanged) == [RunnerChanged(name)]


def test_what_let_go_runs_here_no_more_and_holds_no_file(tmp_path: Path) -> None:
    who, _ = made(tmp_path)
    assert who.claim()
    who.release()
    assert not who.claim(), "somebody looks once more while the session ends"
    other, _ = made(tmp_path)
    assert other.claim(), "and the lock is free"
    other.release()


async def test_a_session_that_is_cancelled_while_it_closes_lets_go(tmp_path: Path) -> None:
    session = Session(load_config(make_project(tmp_path), {}).config)
    ear = Ear()
    session.add_sink(ear)
    await session.open()
    watching = asyncio.create_task(session.watch())
    await ear.until(lambda: bool(ear.runs()))
    closing = asyncio.create_task(session.close())
    await asyncio.sleep(0)
    closing.cancel()
    await asyncio.gather(closing, return_exceptions=True)
    other, _ = made(tmp_path)
    assert closing.cancelled() and other.claim()
    other.release()
    await session.close()
    watching.cancel()
    await asyncio.gather(watching, return_exceptions=True)
