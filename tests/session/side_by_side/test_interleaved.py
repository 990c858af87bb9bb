"""What each answer tells of the side that gave it."""

from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import pytest

from evaltui.core.ab_report import AbPair
from evaltui.core.response import AgentResponse, Usage
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.core.statistics.trials import Trials, TwoSides
from evaltui.core.tool import ToolRegistry
from evaltui.session.side_by_side.interleaved import Interleaved
from tests.session.priced import KEYS, PAID, spending

if TYPE_CHECKING:
    from evaltui.session.judges import Judges
    from evaltui.session.project_state import ProjectState
    from evaltui.session.side_by_side.ab_plan import AbPlan

P, F, E, S = CaseStatus.PASSED, CaseStatus.FAILED, CaseStatus.ERROR, CaseStatus.SKIPPED
KEY = KEYS[0]


@pytest.fixture
def run() -> Interleaved:
    project = SimpleNamespace(suites=(), registry=ToolRegistry())
    side = SimpleNamespace(project=project, queue=SimpleNamespace(agent=PAID))
    plan = SimpleNamespace(before=side, now=side, keys=(KEY,), seed=1)
    state = cast("ProjectState", SimpleNamespace())
    made = Interleaved(cast("AbPlan", plan), state, spending(), cast("Judges", None), 8)
    made.pairs[KEY] = AbPair()
    return made


def answer(status: CaseStatus, reason: str = "", cost_usd: float | None = None) -> CaseResult:
    response = AgentResponse("", usage=Usage(cost_usd=cost_usd))
    return CaseResult(KEY, "r", "a", status, response=response, error=reason, assertions_run=1)


def test_a_verdict_is_a_trial_of_its_side_and_the_last_failure_of_now_says_why(
    run: Interleaved,
) -> None:
    for status, reason, is_now in (
        (P, "", False),
        (F, "then", False),
        (P, "", True),
        (F, "first", True),
        (F, "last", True),
    ):
        run._note(answer(status, reason), is_now=is_now)
    pair = run.pairs[KEY]
    assert pair.sides == TwoSides(Trials(1, 1), Trials(1, 2))
    assert (pair.reason, pair.errors, run.progress) == ("last", 0, (5, 8))


def test_an_error_is_no_trial_and_is_told_by_its_side(run: Interleaved) -> None:
    run._note(answer(E, "down"), is_now=False)
    run._note(answer(E, "still down"), is_now=True)
    pair = run.pairs[KEY]
    assert (pair.sides, pair.lost_before, pair.lost_now) == (TwoSides(), 1, 1)
    assert pair.why_lost == "down"


def test_what_is_not_judged_says_why_once(run: Interleaved) -> None:
    run._note(answer(S), is_now=True)
    assert run.pairs[KEY].reason == "nothing asserted"
    run._note(answer(S, "needs a judge"), is_now=True)
    assert run.pairs[KEY].reason == "nothing asserted"
    run.pairs[KEY] = AbPair()
    run._note(answer(S, "needs a judge"), is_now=True)
    assert (run.pairs[KEY].reason, run.pairs[KEY].sides) == ("needs a judge", TwoSides())


def test_the_cost_is_known_once_something_was_paid_or_told(run: Interleaved) -> None:
    told = [run.cost_usd]
    for cost_usd in (None, 0.0):
        run._note(answer(P, cost_usd=cost_usd), is_now=True)
        told.append(run.cost_usd)
    run._spending.budgets.budget(PAID.name).give_back(0.0, 0.5)
    assert [*told, run.cost_usd] == [None, None, 0.0, 0.5]
