"""What a run may spend by itself, and what it holds when it would be more."""

from types import SimpleNamespace
from typing import cast

import pytest

from evaltui.core.agent import Agent
from evaltui.core.agent_name import ALL_JUDGING
from evaltui.core.case import CaseKey
from evaltui.core.spent import Spent
from evaltui.session.project_state import ProjectState
from evaltui.session.running.run_request import RunRequest
from evaltui.session.running.run_spending import RunSpending
from tests.session.priced import FREE, KEYS, OTHER, PAID, board, spending

STATE = cast("ProjectState", SimpleNamespace(record=None))


def spending_of(request: RunRequest, agent: Agent = PAID, each_usd: float = 0.5) -> RunSpending:
    money = spending()
    return RunSpending("r", request, agent, board(1.0, each_usd), STATE, money, KEYS)


def wanted(*keys: CaseKey, **more: object) -> RunRequest:
    found = {"trigger": ("a.json",), "while_due": frozenset(keys), **more}
    return RunRequest(dict.fromkeys(KEYS), "saved", **found)  # type: ignore[arg-type]


def test_what_a_save_has_run_by_itself_has_an_allowance() -> None:
    made = spending_of(wanted(*KEYS[:2], OTHER)).allowance
    assert made is not None
    assert not made.held


@pytest.mark.parametrize(
    ("request_", "agent"),
    [
        (wanted(), PAID),
        (wanted(OTHER), PAID),
        (wanted(*KEYS, trigger=()), PAID),
        (wanted(*KEYS, asks_judge=False), PAID),
        (wanted(*KEYS), FREE),
    ],
    ids=["asked for", "of another run", "no save", "nobody is asked", "free"],
)
def test_what_was_asked_for_or_costs_nothing_has_none(request_: RunRequest, agent: Agent) -> None:
    made = spending_of(request_, agent)
    assert made.allowance is None
    made.leave(KEYS[:1])
    assert made.held == frozenset(KEYS[:1])


@pytest.mark.parametrize(("before", "left"), [(None, 0.5), (Spent(0.25), 0.75)])
def test_what_an_interrupted_run_spent_is_of_the_run_that_goes_on_with_it(
    before: Spent | None, left: float
) -> None:
    money = spending()
    budget = money.budgets.budget(PAID.name)
    budget.take_over(Spent(0.25))
    request = RunRequest(dict.fromkeys(KEYS), "asked for", spent=before)
    made = RunSpending("r", request, PAID, board(1.0, 0.5), STATE, money, KEYS)
    budget.give_back(0.0, 0.5)
    assert made.spent.usd == left


def test_trials_go_on_where_somebody_agreed_and_else_within_what_nobody_is_asked_about() -> None:
    assert spending_of(wanted(confirms="agreed"), each_usd=5.0).may_go_on(KEYS)
    assert not spending_of(wanted(confirms="guarded"), each_usd=5.0).may_go_on(KEYS)
    assert spending_of(wanted(confirms="guarded"), each_usd=0.01).may_go_on(KEYS)


def test_a_command_notes_what_its_agents_spent_and_what_of_it_was_for_judging() -> None:
    noted: list[tuple[str, float]] = []
    command = SimpleNamespace(note=lambda name, spent: noted.append((name, spent.usd)))
    state = cast("ProjectState", SimpleNamespace(record=SimpleNamespace(command=command)))
    money = spending()
    money.budgets.take_over(Spent(0.25), ALL_JUDGING)
    made = RunSpending("r", wanted(*KEYS), PAID, board(1.0, 0.5), state, money, KEYS)
    money.budgets.budget(PAID.name).give_back(0.0, 0.5)
    made.settle()
    assert noted == [(PAID.name, 0.5), (ALL_JUDGING, 0.25)]
