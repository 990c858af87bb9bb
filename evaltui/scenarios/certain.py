"""What is certain about a scenario before anything is asked."""

from evaltui.core.case import Case, ScenarioCase
from evaltui.core.message_count import why_no_turn
from evaltui.core.outcome import Outcome
from evaltui.judging.judge import not_asked


def certain(case: Case) -> Outcome | None:
    """`None` when the conversation is to be held."""
    assert isinstance(case.body, ScenarioCase)
    why = why_no_turn(case.body)
    return not_asked(why, "contract_violation") if why else None
