"""How many cases wait until somebody agrees to what they cost."""

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

from msgspec.structs import replace

from evaltui.core.agent import Agent
from evaltui.core.case import CaseKey, RubricCase, RubricDimension
from evaltui.session.held_cases import HeldCases
from evaltui.session.money.spending import Cause, Spending
from tests.session.priced import FREE, KEYS, PAID, board

if TYPE_CHECKING:
    from evaltui.session.cases_to_run import CasesToRun
    from evaltui.session.due_cases import DueCases

FIRST, SECOND, THIRD, FOURTH = KEYS
RUBRIC = RubricCase("How is it?", dimensions=(RubricDimension("tone", 1.0, "Friendly?"),))


class Guard:
    """Lets those run that it was made with, has nothing judged, and notes how many are held."""

    def __init__(self, *lets: CaseKey) -> None:
        self._lets = lets
        self.held = 0
        self.budgets = self

    def hold(self, _name: str, cases: int) -> None:
        self.held = cases

    def allowed(self, *about: Any) -> dict[CaseKey, None] | None:
        return {key: None for key in about[-1] if key in self._lets} or None

    def may_judge(self, *about: Any) -> bool:
        return not about[-1]


def made(guard: Guard, agent: Agent = PAID, *expensive: CaseKey) -> HeldCases:
    """All are due; the answers to the third and fourth are scored by a judge."""
    shown = board(1.0, 0.1)
    for key in (THIRD, FOURTH):
        shown.rows[key].case = replace(shown.rows[key].case, body=RUBRIC)
    due = SimpleNamespace(keys=frozenset(KEYS))
    to_run = SimpleNamespace(
        at_all=lambda: dict.fromkeys(KEYS), expensive=lambda: frozenset(expensive)
    )
    return HeldCases(
        agent,
        shown,
        cast("DueCases", due),
        cast("CasesToRun", to_run),
        cast("Spending", guard),
    )


def test_where_none_may_run_all_that_is_due_is_held() -> None:
    guard = Guard()
    assert made(guard).allowed(Cause.SAVED, KEYS[:1], set(), set()) is None
    assert guard.held == 4


def test_what_runs_or_waits_for_its_turn_is_not_held() -> None:
    guard = Guard(FIRST)
    held = made(guard)
    assert held.allowed(Cause.SAVED, [FIRST], {SECOND}, {THIRD}) == {FIRST: None}
    assert guard.held == 1
    held.allowed(Cause.SAVED, [FIRST, THIRD], {SECOND}, {THIRD})
    assert guard.held == 2, "what was refused is held, though it waits for its turn"
    held.clear()
    held.allowed(Cause.SAVED, [FIRST], {SECOND}, {THIRD})
    assert guard.held == 1, "another save decides"


def test_of_a_free_agent_only_what_is_dear_all_the_same_is_held() -> None:
    guard = Guard(FIRST)
    made(guard, FREE, FIRST, FOURTH).allowed(Cause.SAVED, [FIRST], set(), set())
    assert guard.held == 1


def test_answers_that_a_judge_scores_are_held_where_that_is_too_dear() -> None:
    guard = Guard(FIRST)
    held = made(guard)
    assert held.part_judged(Cause.SAVED, [SECOND]) == ([SECOND], [])
    assert held.part_judged(Cause.SAVED, [*KEYS[1:]]) == ([SECOND], [THIRD, FOURTH])
    held.allowed(Cause.SAVED, [FIRST], set(), {SECOND, THIRD, FOURTH})
    assert guard.held == 2


def test_who_asks_for_a_run_was_shown_what_is_due_and_a_save_leaves_the_rest() -> None:
    guard = Guard()
    held = made(guard)
    held.begin_run({FIRST}, {SECOND}, is_saved=True)
    assert guard.held == 2
    held.begin_run({FIRST}, {SECOND}, is_saved=False)
    assert guard.held == 0


def test_after_a_run_that_is_held_which_it_was_not_to_ask_for_and_is_due_still() -> None:
    guard = Guard()
    held = made(guard)
    held.end_run([FIRST, CaseKey("a.json", "not due")])
    assert guard.held == 1
    held.end_run([SECOND])
    assert guard.held == 2
    held.release()
    assert guard.held == 0
