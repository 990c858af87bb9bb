"""`evaltui scenario`: all mistakes at once with pointers; runs in the shape of the contract."""

import json
from pathlib import Path
from typing import Any

import pytest

from evaltui.cli.main import run_command
from tests.cli.test_resume import interrupt
from tests.projects import write_tools
from tests.workspaces import DATA, EVAL, HELLO, REFUND, write_entities, write_workspace

TOOL = {
    "name": "get_weather",
    "description": "Says what the weather is like in a city.",
    "parameters": {"type": "object", "properties": {"city": {"type": "string"}}},
}
FILE = "evals/weather.scenario.json"
LINES = ["What is the weather in Paris?", "Thanks"]
LENGTH = {"type": "response-length", "config": {"max": 400}}
COUNT = {"type": "tool-call-count"}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    write_tools(tmp_path, (TOOL,))
    (tmp_path / "evals").mkdir()
    return tmp_path


def write(root: Path, *evaluators: Any, **more: Any) -> None:
    written = {"name": "Rain", "persona": {"lines": LINES}, "evaluators": evaluators, **more}
    (root / FILE).write_text(json.dumps([written], indent=1), encoding="utf-8")


def run(root: Path, capsys: Any, *words: str) -> tuple[int, Any]:
    code = run_command(["scenario", *words, str(root / FILE), "--json", "-C", str(root)])
    return code, json.loads(capsys.readouterr().out or "null")


def test_a_good_file_is_valid(root: Path, capsys: Any) -> None:
    write(root, LENGTH)
    assert run(root, capsys, "validate") == (0, {"valid": True, "scenarios": 1, "errors": []})


def test_all_mistakes_come_at_once_with_their_pointers(root: Path, capsys: Any) -> None:
    wrong = {"type": "response-length", "config": {"max": "many"}}
    write(root, wrong, {"type": "regx"}, maxMessages=1)
    code, said = run(root, capsys, "validate")
    assert (code, said["valid"], said["scenarios"]) == (2, False, 1)
    found = {one["pointer"]: one for one in said["errors"]}
    assert set(found) == {
        "/0/evaluators/0/config/max",
        "/0/evaluators/1/type",
        "/0/maxMessages",
    }
    assert "regex" in found["/0/evaluators/1/type"]["hint"]
    assert found["/0/maxMessages"]["severity"] == "warning"
    lines = (root / FILE).read_text().splitlines()
    assert '"regx"' in lines[found["/0/evaluators/1/type"]["line"] - 1]
    assert '"many"' in lines[found["/0/evaluators/0/config/max"]["line"] - 1]


MINE = """from evaltui import define_evaluator, passed


@define_evaluator(
    "short", label="Short", config_schema={"type": "object", "additionalProperties": False}
)
def short(ctx):
    return passed("")
"""


def write_own(root: Path, monkeypatch: pytest.MonkeyPatch, text: str = MINE) -> None:
    """An evaluator that nobody agreed to, and a scenario with a type that there is not."""
    monkeypatch.delenv("EVALTUI_TRUST")
    monkeypatch.setenv("XDG_STATE_HOME", str(root.parent / "state"))
    (root / "mine.py").write_text(text, encoding="utf-8")
    (root / "evaltui.toml").write_text('evaluators = ["./mine.py"]\n', encoding="utf-8")
    write(root, COUNT, {"type": "no-such"}, {"type": "short", "config": {"bogus": 1}})


