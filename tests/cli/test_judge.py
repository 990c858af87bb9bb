"""`evaltui judge calibrate`: asks the judge of the settings, and says how it agrees."""

import json
from pathlib import Path
from typing import Any

import pytest

from evaltui.cli.main import run_command
from evaltui.core.agent import Agent, AgentRequest
from evaltui.core.asked import AgentTraits
from evaltui.core.response import AgentResponse, Usage
from tests.projects import make_project
from tests.scenarios.judges import says
from tests.session.test_rubrics import SETTINGS, FakeJudge, write_rubric

KNOWN = [
    {"response": "It was found.", "scores": {"accuracy": 1}},
    {"response": "It is lost.\x1b[2J", "scores": {"accuracy": 0}},
]


class Kind(FakeJudge):
    """Finds everything right, in words that would act on a terminal."""

    async def respond(self, request: AgentRequest) -> AgentResponse:
        self.asked.append(request)
        return AgentResponse(says(1, "so it \x1b[31mis"))


@pytest.fixture
def judge(monkeypatch: pytest.MonkeyPatch) -> Kind:
    fake = Kind()

    def made(*_: Any, **__: Any) -> Agent:
        return fake

    monkeypatch.setattr("evaltui.session.judge_in_force.trusted_agent", made)
    return fake


def project(root: Path, **changed: Any) -> Path:
    make_project(root)
    write_rubric(root, **changed)
    (root / "evaltui.toml").write_text(SETTINGS)
    return root


def calibrate(root: Path, *more: str) -> int:
    return run_command(["judge", "calibrate", "--trust", "-C", str(root), *more])


def test_it_tells_what_does_not_agree_the_share_and_the_table(
    tmp_path: Path, judge: Kind, capsys: pytest.CaptureFixture[str]
) -> None:
    assert calibrate(project(tmp_path, calibration=KNOWN)) == 0
    assert capsys.readouterr().out.splitlines() == [
        "evals/find_order.rubric.json::rb-find-order-001  answer 2  known 0, judged 1",
        "  rubric/accuracy: 1 of 1: so it \\x1b[31mis",
        "accuracy: 1 of 2 agree, 50%, 95% interval 1% to 99%",
        "  known \\ judged     0     1",
        "               0     0     1",
        "               1     0     1",
    ]
    assert len(judge.asked) == 2
    assert "It was found." in judge.asked[0].message


