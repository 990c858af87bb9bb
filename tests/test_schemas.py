"""The schemas that editors are given say what the program reads."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import tomli

from evaltui.expectations import ASSERTIONS
from evaltui.formats import read_suite
from evaltui.settings.load import load_config
from evaltui.traces.validation import validate

ROOT = Path(__file__).parent.parent
SAMPLE = ROOT / "sample_evals"
EVALS = sorted((SAMPLE / "evals").glob("*.*.json"))


def schema(name: str) -> Any:
    return json.loads((ROOT / "schemas" / f"{name}.json").read_bytes())


def accepts(name: str, value: object) -> bool:
    return bool(jsonschema.Draft202012Validator(schema(name)).is_valid(value))


def test_they_are_up_to_date() -> None:
    script = ROOT / "scripts" / "schemas.py"
    done = subprocess.run([sys.executable, script, "--check"], cwd=ROOT, check=False)
    assert done.returncode == 0, "run `python scripts/schemas.py`"


@pytest.mark.parametrize("name", [path.stem for path in (ROOT / "schemas").glob("*.json")])
def test_each_is_a_schema(name: str) -> None:
    jsonschema.Draft202012Validator.check_schema(schema(name))


@pytest.mark.parametrize("path", EVALS, ids=[path.name for path in EVALS])
def test_sample_evals_are_as_the_schema_says(path: Path) -> None:
    if path.name.endswith(".trace.json"):  # of these `evaltui schema validate` is the schema
        assert validate(json.loads(path.read_bytes()), strict=True).passed
        return
    name = "scenario" if path.name.endswith(".scenario.json") else "evals"
    assert accepts(name, json.loads(path.read_bytes()))


def test_sample_settings_are_as_the_schema_says() -> None:
    assert accepts("settings", tomli.loads((SAMPLE / "evaltui.toml").read_text("utf-8")))


def test_every_assertion_has_its_part_of_expect() -> None:
    expect = schema("evals")["$defs"]["EvalCase"]["properties"]["expect"]
    branches = expect.get("anyOf", [expect])
    (known,) = [set(one["properties"]) for one in (expect, *branches) if "properties" in one][:1]
    assert known == set(ASSERTIONS)


CASE = {"id": "a", "input": {"message": "m"}, "expect": {}}


@pytest.mark.parametrize(
    ("changes", "is_good"),
    [
        ({}, True),
        ({"stubs": None, "tags": ["x"], "maxTurns": 5.0}, True),
        ({"maxTurns": 0}, False),
        ({"input": "m"}, False),
        ({"input": {}}, False),
        ({"stubs": []}, False),
        ({"id": None}, False),
    ],
)
def test_a_case_is_good_for_both_or_for_none(changes: dict[str, Any], is_good: bool) -> None:
    case = {**CASE, **changes}
    text = json.dumps([case]).encode()
    suite = read_suite(Path("/p/a.json"), Path("/p"), text).suite
    assert suite is not None
    assert (suite.cases[0].invalid == "") is is_good
    assert accepts("evals", [case]) is is_good


@pytest.mark.parametrize(
    ("table", "is_good"),
    [
        ({"concurrency": 10_000, "evals": "a.json", "agent": ["a"], "timeoutMs": 5}, True),
        ({"registries": [{"path": "a", "pointer": "/x"}], "watch": {"poll": True}}, True),
        ({"concurrency": 0}, False),
        ({"failOn": ["failure"]}, False),
        ({"watch": {"pol": True}}, False),
        ({"keys": {"preset": "vim"}}, False),
        ({"agents": {"a": {"type": "http", "url": "http://x", "maxCostUsd": 1}}}, True),
        ({"agents": {"a": {"maxCostUsd": -1}}}, False),
    ],
)
def test_settings_are_good_for_both_or_for_none(
    table: dict[str, Any], is_good: bool, tmp_path: Path
) -> None:
    (tmp_path / "evaltui.config.json").write_text(json.dumps({"agents": {"a": {}}, **table}))
    assert (load_config(tmp_path).problems == ()) is is_good
    assert accepts("settings-json", table) is is_good


@pytest.mark.parametrize(
    ("profile", "is_good"),
    [
        ({"type": "http", "url": "http://x", "max_cost_usd": 1, "retries": 2}, True),
        ({"url": "http://x"}, True),
        ({"url": "http://x", "nonsense": 1}, False),
        ({"type": "http"}, False),
        ({"type": "openai", "model": "m", "temperature": -1}, False),
        ({"type": "of tomorrow", "nonsense": 1}, True),
    ],
)
def test_profiles_in_settings_are_looked_at_by_their_type(
    profile: dict[str, Any], is_good: bool
) -> None:
    assert accepts("settings", {"agents": {"a": profile}}) is is_good
