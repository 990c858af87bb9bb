"""When a conversation ends, and why; decided nowhere else."""

from collections.abc import Iterable, Sequence

from evaltui.core.case import ScenarioCase
from evaltui.core.message_count import has_agent_turn, is_users_turn, message_count
from evaltui.core.persona import FailureMode
from evaltui.core.response import Message
from evaltui.core.verdict import CRITERIA, Verdict


def fails_at_once(body: ScenarioCase) -> bool:
    """Whether failure criteria end it at whichever turn they are met."""
    return body.failure_criteria_mode is FailureMode.EVERY_TURN


def is_at_limit(body: ScenarioCase, messages: Sequence[Message]) -> bool:
    """Whether there are too many messages for a further turn of the agent."""
    return not has_agent_turn(body, messages)


def are_lines_over(body: ScenarioCase, messages: Sequence[Message]) -> bool:
    """Whether all that is written down for the user was said and answered, before the limit."""
    seeds = body.seed_messages
    said = sum(one.role == "user" for one in messages) - sum(one.role == "user" for one in seeds)
    is_below = message_count(messages) < body.max_messages and is_users_turn(body, messages)
    return bool(body.persona.lines) and said >= len(body.persona.lines) and is_below


def is_last_turn(body: ScenarioCase, messages: Sequence[Message], *, has_line: bool) -> bool:
    """Whether none can follow, whatever is said of it; `has_line`: the user can say more."""
    return is_at_limit(body, messages) or (is_users_turn(body, messages) and not has_line)


def is_final(by_criteria: Iterable[Verdict], *, is_last: bool) -> bool:
    """Whether a turn is known to be the last before evaluators judge it."""
    return is_last or any(one.ends for one in by_criteria)


def is_over(verdicts: Iterable[Verdict], *, is_final: bool) -> bool:
    """Whether it ends with a turn of which all this was said."""
    return is_final or any(one.gates for one in verdicts)


def by_weight(
    body: ScenarioCase, by_criteria: Sequence[Verdict], by_evaluators: Sequence[Verdict]
) -> tuple[Verdict, ...]:
    """The verdicts of a turn: the first of them that gates is the `decisive` one."""
    first = [one for one in by_criteria if not one.gates or _fails_at_once(body, one)]
    last = [one for one in by_criteria if one not in first]
    return (*first, *by_evaluators, *last)


def decisive(body: ScenarioCase, verdicts: Sequence[Verdict]) -> Verdict | None:
    """What ended it, or else says what it came to: failure criteria that end it at once, then
    evaluators, then what the criteria come to at the last turn; `None` where it was judged by
    evaluators alone, which all hold."""
    at_once = (one for one in verdicts if _fails_at_once(body, one))
    failed = (one for one in verdicts if one.gates and not is_of_criteria(one))
    criteria = filter(is_of_criteria, verdicts)
    return next(at_once, None) or next(failed, None) or next(criteria, None)


def is_by_limit(
    body: ScenarioCase, messages: Sequence[Message], verdicts: Sequence[Verdict]
) -> bool:
    """Whether it was the number of messages that ended it, not a verdict before."""
    found = decisive(body, verdicts)
    if found is None:
        return is_at_limit(body, messages)
    is_undecided = is_of_criteria(found) and not (_fails_at_once(body, found) or _is_met(found))
    return is_undecided and is_at_limit(body, messages)


def is_of_criteria(verdict: Verdict) -> bool:
    return verdict.check == CRITERIA


def _fails_at_once(body: ScenarioCase, verdict: Verdict) -> bool:
    is_triggered = is_of_criteria(verdict) and verdict.evidence.get("triggered") is True
    return is_triggered and fails_at_once(body)


def _is_met(verdict: Verdict) -> bool:
    match verdict.evidence.get("evaluation"):
        case {"successMet": True}:
            return True
    return False
