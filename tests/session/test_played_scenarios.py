"""A model that plays the user shapes what is said; it has no say in the verdict."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from evaltui.core.agent import Agent
from evaltui.core.case import CaseKey
from evaltui.core.config import AgentProfile
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.session import Session
from tests.projects import with_description, write_tools
from tests.session.test_rubrics import SETTINGS, FakeJudge, asked_agent_for, expensive, watching
from tests.session.test_rubrics import project as orders
from tests.session.test_session import AGENT, Ear, opened

KEY = CaseKey("evals/played.scenario.json", "Played")
PLAYED: dict[str, Any] = {
    "name": KEY.case,
    "persona": {"name": "Ann"},
    "maxMessages": 4,
    "evaluators": [{"type": "response-length", "config": {"max": 400}}],
}
CRITERIA = {
    "name": "Judged",
    "persona": {"lines": ["Look up order SO-1", "Look up order SO-2"]},
    "failureCriteria": "It is rude.",
}
SAID = {"successMet": False, "failureMet": False, "confidence": 1, "reasoning": "fine"}


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> FakeJudge:
    fake = FakeJudge()

    def made(*_: object, **__: object) -> Agent:
        return fake

    monkeypatch.setattr("evaltui.session.judge_in_force.trusted_agent", made)
    return fake


def write(root: Path, *scenarios: dict[str, Any]) -> None:
    (root / KEY.suite).write_text(json.dumps(scenarios))


def project(root: Path, *scenarios: dict[str, Any]) -> Path:
    orders(root)
    for file in (root / "evals").iterdir():
        file.unlink()
    write(root, *scenarios)
    return root


def set_up(root: Path, settings: str) -> None:
    (root / "evaltui.toml").write_text(settings)


def result_of(session: Session, case: str = KEY.case) -> CaseResult:
    result = session.store.board(AGENT).rows[CaseKey(KEY.suite, case)].result
    assert result is not None
    return result


def lines_of(session: Session) -> list[str | None]:
    response = result_of(session).response
    assert response is not None
    return [one.content for one in response.messages if one.role == "user"]


async def ended(ear: Ear, runs: int = 1) -> None:
    await ear.until(lambda: len(ear.runs()) == runs)


async def test_another_model_that_plays_the_user_has_the_conversation_held_again(
    tmp_path: Path, model: FakeJudge
) -> None:
    model.text = "Look up order SO-1"
    async with watching(project(tmp_path, PLAYED)) as (session, ear):
        assert lines_of(session) == [model.text] * 2
        model.text = "Look up order SO-2"
        set_up(tmp_path, SETTINGS.replace('"m"', '"other"'))
        await ended(ear)
        assert lines_of(session) == ["Look up order SO-2"] * 2
        assert session.requests.due_keys(AGENT) == ()
    assert asked_agent_for(ear) == [KEY.case]


async def test_a_model_that_is_only_a_limit_slower_plays_the_same(
    tmp_path: Path, model: FakeJudge
) -> None:
    async with opened(project(tmp_path, PLAYED), trust=True) as (session, _):
        await session.run([KEY])
    set_up(tmp_path, SETTINGS + "votes = 3\nmax_requests_per_minute = 5\n")
    async with opened(tmp_path, trust=True) as (session, _):
        assert session.requests.due_keys(AGENT) == ()
    assert len(model.asked) == 2


async def test_the_model_of_personas_plays_while_another_one_judges(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    models = {"m": FakeJudge(), "p": FakeJudge(), "q": FakeJudge()}

    def made(_: object, profile: AgentProfile, **__: object) -> Agent:
        return models[str(profile.options["model"])]

    monkeypatch.setattr("evaltui.session.judge_in_force.trusted_agent", made)
    models["m"].text = json.dumps(SAID)
    models["p"].text, models["q"].text = "Look up order SO-1", "Look up order SO-2"
    root = project(tmp_path, {**PLAYED, "failureCriteria": "It is rude."}, CRITERIA)
    set_up(root, f'{SETTINGS}[judge.persona]\nmodel = "p"\n')
    async with watching(root) as (session, ear):
        assert lines_of(session) == [models["p"].text] * 2
        set_up(root, f'{SETTINGS}[judge.persona]\nmodel = "q"\n')
        await ended(ear)
        assert lines_of(session) == [models["q"].text] * 2
    assert asked_agent_for(ear) == [KEY.case], "who judges is the same"
    assert {one.key.case for one in models["m"].asked} == {KEY.case, "Judged"}


async def test_a_dear_player_is_asked_about_beside_a_judge_that_is_free(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dear = expensive(FakeJudge(), 0.01)

    def made(_: object, profile: AgentProfile, **__: object) -> Agent:
        return dear if profile.options["model"] == "p" else FakeJudge()

    monkeypatch.setattr("evaltui.session.judge_in_force.trusted_agent", made)
    scripted = {**PLAYED, "name": "Scripted", "persona": {"lines": ["Look up order SO-1"]}}
    root = project(tmp_path, PLAYED, scripted)
    set_up(root, f'{SETTINGS}[judge.persona]\nmodel = "p"\n')
    async with opened(root, trust=True) as (session, ear):
        watch = asyncio.create_task(session.watch())
        await ended(ear)
        rows = session.store.board(AGENT).rows
        assert [row.key.case for row in rows.values() if row.result is None] == [KEY.case]
        await session.close()
        await watch
    assert dear.asked == []


async def test_what_no_model_judges_is_judged_again_however_dear_the_player_is(
    tmp_path: Path, model: FakeJudge
) -> None:
    expensive(model, 5.0)
    async with watching(project(tmp_path, PLAYED)) as (session, ear):
        assert session.requests.judging_estimate([KEY], AGENT).cost_usd is None
        shorter = {"type": "response-length", "config": {"max": 300}}
        write(tmp_path, {**PLAYED, "evaluators": [shorter, {"type": "tool-call-count"}]})
        await ended(ear)
        assert [run.is_rejudging for run in ear.started()] == [True]
        assert "tool-call-count" in (result_of(session).metrics or {})
        assert session.requests.due_keys(AGENT) == ()
    assert len(model.asked) == 2, "once for each line"


async def test_what_no_model_judges_is_judged_again_where_nobody_agreed_to_the_player(
    tmp_path: Path, model: FakeJudge, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("EVALTUI_TRUST", raising=False)
    async with opened(project(tmp_path, PLAYED), trust=True) as (session, _):
        await session.run([KEY])
    write(tmp_path, {**PLAYED, "evaluators": [{"type": "tool-call-count"}]})
    async with opened(tmp_path) as (session, _):
        assert session.judges.panel(AGENT) is None
        await session.run([KEY], is_rejudging=True)
        assert result_of(session).metrics == {"tool-call-count": 0}
        assert session.requests.due_keys(AGENT) == ()
    assert len(model.asked) == 2


async def test_a_dear_player_is_not_asked_when_a_project_is_opened(
    tmp_path: Path, model: FakeJudge
) -> None:
    expensive(model, 0.01)
    scripted = {**PLAYED, "name": "Scripted", "persona": {"lines": ["Look up order SO-1"]}}
    async with opened(project(tmp_path, PLAYED, scripted), trust=True) as (session, ear):
        watch = asyncio.create_task(session.watch())
        await ended(ear)
        rows = session.store.board(AGENT).rows
        assert [row.key.case for row in rows.values() if row.result is None] == [KEY.case]
        await session.close()
        await watch
    assert model.asked == []


async def test_a_dear_player_is_not_asked_for_what_a_save_may_only_have_affected(
    tmp_path: Path, model: FakeJudge
) -> None:
    model.text = "Look up order SO-1"
    expensive(model, 0.01)
    async with watching(project(tmp_path, PLAYED)) as (session, ear):
        write_tools(tmp_path, with_description("play_music", "Looks up songs by their order."))
        scripted = {**PLAYED, "name": "Scripted", "persona": {"lines": ["Look up order SO-1"]}}
        write(tmp_path, PLAYED, scripted)
        await ended(ear)
        (stale,) = session.requests.due_keys(AGENT)
        assert stale == KEY
    assert asked_agent_for(ear) == ["Scripted"]


async def test_how_rubrics_are_scored_has_no_criteria_judged_again(
    tmp_path: Path, model: FakeJudge
) -> None:
    model.text = json.dumps(SAID)
    async with watching(project(tmp_path, CRITERIA)) as (session, ear):
        assert len(model.asked) == 2
        set_up(tmp_path, SETTINGS + "votes = 3\nthreshold = 0.8\n")
        write(tmp_path, {**CRITERIA, "failureCriteriaMode": "every_turn"})
        await ended(ear)
        assert result_of(session, "Judged").status is CaseStatus.PASSED
        assert session.requests.due_keys(AGENT) == ()
    assert len(model.asked) == 2, "the judge was asked about each turn before"
