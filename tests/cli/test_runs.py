"""`evaltui runs`: what was held is listed, and each is shown as its run wrote it."""

import json
from pathlib import Path
from typing import Any

import pytest

from evaltui.cli.main import run_command
from tests.cli.test_scenario import COUNT, FILE, LENGTH, TOOL, run, write
from tests.projects import write_tools
from tests.workspaces import DATA, STAMPS, write_entities, write_workspace

TIGHT = {"type": "response-length", "config": {"max": 1}}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    write_tools(tmp_path, (TOOL,))
    (tmp_path / "evals").mkdir()
    return tmp_path


def runs(root: Path, capsys: Any, *words: str) -> Any:
    assert run_command(["runs", *words, "-C", str(root)]) == 0
    said = capsys.readouterr().out
    return json.loads(said) if "--json" in words else said


def held(root: Path, capsys: Any, *evaluators: Any) -> Any:
    write(root, *evaluators)
    return run(root, capsys, "run")[1][0]


def test_each_is_listed_newest_first_as_its_run_printed_it(root: Path, capsys: Any) -> None:
    first = held(root, capsys, LENGTH, COUNT)
    second = held(root, capsys, TIGHT)
    listed = runs(root, capsys, "list", "--json")
    assert [one["id"] for one in listed] == [second["id"], first["id"]]
    assert first["id"] != second["id"]
    for told, now in zip((second, first), listed, strict=True):
        assert now["latencyMs"] == pytest.approx(told["latencyMs"], abs=1)
        differ = {"executionId", "completedAt", "latencyMs"}  # rounded where they are kept
        for key in told.keys() - differ:
            assert told[key] == now[key]
        assert told.keys() == now.keys() - {"executionId"}
    assert [one["executionId"] for one in listed] == [2, 1]


def test_one_is_shown_by_the_beginning_of_its_id(root: Path, capsys: Any) -> None:
    first = held(root, capsys, LENGTH, COUNT)
    held(root, capsys, TIGHT)
    told = runs(root, capsys, "show", first["id"][:12], "--json")
    assert (told["id"], told["output"]) == (first["id"], first["output"])
    shown = runs(root, capsys, "show", first["id"])
    assert "user: What is the weather in Paris?" in shown
    metrics = json.dumps(told["output"]["metrics"])
    assert metrics == json.dumps(first["output"]["metrics"]) == '{"tool-call-count": 0}'
    assert "\n  tool-call-count 0\n" in shown
    assert "✓ Tool Call Count 1: " in shown
    assert "✓ Tool Call Count 0: " in shown
    assert shown.count("✓ Tool Call Count") == len(first["output"]["turns"]) == 2


def test_a_failed_one_whose_answer_is_gone_is_still_a_failed_one(root: Path, capsys: Any) -> None:
    failed = held(root, capsys, TIGHT)
    for path in ((root / "evals" / "results").glob("*.json"), (root / ".evaltui").rglob("*.jsonl")):
        for one in path:
            one.unlink()
    (told,) = runs(root, capsys, "list", "--json")
    assert told["result"]["success"] is False
    assert failed["result"]["reason"].endswith(f" {told['result']['reason']}")
    assert "output" not in told
    assert "✗ failed" in runs(root, capsys, "list")
    assert "not kept any more" in runs(root, capsys, "show", told["id"])


def test_the_list_can_be_narrowed(root: Path, capsys: Any) -> None:
    held(root, capsys, LENGTH)
    held(root, capsys, TIGHT)
    assert len(runs(root, capsys, "list", "--json", "--limit", "1")) == 1
    assert len(runs(root, capsys, "list", "--json", "--scenario", "rai")) == 2
    assert runs(root, capsys, "list", "--json", "--scenario", "snow") == []


@pytest.mark.parametrize("words", [("show", "zz"), ("list", "--limit", "0")])
def test_what_makes_no_sense_is_said(root: Path, capsys: Any, words: tuple[str, ...]) -> None:
    held(root, capsys, LENGTH)
    assert run_command(["runs", *words, "-C", str(root)]) == 2
    assert capsys.readouterr().err
    assert (root / FILE).exists()


KEPT: dict[str, Any] = {
    "id": "9a1b2c3d-0000-4000-8000-000000000001",
    "evalId": "e-1",
    "scenarioId": "s-refund",
    "personaId": "u-ann",
    "connectorId": "c-1",
    "executionId": 7,
    "status": "completed",
    "messages": [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": None}],
    "result": {"success": False, "score": 0.2, "reason": "Rude."},
    "output": {
        "evaluation": {
            "successMet": False,
            "failureMet": True,
            "confidence": 0.2,
            "reasoning": "Rude.",
        }
    },
}


def test_those_that_evalstudio_kept_are_among_them(tmp_path: Path, capsys: Any) -> None:
    write_entities(write_workspace(tmp_path), "runs", KEPT, "odd", {"status": "queued"})
    (told,) = runs(tmp_path, capsys, "list", "--json")
    scenario = {"name": "Refund", "file": f"{DATA}/scenarios.json"}
    assert told == {**KEPT, **STAMPS, "scenario": scenario}
    assert "✗ failed" in runs(tmp_path, capsys, "list")
    shown = runs(tmp_path, capsys, "show", "9a1b")
    assert "criteria  failureMet: Rude." in shown
    assert "assistant:" in shown
