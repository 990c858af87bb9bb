"""The description names what can be asked, and answers are what the command line prints."""

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from evaltui.api.routes import OPERATIONS
from evaltui.cli.main import run_command
from tests.api.served import RAIN, serving


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
