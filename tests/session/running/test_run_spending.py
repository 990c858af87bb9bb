"""What a run may spend by itself, and what it holds when it would be more."""

from types import SimpleNamespace
from typing import cast

import pytest

from evaltui.core.agent import Agent
from evaltui.core.agent_name import ALL_JUDGING
from evaltui.core.case import CaseKey
from evaltui.core.events import SpendingChanged
from evaltui.core.payer import Payer
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


def test_what_a_run_may_have_to_pay_is_in_its_journal_before_the_answer_is() -> None:
    """A run that is killed meanwhile leaves there what `--resume` goes on with."""
    noted: list[tuple[str, SpendingChanged]] = []
    journal = SimpleNamespace(note=lambda run_id, event: noted.append((run_id, event)))
    record = SimpleNamespace(command=None, journal=journal)
    state, money = cast("ProjectState", SimpleNamespace(record=record)), spending()
    made = RunSpending("r", wanted(*KEYS), PAID, board(1.0, 0.5), state, money, KEYS)
    budget = money.budgets.budget(PAID.name)
    made.begin()
    first = Payer(PAID.name, budget).try_reserve(0.5)
    assert first is not None
    ((run_id, told),) = noted
    assert (run_id, told.agent, told.spent_usd, told.run) == ("r", PAID.name, 0.0, Spent(0.5))
    first.settle(0.25)
    assert [event.run.usd for _, event in noted if event.run] == [0.5, 0.25]
    assert noted[-1][1].spent_usd == 0.25
    assert budget.on_change is not None
    budget.on_change()
    assert len(noted) == 2, "nothing else was spent meanwhile"
    made.stop()
    assert Payer(PAID.name, budget).try_reserve(0.5) is not None
    assert len(noted) == 2, "of another run"
