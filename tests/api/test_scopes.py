"""Projects of a workspace are asked one by one; the only one of another folder has everything."""

from pathlib import Path

import pytest

from tests.api.served import RETURNS, ended, serving
from tests.workspaces import (
    ANN,
    BOB,
    HELLO,
    REFUND,
    connector,
    write_config,
    write_entities,
    write_workspace,
)


@pytest.fixture
def two(tmp_path: Path) -> Path:
    """Projects `a` and `b`, each with its own scenario `Refund`; `b` has `Hello` besides."""
    write_config(tmp_path, projects=[{"id": one, "name": one.upper()} for one in "ab"])
    for id_, scenarios in (("a", [REFUND]), ("b", [REFUND, HELLO])):
        data = f"projects/{id_}/data"
        write_entities(tmp_path, "personas", ANN, BOB, data=data)
        write_entities(tmp_path, "scenarios", *scenarios, data=data)
        write_entities(tmp_path, "connectors", connector(), data=data)
    return tmp_path


async def test_each_has_its_own_scenarios_and_eval_files(two: Path) -> None:
    async with serving(two) as client:
        told = (await client.get("/api/projects")).json()
        assert told == [{"id": "a", "name": "A"}, {"id": "b", "name": "B"}]
        scenarios = [
            [one["name"] for one in (await client.get(f"{path}/scenarios")).json()]
            for path in ("/api", "/api/projects/a", "/api/projects/b")
        ]
        assert scenarios == [["Refund", "Refund", "Hello"], ["Refund"], ["Refund", "Hello"]]
        assert (await client.get("/api/scenarios/s-refund")).status_code == 409
        one = (await client.get("/api/projects/a/scenarios/s-refund")).json()
        assert one["file"] == "projects/a/data/scenarios.json"
        assert (await client.get("/api/projects/a/scenarios/s-hello")).status_code == 404
        (file,) = (await client.get("/api/projects/a/evals")).json()
        path = f"/evals/{file['id']}"
        assert (await client.get(f"/api/projects/a{path}")).status_code == 200
        assert (await client.get(f"/api/projects/b{path}")).status_code == 404
        missing = await client.get("/api/projects/c/scenarios")
        assert (missing.status_code, "`a`, `b`" in missing.text) == (404, True)


async def test_a_run_of_one_project_has_only_its_cases(two: Path) -> None:
    async with serving(two, agent=("embedded",)) as client:
        (row,) = (await client.post("/api/projects/a/runs", json={})).json()["runs"]
        run = await ended(client, row["id"])
        assert {one["suite"] for one in run["cases"]} == {"projects/a/data/scenarios.json"}
        body = {"paths": ["projects/b/data/scenarios.json"]}
        assert (await client.post("/api/projects/a/runs", json=body)).status_code == 404


async def test_nothing_is_written_into_another_project(two: Path) -> None:
    projects = [{"id": one, "name": one.upper()} for one in "ab"]
    write_config(two, projects=projects, evals=["projects/*/data/*.json", "evals/*.json"])
    async with serving(two) as client:
        body = {"name": "New", "persona": {"lines": ["Hi"]}, "evaluators": HELLO["evaluators"]}
        answer = await client.post("/api/projects/a/scenarios", json=body)
        assert answer.status_code == 400
        assert "projects/a/data" in answer.json()["error"]["hint"]
    assert not (two / "evals").exists()


async def test_the_only_project_has_everything(root: Path) -> None:
    async with serving(root) as client:
        (only,) = (await client.get("/api/projects")).json()
        path = f"/api/projects/{only['id']}"
        for what in ("scenarios", "evals", "scenarios/Returns", f"evals/{RETURNS}"):
            scoped, whole = [await client.get(f"{one}/{what}") for one in (path, "/api")]
            assert (scoped.status_code, scoped.json()) == (200, whole.json())
        changed = await client.put(f"{path}/scenarios/Returns", json={"maxMessages": 3})
        assert changed.json()["maxMessages"] == 3


async def test_so_has_the_only_project_of_a_workspace(tmp_path: Path) -> None:
    write_workspace(tmp_path)
    async with serving(tmp_path) as client:
        (only,) = (await client.get("/api/projects")).json()
        assert only["name"] == "Shop"
        told = (await client.get(f"/api/projects/{only['id']}/scenarios")).json()
        assert told == (await client.get("/api/scenarios")).json()
