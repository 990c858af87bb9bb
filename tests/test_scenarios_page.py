"""The page about scenarios: its examples are held, and its commands do what it says."""

import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from evaltui.cli.main import run_command
from tests.projects import write_tools
from tests.test_guide_examples import TOOL

PAGE = (Path(__file__).parent.parent / "docs" / "guide" / "scenarios.md").read_text("utf-8")
FILE = "evals/returns.scenario.json"
PLAYED = """
import json


def play(question):
    \"\"\"The judge, and whoever plays the user.\"\"\"
    if "successMet" not in question:
        return "When do I get my money?"
    said = {"successMet": "refunded" in question, "failureMet": False}
    return json.dumps({**said, "confidence": 1, "reasoning": "It says so."})


def answer(message):
    return {"response": "The money is refunded.", "toolCalls": []}
"""
SETTINGS = """
registry = "tools.json"
agent = "mine"

[agents.mine]
type = "python"
function = "played.py:answer"

[judge]
type = "python"
function = "played.py:play"
"""


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    write_tools(tmp_path, (TOOL,))
    (tmp_path / "evals").mkdir()
    return tmp_path


def write(root: Path, *examples: str) -> None:
    (root / FILE).write_text(json.dumps([json.loads(one) for one in examples]), encoding="utf-8")


def held(root: Path, capsys: Any, code: int = 0) -> list[dict[str, Any]]:
    words = ["scenario", "run", str(root / FILE), "--json", "--trust", "-C", str(root)]
    assert run_command(words) == code
    found: list[dict[str, Any]] = json.loads(capsys.readouterr().out)
    return found


def test_with_lines_it_is_held_without_a_model(root: Path, capsys: Any) -> None:
    with_lines, _ = blocks("json")
    write(root, with_lines)
    (one,) = held(root, capsys)
    said = [message["content"] for message in one["messages"] if message["role"] == "user"]
    assert said == json.loads(with_lines)["persona"]["lines"]
    assert len(one["output"]["turns"]) == 3
    assert one["output"]["metrics"].keys() == {"tool-call-count"}


def test_with_criteria_it_needs_the_judge(root: Path, capsys: Any) -> None:
    _, with_criteria = blocks("json")
    write(root, with_criteria)
    (one,) = held(root, capsys, 1)
    assert one["status"] == "skipped", "without a model it is no pass"
    (root / "played.py").write_text(PLAYED, encoding="utf-8")
    (root / "evaltui.toml").write_text(SETTINGS, encoding="utf-8")
    (one,) = held(root, capsys)
    assert one["output"]["evaluation"]["successMet"]


def test_its_commands_run_one_after_the_other(root: Path, capsys: Any, monkeypatch: Any) -> None:
    write(root, blocks("json")[0].replace("A coat or not", "Refund"))
    monkeypatch.chdir(root)
    (console,) = blocks("console")
    commands = re.findall(r"^\$ evaltui (.*)$", console, re.MULTILINE)
    assert [line.split()[:2] for line in commands] == [
        ["scenario", "validate"],
        ["scenario", "run"],
        ["runs", "list"],
        ["runs", "show"],
    ]
    id_ = ""
    for line in commands:
        words = [id_[:8] if word == "9bb486a8" else word for word in shlex.split(line)]
        assert run_command(words) == 0, line
        printed = capsys.readouterr().out
        assert "Refund" in printed or "validate" in line
        id_ = json.loads(printed)[0]["id"] if words[:2] == ["scenario", "run"] else id_
