"""`max_cost_usd` of the profile that judges limits all that is judged by it."""

import json
from pathlib import Path

import pytest

from evaltui.cli.main import run_command

CASES = 9
AGENT = """
def answer(message):
    return {"response": "yes", "toolCalls": []}
"""
JUDGE = """
import pathlib

def judge(message):
    with pathlib.Path(__file__).with_name("judged.txt").open("a") as judged:
        judged.write("1")
    told = {"input_tokens": 1, "cost_usd": 0.1}
    said = {"score": 1, "rationale": "fine"}
    if "successMet" in str(message):
        said = {"successMet": False, "failureMet": False, "confidence": 1, "reasoning": "r"}
    return {"response": json.dumps(said), "toolCalls": [], "usage": told}
"""
SETTINGS = """
agent = ["one", "two"]
concurrency = 2
[agents.one]
type = "python"
function = "agent.py:answer"
is_free = true
[agents.two]
type = "python"
function = "agent.py:answer"
is_free = true
"""
IN_PROFILE = """
[judge]
agent = "jj"
[agents.jj]
type = "python"
function = "judge.py:judge"
max_cost_usd = LIMIT
"""
IN_TABLE = """
[judge]
type = "python"
function = "judge.py:judge"
max_cost_usd = LIMIT
"""


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "agent.py").write_text(AGENT)
    (tmp_path / "judge.py").write_text("import json\n" + JUDGE)
    (tmp_path / "evals").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def limited(root: Path, text: str, usd: float) -> None:
    settings = SETTINGS + text.replace("LIMIT", str(usd))
    (root / "evaltui.toml").write_text(settings + "is_free = false\n")


def rubrics(root: Path) -> None:
    of_each = [{"dimension": "kind", "maxScore": 1, "criteria": "1: kind. 0: else."}]
    cases = [
        {"id": f"r{n}", "input": {"message": f"r{n}"}, "rubric": of_each} for n in range(CASES)
    ]
    (root / "evals" / "c.rubric.json").write_text(json.dumps({"cases": cases}))


def judged(root: Path) -> int:
    found = root / "judged.txt"
    return len(found.read_text()) if found.exists() else 0


@pytest.mark.parametrize("text", [IN_PROFILE, IN_TABLE], ids=["profile", "table"])
def test_it_holds_over_all_agents(
    root: Path, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    rubrics(root)
    limited(root, text, 0.35)
    assert run_command(["run", "--trust"]) == 2
    assert judged(root) == 3, "the next one would be beyond it"
    assert "In the judge's profile `max_cost_usd` of $0.35" in capsys.readouterr().out


def test_it_holds_for_what_goes_on_with_an_interrupted_run(root: Path) -> None:
    def settings(of_agent: float) -> None:
        limited(root, IN_TABLE, 0.35)
        said = (root / "evaltui.toml").read_text().replace('["one", "two"]', '"one"')
        dear = f"is_free = false\nmax_cost_usd = {of_agent}"
        (root / "evaltui.toml").write_text(said.replace("is_free = true", dear, 1))

    (root / "agent.py").write_text(AGENT.replace("[]}", '[], "usage": {"cost_usd": 0.1}}'))
    rubrics(root)
    settings(0.45)
    run_command(["run", "--trust"])
    assert judged(root) == 2, "the agent's own limit ended the run"
    settings(5.0)
    run_command(["run", "--resume", "--trust"])
    assert judged(root) == 3


def test_it_holds_for_criteria_and_personas(root: Path) -> None:
    told = {"name": "s", "successCriteria": "done", "maxMessages": 20, "evaluators": []}
    (root / "evals" / "a.scenario.json").write_text(json.dumps(told))
    limited(root, IN_PROFILE, 0.35)
    run_command(["scenario", "run", "--trust", "evals/a.scenario.json"])
    assert judged(root) == 3


def test_the_limit_for_all_holds_too_and_ends_the_run_of_a_free_agent(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rubrics(root)
    limited(root, IN_TABLE, 0.55)
    settings = "max_cost_usd = 0.25\n" + (root / "evaltui.toml").read_text()
    settings = settings.replace('["one", "two"]', '"one"').replace("= 2", "= 1")
    (root / "evaltui.toml").write_text(settings)
    asked = 'open("asked.txt", "a").write("1")'
    (root / "agent.py").write_text(AGENT.replace("    return", f"    {asked}\n    return"))
    assert run_command(["run", "--trust"]) == 2
    assert judged(root) == 2
    assert len((root / "asked.txt").read_text()) == 3, "nobody is asked for what nobody may judge"
    said = capsys.readouterr().out
    assert f"the judge may be asked no more: {CASES - 2} cases were not run, or not judged" in said
