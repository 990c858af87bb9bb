"""What a change has run by itself."""

from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import pytest

from evaltui.core.agent import Agent
from evaltui.core.case import CaseKey
from evaltui.core.staleness import Degree, DueCase
from evaltui.session.cases_to_run import CasesToRun, due_by_itself
from tests.session.priced import KEYS, OTHER, PAID, board, spending

if TYPE_CHECKING:
    from evaltui.session.due_cases import DueCases
    from evaltui.session.trials.audit import Audit


@pytest.mark.parametrize(("is_paid", "due"), [(False, KEYS), (True, KEYS[:1])])
def test_only_a_free_agent_reruns_what_is_possibly_affected(
    is_paid: bool, due: list[CaseKey]
) -> None:
    first, *rest = KEYS
    stale = [DueCase(first, Degree.AFFECTED, ("case changed",))]
    stale += [DueCase(key, Degree.POSSIBLY, ("another tool changed",)) for key in rest]
    stale += [DueCase(CaseKey("a.json", "kept"), Degree.TO_JUDGE, ("case changed",))]
    assert list(due_by_itself(stale, is_paid=is_paid)) == due


def test_what_is_dear_to_judge_is_due_as_for_an_agent_that_costs_money() -> None:
    first, second, third, fourth = KEYS
    stale = [
        DueCase(first, Degree.AFFECTED, ("case changed",)),
        DueCase(second, Degree.POSSIBLY, ("another tool changed",)),
        DueCase(third, Degree.NEVER_RUN, ("never run",)),
        DueCase(fourth, Degree.POSSIBLY, ("another tool changed",)),
    ]
    assert list(due_by_itself(stale, expensive=KEYS[:3], is_paid=False)) == [first, fourth]


class Nobody:
    """Draws no case, and lets none run."""

    def __init__(self, *failed: CaseKey) -> None:
        self._failed = frozenset(failed)

    def must_run(self) -> frozenset[CaseKey]:
        return self._failed


def due_cases(agent: Agent, saved: list[DueCase], *before: DueCase) -> CasesToRun:
    """`before`: due before the save, and not by it."""
    cases = [*saved, *before]
    stale = SimpleNamespace(saved=saved, cases=cases, keys={case.key for case in cases})
    audit = cast("Audit", Nobody(KEYS[2]))
    return CasesToRun(agent, board(1.0, 0.1), cast("DueCases", stale), spending(), audit)


def test_what_was_due_before_a_save_is_not_of_it() -> None:
    first, second, third, fourth = KEYS
    saved = [
        DueCase(first, Degree.AFFECTED, ("case changed",)),
        DueCase(second, Degree.POSSIBLY, ("another tool changed",)),
        DueCase(third, Degree.POSSIBLY, ("another tool changed",)),
        DueCase(OTHER, Degree.TO_JUDGE, ("evaluator changed",)),
    ]
    made = due_cases(PAID, saved, DueCase(fourth, Degree.AFFECTED, ("case changed",)))
    assert list(made.of_save()) == [first, third], "one that failed may be what the save is for"
    assert list(made.at_all()) == [first, fourth]
    assert made.to_judge_of_save() == made.to_judge() == [OTHER]
