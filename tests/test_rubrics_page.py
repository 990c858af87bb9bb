"""The page about rubrics: what it shows is what comes out."""

import json
import re
from math import ceil, floor
from pathlib import Path
from typing import Any

import pytest

from evaltui.cli.main import run_command
from evaltui.core.agent import Agent, AgentRequest
from evaltui.core.response import AgentResponse
from evaltui.core.statistics.exact_interval import exact_rate
from tests.projects import write_tools
from tests.scenarios.judges import says
from tests.session.test_rubrics import FakeJudge

PAGE = (Path(__file__).parent.parent / "docs" / "guide" / "rubrics.md").read_text(encoding="utf-8")


class Believing(FakeJudge):
    """Finds every answer right."""

    async def respond(self, request: AgentRequest) -> AgentResponse:
        self.asked.append(request)
        score = 2 if "from 0 to 3" in request.message else 1
        return AgentResponse(says(score, "The answer names a temperature."))


@pytest.fixture
def judge(monkeypatch: pytest.MonkeyPatch) -> Believing:
    fake = Believing()

    def made(*_: Any, **__: Any) -> Agent:
        return fake

    monkeypatch.setattr("evaltui.session.judge_in_force.trusted_agent", made)
    return fake


def block(language: str, index: int = 0) -> str:
    found = re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
    text: str = found[index]
    return text


def project(root: Path, cases: list[Any]) -> None:
    write_tools(root)
    (root / "evals").mkdir()
    (root / "evals" / "weather.rubric.json").write_text(json.dumps(cases))
    (root / "evaltui.toml").write_text('agent = "embedded"\n' + block("toml"))


def test_its_case_and_its_judge_make_the_verdicts_that_it_names(
    tmp_path: Path, judge: Believing, capsys: pytest.CaptureFixture[str]
) -> None:
    project(tmp_path, json.loads(block("json"))["cases"])
    settings = tmp_path / "evaltui.toml"
    settings.write_text(settings.read_text().replace("threshold = 0.8\n", ""))
    assert run_command(["run", "--trust", "-C", str(tmp_path)]) == 0, capsys.readouterr()
    assert "measured: rubric/helpfulness 0.666667" in PAGE
    assert "measured: rubric/helpfulness 0.666667" in capsys.readouterr().out
    (file,) = (tmp_path / "evals" / "results").glob("*.json")
    (case,) = json.loads(file.read_text())["cases"]
    assert [(one["check"], one["evidence"]["agreement"]) for one in case["verdicts"]] == [
        ("rubric/accuracy", "3 of 3"),
        ("rubric/helpfulness", "3 of 3"),
    ]
    assert case["details"]["rubric"]["accuracy"]["score"] == 1
    assert case["passed"] is True
    assert len(judge.asked) == 6


@pytest.mark.usefixtures("judge")
def test_its_calibration_prints_what_it_shows(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    project(tmp_path, [json.loads(block("json", 1))])
    command, *shown = block("console").splitlines()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("EVALTUI_TRUST", "1")
    assert run_command(command.removeprefix("$ evaltui ").split()) == 0
    assert capsys.readouterr().out.splitlines() == shown


def test_its_interval_of_a_hundred_answers_is_the_one_that_is_reported() -> None:
    rate = exact_rate(80, 100)
    said = f"{floor(rate.low * 100)}% to {ceil(rate.high * 100)}%"
    assert f"100 of them and 80 that agree it goes from {said}." in " ".join(PAGE.split())
