"""Events of a run: those of the command line, live or afterwards, from any of them on."""

import json
from pathlib import Path

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
