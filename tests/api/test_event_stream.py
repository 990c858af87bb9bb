"""Events of a run: those of the command line, live or afterwards, from any of them on."""

import asyncio
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, cast

import pytest

from evaltui.api.app import make_app
from evaltui.api.door import Door
from evaltui.api.event_stream import stream_of
from evaltui.api.held_run import HeldRun
from evaltui.core.events import RunStarted
from evaltui.disk.codec import encode_event
from evaltui.files import open_file
from tests.api.served import ended, events_in, serving


async def test_a_run_that_is_on_is_followed_to_its_end(root: Path) -> None:
    async with serving(root) as client:
        (row,) = (await client.post("/api/runs", json={})).json()["runs"]
        answer = await client.get(f"/api/runs/{row['id']}/events")
        assert answer.headers["content-type"].startswith("text/event-stream")
        events = events_in(answer.text)
        parts = ("RunStarted", "CaseFinished", "RunFinished")
        said = [one["event"] for one in events]
        assert [one for one in said if one in parts] == [parts[0], *[parts[1]] * 4, parts[2]]
        assert {one["run_id"] for one in events} == {row["id"]}
        told = await ended(client, row["id"])
        keys = ["::".join(one["result"]["key"]) for one in events if "result" in one]
        assert keys == [one["key"] for one in told["cases"]]
        again = events_in((await client.get(f"/api/runs/{row['id']}/events")).text)
        assert again == events


async def test_whoever_lost_the_connection_goes_on_from_the_last_event(root: Path) -> None:
    async with serving(root) as client:
        (row,) = (await client.post("/api/runs", json={})).json()["runs"]
        text = (await client.get(f"/api/runs/{row['id']}/events")).text
        blocks = text.strip().split("\n\n")
        assert len(blocks) > 3
        for number, block in enumerate(blocks):
            last = block.split("\n")[0].removeprefix("id: ")
            path, headers = f"/api/runs/{row['id']}/events", {"Last-Event-ID": last}
            rest = (await client.get(path, headers=headers)).text
            assert rest.strip().split("\n\n") == (blocks[number + 1 :] or [""])
        data = json.loads(blocks[0].split("\n")[2].removeprefix("data: "))
        assert block.split("\n")[1] == "event: RunFinished"
        assert data["event"] == "RunStarted"


class Holding:
    """A run that is on, and whose journal has written nothing of itself to its file yet."""

    is_over = False

    def __init__(self, path: Path) -> None:
        self._path = path

    @contextmanager
    def listening(self) -> Iterator[asyncio.Event]:
        yield asyncio.Event()

    def flush(self) -> None:
        started = RunStarted("run-1", "embedded/1", 1, (), "asked for")
        self._path.write_bytes(encode_event(started) + b"\n")


async def test_what_happened_is_told_though_the_journal_keeps_it_back(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    path.touch()
    with path.open("rb") as file:
        stream = stream_of(file, cast(HeldRun, Holding(path)), 0)
        async with asyncio.timeout(5):
            told = await anext(stream)
        await stream.aclose()
    assert b"event: RunStarted" in told


async def test_between_two_events_it_can_be_heard_that_the_client_has_left(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    started = RunStarted("run-1", "embedded/1", 1, (), "asked for")
    path.write_bytes((encode_event(started) + b"\n") * 5)
    heard: list[int] = []
    with path.open("rb") as file:
        told = 0
        async for _ in stream_of(file, None, 0):
            assert heard == [*range(told)]
            asyncio.get_running_loop().call_soon(heard.append, told)
            told += 1
    assert told == 5


async def test_from_a_place_that_is_not_there_all_is_told(root: Path) -> None:
    async with serving(root) as client:
        (row,) = (await client.post("/api/runs", json={})).json()["runs"]
        path = f"/api/runs/{row['id']}/events"
        text = (await client.get(path)).text
        for last in ("999999999999999", "-1", "x", ""):
            assert (await client.get(path, headers={"Last-Event-ID": last})).text == text


@pytest.mark.usefixtures("slow")
async def test_so_many_are_followed_at_once_and_no_more(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("evaltui.api.runs.MOST_FOLLOWING", 2)
    async with serving(root, trust=True) as client:
        (row,) = (await client.post("/api/runs", json={})).json()["runs"]
        path = f"/api/runs/{row['id']}/events"
        asked = {asyncio.ensure_future(client.get(path)) for _ in range(3)}
        async with asyncio.timeout(20):
            (refused,), others = await asyncio.wait(asked, return_when=asyncio.FIRST_COMPLETED)
            error = refused.result().json()["error"]
            assert (refused.result().status_code, error["code"]) == (409, "conflict")
            assert error["message"] == "2 streams of events are open already."
            await client.post(f"/api/runs/{row['id']}/cancel")
            assert [(await one).status_code for one in others] == [200, 200]
            assert (await client.get(path)).status_code == 200


async def test_a_client_that_left_before_the_first_byte_leaves_nothing_open(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[BinaryIO] = []
    monkeypatch.setattr("evaltui.api.runs.MOST_FOLLOWING", 1)

    def kept(path: Path) -> BinaryIO:
        opened.append(open_file(path))
        return opened[-1]

    monkeypatch.setattr("evaltui.api.runs.open_file", kept)

    async def receive() -> dict[str, Any]:
        return {"type": "http.disconnect"}

    async def send(_: object) -> None:
        await asyncio.Event().wait()  # nobody reads

    async with serving(root) as client:
        (row,) = (await client.post("/api/runs", json={})).json()["runs"]
        await ended(client, row["id"])
        path = f"/api/runs/{row['id']}/events"
        scope: dict[str, Any] = {"type": "http", "method": "GET", "path": path, "query_string": b""}
        scope |= {"headers": [(b"host", b"localhost")], "asgi": {"spec_version": "2.3"}}
        async with asyncio.timeout(5):
            await make_app(root, {}, Door())(scope, receive, send)
        assert [file.closed for file in opened] == [True] * 2
        assert (await client.get(path)).status_code == 200
