"""A mistake is the same JSON whichever command tells of it."""

import json
from pathlib import Path

import pytest

from evaltui.cli.main import run_command

FILE = "evals/a.scenario.json"
SCENARIO = {
    "name": "Rain",
    "persona": {"lines": ["Hello"]},
    "evaluators": [{"type": "respons-length", "config": {"max": 10}}],
}


def test_every_command_tells_a_mistake_alike(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "evals").mkdir()
    (tmp_path / FILE).write_text(json.dumps(SCENARIO, indent=1))
    (tmp_path / "evaltui.toml").write_text('agent = "embedded"\n')
    told = []
    for command in (("check",), ("evaluators", "check"), ("scenario", "validate")):
        assert run_command([*command, "--json", "--trust", "-C", str(tmp_path)]) == 2
        said = json.loads(capsys.readouterr().out)
        listed = said["errors"] if "errors" in said else said["problems"]
        told.append([one for one in listed if one["file"] == FILE and one["severity"] == "error"])
    assert told == [told[0]] * 3
    (one,) = told[0]
    assert one == {
        "file": FILE,
        "line": 10,
        "column": one["column"],
        "pointer": "/evaluators/0/type",
        "message": one["message"],
        "hint": "Did you mean `response-length`?",
        "severity": "error",
        "code": "unknown-evaluator",
        "case": "Rain",
    }
    assert one["message"] and one["column"]
