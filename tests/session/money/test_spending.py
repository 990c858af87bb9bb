"""The guard of money: what may run without asking."""

from types import SimpleNamespace
from typing import cast

import pytest
from msgspec.structs import replace

from evaltui.core.agent import Agent
from evaltui.core.asked import AgentTraits
from evaltui.core.case import ScenarioCase
from evaltui.core.persona import Persona
from evaltui.session.money.spending import Cause
from tests.session.priced import FREE, KEYS, PAID, UNKNOWN, board, spending

TAKEN_FREE = AgentTraits(is_free=True, may_tell_costs=True, is_taken_free=True)
SAID_FREE = AgentTraits(is_free=True, may_tell_costs=True, is_said_free=True)


@pytest.mark.parametrize(
    ("cause", "agent", "each_usd", "may_run"),
    [
        (Cause.OPENED, FREE, None, True),
        (Cause.OPENED, PAID, None, False),
        (Cause.OPENED, UNKNOWN, None, False),
        (Cause.SAVED, FREE, None, True),
        (Cause.SAVED, PAID, None, False),
        (Cause.SAVED, PAID, 0.25, True),
        (Cause.SAVED, PAID, 0.26, False),
        (Cause.SAVED, UNKNOWN, 0.26, False),
    ],
)
def test_what_may_run_without_asking_when_more_than_a_dollar_asks_first(
    cause: Cause, agent: Agent, each_usd: float | None, may_run: bool
) -> None:
    assert spending().may_run(cause, agent, board(1.0, each_usd), KEYS) is may_run


@pytest.mark.parametrize(
    ("traits", "seconds", "trials", "may_run"),
    [
        (TAKEN_FREE, None, 5, True),
        (TAKEN_FREE, None, 6, False),
        (TAKEN_FREE, 1.0, 6, True),
        (SAID_FREE, None, 6, True),
    ],
    ids=["a few calls", "many", "many of what answered before", "many of what is said to be free"],
)
def test_what_nobody_said_is_free_is_not_asked_many_times_before_it_answered(
    traits: AgentTraits, seconds: float | None, trials: int, may_run: bool
) -> None:
    local = cast("Agent", SimpleNamespace(name="local", traits=traits))
    made = board(seconds, None, 0 if seconds else len(KEYS))
    guard = spending(trials=trials)
    assert guard.may_run(Cause.SAVED, local, made, KEYS) is may_run
    assert guard.may_run(Cause.OPENED, local, made, KEYS), "a start takes it for free"


@pytest.mark.parametrize(
    ("persona", "criteria", "may_run", "may_judge"),
    [
        (Persona(lines=("hello",)), "", True, True),
        (Persona("Ann"), "", False, True),
        (Persona(lines=("hello",)), "it helps", False, False),
    ],
    ids=["no model", "a model plays", "a model judges"],
)
def test_a_model_that_plays_the_user_is_paid_for_the_answer_and_not_for_the_verdict(
    persona: Persona, criteria: str, may_run: bool, may_judge: bool
) -> None:
    made, money = board(1.0, 5.0), spending(judge=PAID)
    body = ScenarioCase("", persona=persona, success_criteria=criteria)
    for row in made.rows.values():
        row.case = replace(row.case, body=body)
    for cause in Cause:
        assert money.may_run(cause, FREE, made, KEYS) is may_run
        assert money.may_judge(cause, FREE, made, KEYS) is may_judge
    assert (money.allowance(FREE, made, KEYS, 1, rejudges=False) is None) is may_run
    assert (money.allowance(FREE, made, KEYS, 1, rejudges=True) is None) is may_judge


def test_a_save_does_not_go_on_where_nobody_knows_what_its_verdicts_cost() -> None:
    made, money = board(1.0, None), spending(judge=PAID)
    for row in made.rows.values():
        row.case = replace(row.case, body=ScenarioCase("", success_criteria="it helps"))
    assert not money.may_go_on(FREE, made, KEYS)
    assert money.may_go_on(FREE, board(1.0, None), KEYS), "nothing of them is judged by a model"


def test_a_save_does_not_go_on_with_several_cases_whose_cost_is_a_guess() -> None:
    money = spending()
    assert not money.may_go_on(PAID, board(1.0, 0.01, never_run=2), KEYS)
    assert money.may_go_on(PAID, board(1.0, 0.01, never_run=1), KEYS)