def test_what_nobody_agreed_to_leaves_scenarios_unchecked(
    root: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_own(root, monkeypatch)
    code, said = run(root, capsys, "validate")
    assert (code, said["valid"]) == (2, False)
    (unchecked,) = [one for one in said["errors"] if "cannot be checked" in one["message"]]
    assert unchecked["pointer"] == "/0/evaluators/1/type"
    assert "`no-such`, `short` cannot be checked, in 2 places: not all" in unchecked["message"]
    assert any("nobody agreed" in one["message"] for one in said["errors"])
    code, said = run(root, capsys, "validate", "--trust")
    found = {one["pointer"]: one["message"] for one in said["errors"]}
    assert (code, [*found]) == (2, ["/0/evaluators/1/type", "/0/evaluators/2/config"])


def test_what_is_unchecked_is_counted_over_all_scenarios(
    root: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_own(root, monkeypatch, "LIMIT = = 3\n")
    said = [{"name": f"s{at}", "evaluators": [{"type": "short"}]} for at in range(27)]
    (root / FILE).write_text(json.dumps(said), encoding="utf-8")  # all on one line
    assert run_command(["evaluators", "check", "--trust", "-C", str(root)]) == 2
    told = capsys.readouterr().out
    assert told.count("cannot be checked") == 1
    assert "`short` cannot be checked, in 27 places" in told


def test_an_evaluator_that_cannot_be_loaded_leaves_scenarios_unchecked(
    root: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_own(root, monkeypatch, "LIMIT = = 3\n")
    code, said = run(root, capsys, "validate", "--trust")
    assert (code, said["valid"]) == (2, False)
    assert [
        (one["file"], one["line"]) for one in said["errors"] if "SyntaxE" in one["message"]
    ] == [("mine.py", 1)]
    write(root, COUNT)  # which names none of them, but one may judge every scenario
    assert run(root, capsys, "validate", "--trust")[0] == 2


@pytest.mark.parametrize("text", ["LIMIT = = 3\n", MINE.replace("short", "tool-call-count", 1)])
def test_a_run_without_an_evaluator_of_the_project_is_no_success(
    root: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    write_own(root, monkeypatch, text)
    write(root, LENGTH)
    assert run_command(["scenario", "run", str(root / FILE), "--trust", "-C", str(root)]) == 2
    told = capsys.readouterr()
    assert "✓ passed" in told.out
    assert "mine.py" in told.err


def test_entries_that_cannot_be_read_move_no_place(root: Path, capsys: Any) -> None:
    wrong = {"type": "tool-call-count", "config": {"x": 1}}
    write(root, {"typ": "regex"}, "regex", wrong)
    _, said = run(root, capsys, "validate")
    (found,) = [one for one in said["errors"] if "tool-call-count" in one["message"]]
    assert found["pointer"] == "/0/evaluators/2/config"
    lines = (root / FILE).read_text().splitlines()
    assert '"x"' in lines[found["line"] - 1] + lines[found["line"]]


def test_one_scenario_alone_in_its_file_has_its_places_too(root: Path, capsys: Any) -> None:
    written = {"name": "Rain", "persona": {"lines": LINES}, "evaluators": [{"type": "regx"}]}
    (root / FILE).write_text(json.dumps(written, indent=1), encoding="utf-8")
    _, said = run(root, capsys, "validate")
    (found,) = said["errors"]
    assert found["pointer"] == "/evaluators/0/type"
    assert '"regx"' in (root / FILE).read_text().splitlines()[found["line"] - 1]


def test_a_run_is_written_in_the_shape_of_the_contract(root: Path, capsys: Any) -> None:
    write(root, LENGTH, COUNT)
    code, (said,) = run(root, capsys, "run")
    assert code == 0
    assert (said["status"], said["scenario"]["name"]) == ("completed", "Rain")
    assert said["result"] == {
        "success": True,
        "reason": "Completed 4 messages. All evaluators passed.",
    }
    output = said["output"]
    assert list(output) == [
        *("avgLatencyMs", "totalLatencyMs", "messageCount"),
        *("evaluatorResults", "metrics", "turns"),
    ]
    assert output["messageCount"] == 4
    assert output["avgLatencyMs"] == round(output["totalLatencyMs"] / 2)
    assert [row["type"] for row in output["evaluatorResults"]] == [
        "response-length",
        "tool-call-count",
    ]
    assert output["metrics"] == {"tool-call-count": 0.0}
    calls = [turn["metrics"]["tool-call-count"] for turn in output["turns"]]
    assert calls == [1.0, 0.0]
    assert [one["role"] for one in said["messages"]] == ["user", "assistant"] * 2


def test_what_was_not_used_is_not_written(root: Path, capsys: Any) -> None:
    write(root, LENGTH)
    _, (said,) = run(root, capsys, "run")
    assert not {"metrics", "evaluation"} & said["output"].keys()


def test_a_failed_one_makes_the_exit_code_one(root: Path, capsys: Any) -> None:
    write(root, {"type": "response-length", "config": {"max": 1}}, COUNT)
    code, (said,) = run(root, capsys, "run")
    assert (code, said["result"]["success"], len(said["output"]["turns"])) == (1, False, 1)
    assert "maxMessagesReached" not in said["output"]


def test_a_run_names_the_evaluator_that_failed(root: Path, capsys: Any) -> None:
    write(root, {"type": "response-length", "config": {"max": 1}}, COUNT)
    for reporter in ("console", "junit", "markdown", "github"):
        assert run_command(["run", "-C", str(root), "--reporter", reporter]) == 1
        assert "response-length: 1" in capsys.readouterr().out, reporter


def test_without_a_turn_and_without_a_model_it_says_so(root: Path, capsys: Any) -> None:
    write(root, LENGTH, maxMessages=1)
    code, (said,) = run(root, capsys, "run")
    assert (code, said["status"]) == (1, "error")
    assert said["error"].startswith("no agent turn was possible")
    write(root, successCriteria="It says whether it rains.")
    code, (said,) = run(root, capsys, "run")
    assert (code, said["status"], "output" in said) == (1, "skipped", False)
    assert "`[judge]`" in said["reason"]
    words = ["scenario", "run", str(root / FILE), "-C", str(root)]
    for command in (words, ["runs", "list", "-C", str(root)]):
        run_command(command)
        assert "○ nothing asserted" in capsys.readouterr().out


def test_lines_that_the_limit_leaves_unsaid_are_told(root: Path, capsys: Any) -> None:
    write(root, LENGTH, maxMessages=2)
    code, said = run(root, capsys, "validate")
    assert (code, [one["pointer"] for one in said["errors"]]) == (0, ["/0/maxMessages"])
    for command in (["scenario", "run"], ["run"]):
        assert run_command([*command, str(root / FILE), "-C", str(root)]) == 0
        told = capsys.readouterr().out
        assert "⚠ `maxMessages` (2) was reached: 1 of 2 persona lines was never said" in told


def test_a_file_without_scenarios_is_told(root: Path, capsys: Any) -> None:
    (root / FILE).write_text("[]", encoding="utf-8")
    assert run_command(["scenario", "run", str(root / FILE), "-C", str(root)]) == 2
    assert "There is no scenario in these files." in capsys.readouterr().err


def test_an_eval_of_a_workspace_is_run_by_its_name(
    tmp_path: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_workspace(tmp_path)
    write_entities(tmp_path, "evals", {**EVAL, "scenarioIds": ["s-hello"]})
    monkeypatch.chdir(tmp_path.parent)
    words = ["scenario", "run", "--json", "-C", str(tmp_path), "--agent", "embedded"]
    assert run_command([*words, "--eval", "All"]) == 0
    (told,) = json.loads(capsys.readouterr().out)
    assert (told["scenarioId"], told["agent"].partition("/")[0]) == ("s-hello", "embedded")
    assert told["evalId"] == "e-1"
    scenarios = str(tmp_path / DATA / "scenarios.json")
    assert run_command([*words, f"{scenarios}::Hello"]) == 0
    assert "evalId" not in json.loads(capsys.readouterr().out)[0], "no eval was asked for"
    assert run_command(["runs", "list", "--json", "-C", str(tmp_path)]) == 0
    assert [one.get("evalId") for one in json.loads(capsys.readouterr().out)] == [None, "e-1"]
    assert run_command([*words, "--eval", "All", "a.scenario.json"]) == 2
    assert "cannot be combined" in capsys.readouterr().err
    assert run_command(words) == 2
    assert "`--eval`" in capsys.readouterr().err


def test_what_goes_on_with_an_eval_is_of_it_too(tmp_path: Path, capsys: Any) -> None:
    write_workspace(tmp_path)
    place = ["-C", str(tmp_path), "--agent", "embedded"]
    assert run_command(["scenario", "run", *place, "--eval", "All"]) == 0
    interrupt(tmp_path, lambda number, _: number <= 1)
    assert run_command(["run", "--resume", *place]) == 0
    capsys.readouterr()
    assert run_command(["runs", "list", "--json", *place]) == 0
    told = json.loads(capsys.readouterr().out)
    assert len({one["runId"] for one in told}) == 2
    assert {one.get("evalId") for one in told} == {"e-1"}


def test_a_mistake_in_a_scenario_that_an_eval_does_not_name_is_none_of_its_run(
    tmp_path: Path, capsys: Any
) -> None:
    write_workspace(tmp_path)
    write_entities(tmp_path, "scenarios", {**REFUND, "personaIds": ["u-none"]}, HELLO)
    words = ["scenario", "run", "-C", str(tmp_path), "--agent", "embedded", "--eval"]
    for scenario, code in (("s-hello", 0), ("s-refund", 2)):
        write_entities(tmp_path, "evals", {**EVAL, "scenarioIds": [scenario]})
        assert run_command([*words, "All"]) == code
        assert ("no persona `u-none`" in capsys.readouterr().err) == (code == 2)


def test_an_eval_of_a_workspace_is_held_with_its_own_connector(tmp_path: Path, capsys: Any) -> None:
    write_workspace(tmp_path)
    write_entities(tmp_path, "evals", {**EVAL, "scenarioIds": ["s-hello"]})
    words = ["scenario", "run", "--json", "-C", str(tmp_path), "--eval", "All"]
    assert run_command([*words, "--trust"]) == 1  # nothing listens there
    (told,) = json.loads(capsys.readouterr().out)
    assert (told["agent"], told["status"]) == ("Shop", "error")


@pytest.mark.parametrize("flag", [[], ["--json"]])
def test_what_money_left_unheld_is_told_and_is_no_success(
    root: Path, capsys: Any, flag: list[str]
) -> None:
    write(root, LENGTH)
    (root / "evaltui.toml").write_text(
        'agent = "paid"\nmax_cost_usd = 0.0\n[agents.paid]\n'
        'type = "http"\nurl = "http://127.0.0.1:9/"\nis_free = false\n'
    )
    assert run_command(["scenario", "run", str(root / FILE), "-C", str(root), *flag]) == 2
    said = capsys.readouterr()
    assert said.out.strip() == ("[]" if flag else "")
    assert "`max_cost_usd` of $0 is spent" in said.err
    assert "1 case was not run" in said.err


def test_an_evaluator_that_stands_twice_is_told_once_where_it_matters(
    root: Path, capsys: Any
) -> None:
    write(root, LENGTH, COUNT, LENGTH, COUNT)
    code, said = run(root, capsys, "validate")
    assert (code, said["valid"]) == (0, True)
    (found,) = said["errors"]
    assert (found["pointer"], found["severity"]) == ("/0/evaluators/3/type", "lint")
    assert "`metrics` has the last value only" in found["message"]
