"""`evaltui runs`: what was held is listed, and each is shown as its run wrote it."""

import json
import random
import re
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
        differ = {"startedAt", "completedAt", "latencyMs"}  # rounded where they are kept
        for key in told.keys() - differ:
            assert told[key] == now[key]
        assert told.keys() == now.keys()
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
    assert "· measured Tool Call Count 1: " in shown
    assert "· measured Tool Call Count 0: " in shown
    assert shown.count("· measured Tool Call Count") == len(first["output"]["turns"]) == 2


@pytest.mark.parametrize("is_judged", [True, False])
def test_whether_anything_was_asserted_outlives_the_answer(
    root: Path, capsys: Any, *, is_judged: bool
) -> None:
    held(root, capsys, *([LENGTH] if is_judged else []), COUNT)
    for path in ((root / "evals" / "results").glob("*.json"), (root / ".evaltui").rglob("*.jsonl")):
        for one in path:
            one.unlink()
    (told,) = runs(root, capsys, "list", "--json")
    assert told["result"]["success"] is True
    assert told["result"].get("nothingAsserted", False) is not is_judged
    assert told["result"]["reason"] == "All evaluators passed"


def test_a_failed_one_whose_answer_is_gone_is_still_a_failed_one(root: Path, capsys: Any) -> None:
    failed = held(root, capsys, TIGHT)
    for path in ((root / "evals" / "results").glob("*.json"), (root / ".evaltui").rglob("*.jsonl")):
        for one in path:
            one.unlink()
    (told,) = runs(root, capsys, "list", "--json")
    assert told["result"]["success"] is False
    kept = told["result"]["reason"].removeprefix("response-length: ")
    assert failed["result"]["reason"].endswith(f" {kept}")
    assert "output" not in told
    assert "✗ failed" in runs(root, capsys, "list")
    assert "no longer kept" in runs(root, capsys, "show", told["id"])


def test_the_messages_are_counted_as_everywhere(root: Path, capsys: Any) -> None:
    called = {"id": "c1", "function": {"name": "get_weather", "arguments": "{}"}}
    seeds = [
        {"role": "user", "content": "Hi"},
        {"role": "assistant", "content": "", "tool_calls": [called]},
        {"role": "tool", "content": "rain", "tool_call_id": "c1"},
        {"role": "assistant", "content": "It rains."},
    ]
    write(root, LENGTH, messages=seeds)
    told = run(root, capsys, "run")[1][0]
    assert len(told["messages"]) > told["output"]["messageCount"]
    shown = runs(root, capsys, "show", told["id"])
    assert shown.splitlines()[-1].strip() == f"{told['output']['messageCount']} messages"


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
    scenario = {"name": "Refund", "case": "Refund (Ann)", "file": f"{DATA}/scenarios.json"}
    assert told == {**KEPT, **STAMPS, "agent": "Shop", "scenario": scenario}
    assert "✗ failed   Refund (Ann)  Shop" in runs(tmp_path, capsys, "list")
    shown = runs(tmp_path, capsys, "show", "9a1b")
    assert "criteria  failureMet: Rude." in shown
    assert "assistant:" in shown


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("scenarioId", {"k": "s1"}, "`scenarioId` is not text"),
        ("latencyMs", 10**400, "`latencyMs` is not a number from 0"),
        ("messages", [1], "`messages` is not a list of objects"),
        ("result", ["x"], "`result` is not an object"),
        ("output", {"metrics": {"n": 10**400}, "turns": 5}, ""),
        ("executionId", [7], "`executionId` is not a whole number or text"),
    ],
)
def test_what_is_wrong_in_one_is_left_out_and_said_with_its_place(
    tmp_path: Path, capsys: Any, key: str, value: Any, said: str
) -> None:
    path = write_entities(write_workspace(tmp_path), "runs", {**KEPT, key: value}, KEPT | {"id": 5})
    assert run_command(["runs", "list", "--json", "-C", str(tmp_path)]) == 0
    shown = capsys.readouterr()
    (told,) = json.loads(shown.out)
    assert (key in told) is (not said)
    lines = path.read_text().splitlines()
    line = next(at for at, text in enumerate(lines, 1) if text.startswith(f'    "{key}"'))
    assert (f"runs.json:{line}:" in shown.err) is bool(said)
    assert said in shown.err
    assert "This is not a run" in shown.err
    for words in (("list",), ("show", KEPT["id"])):
        assert run_command(["runs", *words, "-C", str(tmp_path)]) == 0


