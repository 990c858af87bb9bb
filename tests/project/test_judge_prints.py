"""What of the model that judges is an input of which cases."""

import pytest
from msgspec.structs import replace

from evaltui.core.case import Case, CaseKey, ContractCase, RubricCase, ScenarioCase
from evaltui.core.config import AgentProfile, JudgeConfig
from evaltui.core.persona import Persona
from evaltui.project.judge_prints import JudgePrints
from evaltui.scenarios import criteria_check, persona_player, rubric_prompt

KEY = CaseKey("evals/a.json", "a")
CONTRACT = Case(KEY, ContractCase("hello"))
RUBRIC = Case(KEY, RubricCase("hello"))
CRITERIA = Case(KEY, ScenarioCase("", persona=Persona(lines=("hello",)), failure_criteria="rude"))
PLAYED = Case(KEY, ScenarioCase("", persona=Persona("Ann")))
CASES = {"contract": CONTRACT, "rubric": RUBRIC, "criteria": CRITERIA, "played": PLAYED}
JUDGE = JudgeConfig(AgentProfile("judge", "openai", {"model": "m"}))


def prints_of(judge: JudgeConfig | None) -> dict[str, tuple[object, str]]:
    prints = JudgePrints(judge)
    return {name: (prints.checks(case), prints.player(case)) for name, case in CASES.items()}


def changed(now: JudgeConfig | None, before: JudgeConfig | None = JUDGE) -> list[str]:
    then, since = prints_of(before), prints_of(now)
    return [name for name in CASES if then[name] != since[name]]


@pytest.mark.parametrize("options", [{"model": "other"}, {"model": "m", "temperature": 0.5}])
def test_another_model_is_one_for_whatever_it_judges_or_plays(options: dict[str, str]) -> None:
    other = replace(JUDGE, profile=AgentProfile("judge", "openai", options))
    assert changed(other) == ["rubric", "criteria", "played"]
    assert changed(None) == ["rubric", "criteria", "played"]


@pytest.mark.parametrize("other", [{"votes": 3}, {"threshold": 0.8}])
def test_what_is_made_of_scores_is_an_input_of_rubrics_only(other: dict[str, float]) -> None:
    assert changed(replace(JUDGE, **other)) == ["rubric"]


@pytest.mark.parametrize(
    ("module", "of"),
    [(rubric_prompt, "rubric"), (criteria_check, "criteria"), (persona_player, "played")],
    ids=["rubric", "criteria", "played"],
)
def test_a_wording_is_an_input_of_what_is_asked_by_it(
    module: object, of: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = prints_of(JUDGE)
    monkeypatch.setattr(module, "VERSION", "another")
    now = prints_of(JUDGE)
    assert [name for name in CASES if before[name] != now[name]] == [of]


def test_a_model_that_only_plays_is_no_input_of_a_verdict_and_the_other_way_round() -> None:
    assert prints_of(JUDGE)["played"][0] == {}
    assert prints_of(JUDGE)["criteria"][1] == prints_of(JUDGE)["rubric"][1] == ""
    assert prints_of(JUDGE)["contract"] == ({}, "")
