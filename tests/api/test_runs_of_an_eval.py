"""An eval of a workspace is run with its own scenarios and its own connector, and nothing else."""

import asyncio
from pathlib import Path

from tests.agents.servers import Asked, answer
from tests.agents.servers import serving as answering
from tests.api.served import ended, serving
from tests.workspaces import EVAL, connector, write_entities, write_workspace


async def says(_: Asked, writer: asyncio.StreamWriter) -> bool:
    writer.write(answer({"message": {"content": "Hello"}}))
    return True


async def test_only_its_scenarios_are_held_with_only_its_connector(tmp_path: Path) -> None:
    small = {"id": "e-2", "name": "Small", "scenarioIds": ["s-refund"], "connectorId": "c-2"}
    async with answering(says) as first, answering(says) as second:
        write_workspace(tmp_path)
        other = {**connector(second.url), "id": "c-2", "name": "Other"}
        write_entities(tmp_path, "connectors", connector(first.url), other)
        write_entities(tmp_path, "evals", EVAL, small)
        async with serving(tmp_path) as client:
            (row,) = (await client.post("/api/runs", json={"eval": "Small"})).json()["runs"]
            run = await ended(client, row["id"])
            assert row["agent"] == "Other"
            told = {one["id"]: one["status"] for one in run["cases"]}
            assert told == {"Refund (Ann)": "passed", "Refund (Bob)": "passed"}
            assert {one["run"]["evalId"] for one in run["cases"]} == {"e-2"}
            (one,) = (one["run"] for one in run["cases"] if one["id"] == "Refund (Ann)")
            assert (await client.get(f"/api/runs/{one['id']}")).json()["evalId"] == "e-2"
            both = await client.post("/api/runs", json={"eval": "Small", "paths": ["x"]})
            assert (both.status_code, "cannot be combined" in both.text) == (400, True)
            gone = await client.post("/api/runs", json={"eval": "No"})
            assert "no eval `No`" in gone.text
    assert not first.asked
    assert second.asked
