"""What is certain about a scenario before anything is asked."""

from evaltui.core.case import Case, ScenarioCase
from evaltui.core.message_count import most_without_player, why_no_turn
from evaltui.core.outcome import Outcome
from evaltui.judging.judge import not_asked

NO_PLAYER = "nobody can write the user's next line"


def certain(case: Case) -> Outcome | None:
    """`None` when the conversation is to be held."""
    assert isinstance(case.body, ScenarioCase)
    why = why_no_turn(case.body)
    return not_asked(why, "contract_violation") if why else None


def why_no_model(case: Case) -> str:
    """Why one that takes a model is not run where there is none."""
    if ways := without_player(case):
        return f"not run: {NO_PLAYER}: {ways}"
    what = "criteria, and a persona without `lines`," if case.body.asks_persona else "criteria"
    return f"not run: {what} need a model (`[judge]` in the settings)"


def without_player(case: Case) -> str:
    """What to write where a model is missing for nothing but the user's lines; empty elsewhere."""
    body = case.body
    if not isinstance(body, ScenarioCase) or body.asks_judge or not body.asks_persona:
        return ""
    if why_no_turn(body):
        return ""
    most = most_without_player(body)
    fewer = "" if most is None else f"lower `maxMessages` to {most}, "
    return f"give its persona `lines`, {fewer}or write `[judge]` into the settings"
