"""What it would take to have the judge score answers that people scored."""

from pathlib import Path
from typing import Any

import pytest

from evaltui.core.agent import Agent
from evaltui.core.case import CaseKey
from evaltui.core.config import RecordingMode
from evaltui.core.errors import UserError
from evaltui.core.events import SpendingChanged
from tests.projects import make_project
from tests.session.test_rubrics import KEY, RUBRIC, SETTINGS, FakeJudge, write_cases
from tests.session.test_session import all_keys, opened

KNOWN = [
    {"response": "It was found.", "scores": {"accuracy": 1}},
    {"response": "It is lost.", "scores": {"accuracy": 0}},
]
UNSCORED = {**RUBRIC, "id": "rb-find-order-002", "input": {"message": "Where is it?"}}


@pytest.fixture
def judge(monkeypatch: pytest.MonkeyPatch) -> FakeJudge:
    fake = FakeJudge(cost_usd=0.5)

    def made(*_: Any, **__: Any) -> Agent:
        return fake

    monkeypatch.setattr("evaltui.session.judge_in_force.trusted_agent", made)
    return fake


def project(root: Path, settings: str = SETTINGS) -> Path:
    """With a case whose answers are scored, and one that nobody scored an answer of."""
    make_project(root)
    write_cases(root, [{**RUBRIC, "calibration": KNOWN}, UNSCORED])
    (root / "evaltui.toml").write_text(settings)
    return root


async def test_each_vote_on_each_known_score_is_a_call(tmp_path: Path, judge: FakeJudge) -> None:
    root = project(tmp_path, f"{SETTINGS}votes = 3\n")
    async with opened(root, trust=True) as (session, _):
        estimate = await session.judges.calibration_estimate(all_keys(session))
        assert (estimate.cases, estimate.cost_usd, estimate.asks_first) == (6, None, True)
    assert judge.asked == []


@pytest.mark.usefixtures("judge")
async def test_only_cases_with_known_answers_calibrate_the_judge(tmp_path: Path) -> None:
    async with opened(project(tmp_path), trust=True) as (session, _):
        with pytest.raises(UserError, match="There is no answer with known scores"):
            await session.judges.calibration_estimate([CaseKey(KEY.suite, UNSCORED["id"])])
        found = await session.judges.calibrate(all_keys(session))
    assert {one.key for one in found.scores} == {KEY}
    assert [(one.answer, one.known, one.judged) for one in found.scores] == [(0, 1, 1), (1, 0, 1)]


@pytest.mark.parametrize(("mode", "spent"), [("record", 1.0), ("replay", 0.0)])
async def test_what_is_recorded_of_a_judge_was_paid_for_and_what_is_replayed_was_not(
    tmp_path: Path, judge: FakeJudge, mode: RecordingMode, spent: float
) -> None:
    """Each of its two judgements costs half a dollar, of the agent that is judged."""
    async with opened(project(tmp_path), trust=True, cassettes="record") as (session, _):
        await session.judges.calibrate(all_keys(session))
    asked = len(judge.asked)
    async with opened(tmp_path, trust=True, cassettes=mode) as (session, ear):
        await session.judges.calibrate(all_keys(session))
        await session.run([key for key in all_keys(session) if key.suite != KEY.suite])
    assert len(judge.asked) - asked == (2 if mode == "record" else 0)
    told = [one.spent_usd for one in ear.heard if isinstance(one, SpendingChanged)]
    assert max(told, default=0.0) == spent


async def test_without_a_judge_nothing_is_calibrated(tmp_path: Path) -> None:
    async with opened(project(tmp_path, 'agent = "embedded"\n')) as (session, _):
        with pytest.raises(UserError, match="There is no judge"):
            await session.judges.calibration_estimate([KEY])