@pytest.mark.usefixtures("judge")
@pytest.mark.parametrize(
    ("agreed", "said"), [(2, "2 of 3 agree, 67%, 95% interval 9% to 100%"), (1, "0% to 91%")]
)
def test_the_interval_is_never_printed_narrower_than_it_is(
    tmp_path: Path, agreed: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of 2 of 3 it goes from 9.4 to 99.2, of 1 of 3 from 0.8 to 90.6."""
    known = [{"response": f"{at}", "scores": {"accuracy": int(at < agreed)}} for at in range(3)]
    assert calibrate(project(tmp_path, calibration=known)) == 0
    assert f"{said}\n" in capsys.readouterr().out


@pytest.mark.usefixtures("judge")
def test_it_writes_all_of_it_as_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert calibrate(project(tmp_path, calibration=KNOWN), "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert found["agreement"] | {"low": 0, "high": 1} == {
        "agreed": 1,
        "total": 2,
        "rate": 0.5,
        "low": 0,
        "high": 1,
    }
    assert found["dimensions"]["accuracy"]["table"] == [
        {"known": 0.0, "judged": 1.0, "count": 1},
        {"known": 1.0, "judged": 1.0, "count": 1},
    ]
    assert [(one["answer"], one["known"], one["judged"]) for one in found["scores"]] == [
        (1, 1.0, 1.0),  # numbered as in the text
        (2, 0.0, 1.0),
    ]


@pytest.mark.parametrize("flag", [[], ["--json"]])
def test_a_judge_that_gives_no_score_at_all_is_no_success(
    tmp_path: Path,
    judge: Kind,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    flag: list[str],
) -> None:
    async def mumbles(*_: Any) -> AgentResponse:
        return AgentResponse("hm")

    monkeypatch.setattr(judge, "respond", mumbles)
    assert calibrate(project(tmp_path, calibration=KNOWN), *flag) == 2
    assert "no score at all" in capsys.readouterr().err


async def _answer(judge: Kind, request: AgentRequest) -> AgentResponse:
    judge.asked.append(request)
    return AgentResponse(says(1, "so it is"), usage=Usage(1, 1, judge.cost_usd))


@pytest.fixture
def expensive(judge: Kind, monkeypatch: pytest.MonkeyPatch) -> Kind:
    """Each of its answers costs 40 cents."""
    judge.traits, judge.cost_usd = AgentTraits(is_free=False), 0.4
    monkeypatch.setattr(Kind, "respond", _answer)
    return judge


def test_a_judge_that_costs_money_is_asked_when_somebody_agreed(
    tmp_path: Path, expensive: Kind, capsys: pytest.CaptureFixture[str]
) -> None:
    assert calibrate(project(tmp_path, calibration=KNOWN)) == 2
    assert "known scores: 2 calls, cost unknown" in capsys.readouterr().err
    assert expensive.asked == []
    assert calibrate(tmp_path, "--yes") == 0
    assert len(expensive.asked) == 2


def test_its_cost_is_known_from_the_votes_of_earlier_runs(
    tmp_path: Path, expensive: Kind, capsys: pytest.CaptureFixture[str]
) -> None:
    project(tmp_path, calibration=KNOWN * 2)
    assert run_command(["run", "--trust", "-C", str(tmp_path)]) == 0
    asked = len(expensive.asked)
    assert asked == 1
    assert calibrate(tmp_path) == 2
    assert "known scores: 4 calls, about $1.60" in capsys.readouterr().err
    (tmp_path / "evaltui.toml").write_text(f"confirm_above = 1.7\n{SETTINGS}")
    assert calibrate(tmp_path) == 0
    assert len(expensive.asked) == asked + 4


def test_of_a_judge_that_answers_and_tells_no_cost_it_says_what_to_write(
    tmp_path: Path, expensive: Kind, capsys: pytest.CaptureFixture[str]
) -> None:
    project(tmp_path, calibration=KNOWN)
    assert calibrate(tmp_path) == 2
    assert "`evaltui run`" in capsys.readouterr().err
    expensive.cost_usd = None
    assert run_command(["run", "--trust", "-C", str(tmp_path)]) == 0
    capsys.readouterr()
    assert calibrate(tmp_path) == 2
    said = capsys.readouterr().err
    assert "Nothing was run: known scores: 2 calls, cost unknown. `--yes` agrees to it." in said
    assert "`is_free = true`" in said
    assert "`price`" in said
    assert "evaltui run" not in said
    assert "confirm_above" not in said


@pytest.mark.parametrize(("cost_usd", "then"), [(0.4, "about $1.60"), (None, "free")])
def test_what_a_free_judge_tells_of_its_price_is_told_of_it(
    tmp_path: Path,
    expensive: Kind,
    capsys: pytest.CaptureFixture[str],
    cost_usd: float | None,
    then: str,
) -> None:
    """With `is_free` and a `price` nobody is asked first, and the costs are told all the same."""
    expensive.traits, expensive.cost_usd = AgentTraits(is_free=True, may_tell_costs=True), cost_usd
    assert calibrate(project(tmp_path, calibration=KNOWN * 2)) == 0
    assert "known scores: 4 calls, cost not known yet" in capsys.readouterr().err
    assert run_command(["run", "--trust", "-C", str(tmp_path)]) == 0
    assert calibrate(tmp_path) == 0
    assert f"known scores: 4 calls, {then}\n" in capsys.readouterr().err
    expensive.traits = AgentTraits(is_free=True)
    assert calibrate(tmp_path) == 0
    assert "known scores: 4 calls, free\n" in capsys.readouterr().err


@pytest.mark.parametrize(("limit", "judged"), [(0.5, 1), (0.0, 0)])
def test_what_money_left_unjudged_counts_for_nothing_and_is_told(
    tmp_path: Path, expensive: Kind, capsys: pytest.CaptureFixture[str], limit: float, judged: int
) -> None:
    project(tmp_path, calibration=KNOWN[:1] * 4)
    with (tmp_path / "evaltui.toml").open("r+") as file:
        rest = file.read()
        file.seek(0)
        file.write(f"max_cost_usd = {limit}\nconcurrency = 1\n{rest}")
    assert calibrate(tmp_path, "--yes", "--json") == 2
    said = capsys.readouterr()
    found = json.loads(said.out)
    assert len(expensive.asked) == judged
    assert found["unjudged"] == 4 - judged
    assert (found["agreement"] or {"total": 0})["total"] == judged
    assert f"{4 - judged} known scores were not judged" in said.err


@pytest.mark.usefixtures("judge")
def test_without_known_answers_it_says_what_to_write(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert calibrate(project(tmp_path)) == 2
    assert '"calibration": [{"response": "…", "scores"' in capsys.readouterr().err


def test_without_a_judge_it_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    project(tmp_path, calibration=KNOWN)
    (tmp_path / "evaltui.toml").write_text("")
    assert calibrate(tmp_path) == 2
    assert "There is no judge. Write a table `[judge]`" in capsys.readouterr().err


def test_nobody_is_asked_before_it_is_agreed_to(
    tmp_path: Path,
    judge: Kind,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("EVALTUI_TRUST", raising=False)
    project(tmp_path, calibration=KNOWN)
    assert run_command(["judge", "calibrate", "-C", str(tmp_path)]) == 2
    assert "sends to https://api.openai.com/v1" in capsys.readouterr().err
    assert judge.asked == []


def test_check_tells_why_there_is_no_judge_and_asks_nobody(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    project(tmp_path)
    (tmp_path / "evaltui.toml").write_text('[judge]\ntype = "openai"\nmodl = "m"\n')
    assert run_command(["check", "--json", "--trust", "-C", str(tmp_path)]) == 2
    problems = json.loads(capsys.readouterr().out)["problems"]
    (found,) = [one for one in problems if one["pointer"] == "/judge"]
    assert (found["file"], found["line"]) == ("evaltui.toml", 1)
    assert "modl" in found["message"] or "model" in found["message"]


def test_a_file_that_is_broken_is_told_as_that(
    tmp_path: Path, judge: Kind, capsys: pytest.CaptureFixture[str]
) -> None:
    project(tmp_path, calibration=KNOWN)
    (tmp_path / "evals/broken.rubric.json").write_text('{"cases": {"id": "x"}}')
    assert calibrate(tmp_path, "evals/broken.rubric.json") == 2
    first, *_, last = capsys.readouterr().err.splitlines()
    assert first.startswith("evals/broken.rubric.json:1:") and "not a list" in first
    assert "in what can be read" in last and '"calibration"' not in last
    assert not judge.asked
    assert calibrate(tmp_path) == 0
    assert judge.asked
