"""The description names what can be asked, and answers are what the command line prints."""

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from evaltui.api.routes import OPERATIONS
from evaltui.cli.main import run_command
from tests.api.served import COUNT, LINES, RAIN, RETURNS, serving


async def test_every_operation_is_described_and_answers(root: Path) -> None:
    async with serving(root) as client:
        told = (await client.get("/api/openapi.json")).json()
    assert told["openapi"].startswith("3.1")
    described = {(method, path) for path, one in told["paths"].items() for method in one}
    assert len(described) == len(OPERATIONS)
    assert ("put", "/api/scenarios/{id}") in described
    for one in told["paths"].values():
        for operation in one.values():
            assert operation["summary"]
            assert {"4XX", "5XX"} <= operation["responses"].keys()


async def test_the_schemas_of_bodies_take_what_is_taken(root: Path) -> None:
    async with serving(root) as client:
        told = (await client.get("/api/openapi.json")).json()

    def validator(name: str) -> Draft202012Validator:
        found = {"$ref": f"#/components/schemas/{name}", "components": told["components"]}
        return Draft202012Validator(found)

    validator("Scenario").validate(RAIN)
    assert not validator("Scenario").is_valid({**RAIN, "maxMessages": "x"})
    validator("RunWanted").validate({"paths": "evals", "trials": 2})
    assert not validator("RunWanted").is_valid({"trust": True})


async def test_results_may_be_asked_for_from_the_first_on(root: Path) -> None:
    async with serving(root) as client:
        told = (await client.get("/api/openapi.json")).json()
    (offset,) = (
        one["schema"]
        for one in told["paths"]["/api/runs/{id}"]["get"]["parameters"]
        if one["name"] == "offset"
    )
    assert (offset["type"], offset["minimum"]) == ("integer", 0)


BODIES: list[tuple[str, dict[str, Any]]] = [
    ("POST", {**RAIN, "name": "New"}),
    ("POST", {**RAIN, "name": "New", "file": RETURNS}),
    ("POST", {**RAIN, "name": "New", "file": "evals/a.json"}),
    ("POST", {**RAIN, "name": "New", "file": 3}),
    ("POST", {**RAIN, "name": "New", "maxMessages": None, "persona": None}),
    ("POST", {**RAIN, "name": "New", "persona": {"lines": LINES, "description": None}}),
    ("POST", {**RAIN, "name": None}),
    ("POST", {"evaluators": [COUNT]}),
    ("POST", {**RAIN, "name": "New", "evaluators": [{"config": {}}]}),
    ("POST", {**RAIN, "name": "New", "messages": [{"role": "robot", "content": "x"}]}),
    ("PUT", {}),
    ("PUT", {"maxMessages": 4}),
    ("PUT", {"maxMessages": None}),
    ("PUT", {"maxMessages": 0}),
    ("PUT", {"name": None}),
    ("PUT", {"name": "Other", "file": RETURNS}),
    ("PUT", {"failureCriteriaMode": "never"}),
    ("PUT", {"anything": [1]}),
]


@pytest.mark.parametrize(("method", "body"), BODIES, ids=[json.dumps(one)[-60:] for one in BODIES])
async def test_what_the_description_takes_is_what_is_taken(
    root: Path, method: str, body: dict[str, Any]
) -> None:
    path = "/api/scenarios" + ("/Returns" if method == "PUT" else "")
    async with serving(root) as client:
        told = (await client.get("/api/openapi.json")).json()
        taken = (await client.request(method, path, json=body)).is_success
    operation = told["paths"][path.replace("Returns", "{id}")][method.lower()]
    schema = operation["requestBody"]["content"]["application/json"]["schema"]
    validator = Draft202012Validator({**schema, "components": told["components"]})
    assert validator.is_valid(body) == taken


@pytest.mark.parametrize(
    ("method", "path"),
    [("post", "/api/scenarios"), ("put", "/api/scenarios/{id}"), ("post", "/api/runs")],
)
async def test_a_body_that_is_required_may_not_be_empty(root: Path, method: str, path: str) -> None:
    async with serving(root) as client:
        told = (await client.get("/api/openapi.json")).json()
        taken = (await client.request(method, path.replace("{id}", "Returns"))).is_success
    assert told["paths"][path][method]["requestBody"]["required"] != taken


@pytest.mark.parametrize(
    "query", ["offset=-1", "limit=1001", "limit=5", "status=x", "status=passed"]
)
async def test_what_the_description_says_of_a_query_is_so(root: Path, query: str) -> None:
    name, _, value = query.partition("=")
    async with serving(root) as client:
        told = (await client.get("/api/openapi.json")).json()
        (row,) = (await client.post("/api/runs", json={})).json()["runs"]
        taken = (await client.get(f"/api/runs/{row['id']}?{query}")).is_success
    listed = told["paths"]["/api/runs/{id}"]["get"]["parameters"]
    (schema,) = [one["schema"] for one in listed if one["name"] == name]
    typed = int(value) if schema.get("type") == "integer" else value
    assert Draft202012Validator(schema).is_valid(typed) == taken


async def test_evaluator_types_are_those_of_the_command_line(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run_command(["evaluators", "list", "--json", "-C", str(root)])
    wanted = json.loads(capsys.readouterr().out)
    async with serving(root) as client:
        assert (await client.get("/api/evaluator-types")).json() == wanted
        first = wanted[0]
    assert (first["type"], first["kind"], first["builtin"]) == ("tool-call-count", "metric", True)


async def test_eval_files_are_told_with_their_cases(root: Path) -> None:
    async with serving(root) as client:
        listed = (await client.get("/api/evals")).json()
        assert [(one["id"], one["tier"], one["totalCases"]) for one in listed] == [
            ("evals/find_order.golden.json", "golden", 2),
            ("evals/play_music.golden.json", "golden", 1),
            ("evals/returns.scenario.json", "scenario", 1),
        ]
        one = (await client.get("/api/evals/evals/find_order.golden.json")).json()
        assert one["cases"][0]["message"] == "Look up order SO-1"