ODD: list[Any] = [
    None, True, -1, 1e308, 10**400, "", [], {}, [[]], [None], {"a": None}, "x" * 5000,
    "\x1b[31m", "../x", [{"role": [1]}], {"turns": [{"lastMessage": []}]}, {"metrics": {"": [1]}},
]  # fmt: skip


def mutated(chance: random.Random) -> Any:
    """A run with one to three values at any depth that are something else."""
    run = json.loads(json.dumps(KEPT | {"output": OUTPUT}))
    for _ in range(chance.randint(1, 3)):
        at, inner = run, chance.choice(sorted(run))
        while isinstance(at[inner], dict | list) and at[inner] and chance.random() < 0.6:
            at = at[inner]
            inner = chance.choice(sorted(at) if isinstance(at, dict) else range(len(at)))
        at[inner] = chance.choice(ODD)
    return run


OUTPUT = {
    "evaluation": {"successMet": False, "failureMet": True, "confidence": 1, "reasoning": "r"},
    "evaluatorResults": [{"type": "t", "label": "l", "success": True, "value": 1, "reason": "r"}],
    "turns": [{"lastMessage": 1, "evaluatorResults": [{"type": "t", "success": False}]}],
    "metrics": {"tool-call-count": 1},
}


@pytest.mark.parametrize("seeds", [range(40), pytest.param(range(40, 400), marks=pytest.mark.slow)])
def test_whatever_stands_in_them_they_are_listed_and_shown(
    tmp_path: Path, capsys: Any, seeds: range
) -> None:
    chance = [mutated(random.Random(seed)) for seed in seeds]
    kept = [{**one, "id": f"{at:03}"} for at, one in enumerate(chance)]
    write_entities(write_workspace(tmp_path), "runs", *kept)
    limit = ("--limit", str(len(kept)))
    assert len(runs(tmp_path, capsys, "list", *limit, "--json")) == len(kept)
    assert len(runs(tmp_path, capsys, "list", *limit).splitlines()) >= len(kept)
    shown = range(0, len(kept), 10)
    for at in shown:
        assert runs(tmp_path, capsys, "show", kept[at]["id"]).startswith(kept[at]["id"])


ACTING = "\x1b]0;EVIL\x07\x1b[2J\u202e\x9b31m\n::error::x"


@pytest.mark.parametrize("key", ["id", "status", "scenarioId", "connectorId", "error", "reason"])
def test_nothing_in_them_acts_on_the_terminal(tmp_path: Path, capsys: Any, key: str) -> None:
    run = {**KEPT, "status": "queued", key: ACTING}
    write_entities(write_workspace(tmp_path), "runs", run)
    listed = runs(tmp_path, capsys, "list")
    shown = runs(tmp_path, capsys, "show", str(run["id"]))
    for out in (listed, shown):
        assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]|^ *::", out, re.MULTILINE)


OWN = """
from evaltui import define_evaluator
@define_evaluator("broken", label="Broken", kind="metric")
def broken(ctx):
    raise ValueError("no table")
"""


def test_a_run_is_shown_as_it_was_told_when_it_was_held(root: Path, capsys: Any) -> None:
    (root / "evaltui.toml").write_text('evaluators = ["./own.py"]\n')
    (root / "own.py").write_text(OWN)
    blocks = [{"type": "text", "text": "Good"}, {"type": "text", "text": "morning"}]
    write(root, LENGTH, {"type": "token-budget", "config": {"maxTokens": 1}}, {"type": "broken"})
    scenario = json.loads((root / FILE).read_text())
    scenario[0]["messages"] = [{"role": "user", "content": blocks}]
    (root / FILE).write_text(json.dumps(scenario))
    run_command(["scenario", "run", str(root / FILE), "--trust", "-C", str(root)])
    told = [line.partition("turn ")[2][3:] for line in capsys.readouterr().out.splitlines()[1:]]
    (one,) = runs(root, capsys, "list", "--json")
    shown = runs(root, capsys, "show", one["id"]).splitlines()
    judged = [line.strip() for line in shown if line.startswith("    ")]
    assert judged == [line for line in told if line]
    assert {line.partition("  ")[0] for line in judged} == {"✓ passed", "○ skipped", "! error"}
    assert shown[1] == "  user: Good⏎morning"
    assert runs(root, capsys, "list").split("  ")[2] == "✓ passed"  # a metric never decides
