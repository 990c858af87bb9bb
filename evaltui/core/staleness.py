"""Which inputs of a result have changed since, and whether that makes it due."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import TypeAlias

from msgspec import Struct

from evaltui.core.case import CaseKey
from evaltui.core.inputs import Inputs
from evaltui.core.result import CaseResult
from evaltui.core.tool_changes import Reached

FIRST_RULES = "1"
"""Results without a version of the rules of judging were judged by these."""
CASE_CHANGED = "case changed"
NEVER_RUN = "never run"
NOT_TRUSTED = "not trusted: ctrl+t"
"""Nobody agreed to it yet, and the verdict that it gave stands until somebody does."""
UNKNOWN_FILES = "not all files of the agent were known"
OTHER_FILES = "files changed that the agent may be made of"
"""Where not all that it is made of are known."""
EVALUATOR_FILES = "files changed that an evaluator may be made of"
"""The same of one that is a program."""
ANOTHER_TOOL = "another tool in the registry changed"
"""Where it is not known which one."""
_TOO_FEW_TRIALS = re.compile("[0-9]+ of [0-9]+ trials")
"""The whole of such a reason; those that name a tool or a file say more than its name."""
ANY_TOOL = Reached()


class Degree(StrEnum):
    """How much a change can matter to a case."""

    AFFECTED = "affected"
    """Something that shapes the answer changed: the result cannot be trusted."""
    TO_JUDGE = "to be judged again"
    """Only what is expected of the answer changed: the kept answer makes the new verdict."""
    POSSIBLY = "possibly affected"
    """Another tool of the registry changed, which may pull routing away, or a limit did."""
    NEVER_RUN = "never run"
    """There is no result. No change made it so: what costs money does not run because of it."""


class DueCase(Struct, frozen=True, gc=False):
    """A case whose result cannot be trusted, and why, in words."""

    key: CaseKey
    degree: Degree
    reasons: tuple[str, ...]
    """E.g. `get_weather.description changed`; never empty."""

    @property
    def may_be_its_doing(self) -> bool:
        """Whether nothing changed but files of which nobody knows whether they are the agent's, or
        an evaluator's: it may have written them itself, so that nothing runs again because of
        them."""
        return {OTHER_FILES, EVALUATOR_FILES}.issuperset(self.reasons)

    @property
    def lacks_trials_only(self) -> bool:
        """Whether its inputs are those of now, and it was only tried less often than is asked for
        by now."""
        if self.degree is not Degree.POSSIBLY or len(self.reasons) != 1:
            return False
        return _TOO_FEW_TRIALS.fullmatch(self.reasons[0]) is not None


Changed: TypeAlias = tuple[Degree, tuple[str, ...]] | None
"""How much what changed since a result can matter, and what that is; `None`: nothing did."""


def due_reasons(result: CaseResult, now: Inputs, reached: Reached = ANY_TOOL) -> Changed:
    """What changed since the result was made; `None` when nothing did.

    `reached`: what of the tools can have shaped another answer, as far as that is known.
    An input that an older result does not know of is no reason to ask again: an update of the
    program costs nothing.
    """
    before = result.inputs
    if not before.case:
        return Degree.POSSIBLY, ("what the result depended on is unknown",)
    asked, judged = [*_asked_otherwise(result, now, reached)], [*_judged_otherwise(before, now)]
    can_judge = can_be_judged_again(result, now)
    if asked or (judged and not can_judge):
        return Degree.AFFECTED, (*asked, *judged)
    possibly = [*_possible_reasons(result, now, reached)]
    if have_rules_changed(before.rules, now.rules):
        (judged if can_judge else possibly).append("rules of judging changed")
    is_other = _differ_where_known(before.evaluator_files, now.evaluator_files)
    doubt = (EVALUATOR_FILES,) if is_other else ()
    if judged or (doubt and can_judge and not possibly):
        return Degree.TO_JUDGE, (*judged, *doubt)
    return (Degree.POSSIBLY, (*possibly, *doubt)) if possibly or doubt else None


def have_rules_changed(before: str, now: str) -> bool:
    """Whether the same answer may get another verdict by the rules of judging of now."""
    return (before or FIRST_RULES) != now


def can_be_judged_again(result: CaseResult, now: Inputs) -> bool:
    """Whether the kept answer is all that a new verdict takes.

    Not when the answer belongs to the values of its moment, and not for several trials, of which
    only one answer is kept. A case that was not run, as a rubric without a judge, has none.
    """
    is_single = result.trials == 1 and not result.erred
    return bool(result.inputs.answer and now.answer) and is_single and result.has_run


def _asked_otherwise(result: CaseResult, now: Inputs, reached: Reached) -> Iterator[str]:
    before = result.inputs
    if before.case != now.case and not _is_answer_same(before, now):
        yield CASE_CHANGED
    yield from dict.fromkeys(_tool_changes(before, now, reached))
    if now.agent and before.agent != now.agent:
        yield "agent changed"
    elif _differ_where_known(before.agent_files, now.agent_files):
        yield "files of the agent changed"
    if _differ_where_known(before.variables, now.variables):
        yield "variables of the agent changed"
    if _differ_where_known(before.player, now.player):
        yield "how the user is played changed"
    if result.is_late and _limit(now) > _limit(before):
        yield "time limit raised"


def _judged_otherwise(before: Inputs, now: Inputs) -> Iterator[str]:
    if before.case != now.case and _is_answer_same(before, now):
        yield CASE_CHANGED
    for change in _changes(before.seed, now.seed):
        yield f"seed {change}"
    if _differ_where_known(before.live, now.live):
        yield "live values changed"
    if before.rules:
        yield from _changes(before.checks, now.checks)


def _possible_reasons(result: CaseResult, now: Inputs, reached: Reached) -> Iterator[str]:
    before = result.inputs
    if before.agent_files and not now.agent_files:
        yield UNKNOWN_FILES
    elif before.other_files != now.other_files and now.other_files:
        yield OTHER_FILES if before.other_files else UNKNOWN_FILES
    if reached.others is not None:
        yield from reached.others
    elif before.registry and before.registry != now.registry:
        yield ANOTHER_TOOL
    if not result.is_late and _limit(now) < min(_limit(before), result.duration_ms):
        yield "took longer than the time limit is now"
    trials, wanted = before.settings.get("trials"), now.settings.get("trials", 1)
    if trials is not None and trials < wanted:
        yield _too_few_trials(trials, wanted)


def _too_few_trials(made: int, wanted: int) -> str:
    return f"{made} of {wanted} trials"


def _differ_where_known(before: str, now: str) -> bool:
    return bool(before and now) and before != now


def _limit(inputs: Inputs) -> float:
    """Milliseconds; without a limit, or when it is unknown, infinitely many."""
    return inputs.settings.get("timeoutMs") or float("inf")


def _is_answer_same(before: Inputs, now: Inputs) -> bool:
    return bool(before.answer) and before.answer == now.answer


def _tool_changes(before: Inputs, now: Inputs, reached: Reached) -> Iterator[str]:
    """Of tools that the case names, by their fields, and of those that were called."""
    if before.tools is not now.tools and before.tools != now.tools:
        yield from _changes(*_whole_tools(reached.counts(before.tools), reached.counts(now.tools)))
    if before.called is not now.called and before.called != now.called:
        yield from _changes(reached.counts(before.called), reached.counts(now.called))


def _whole_tools(*sides: Mapping[str, str]) -> list[dict[str, str]]:
    """Fingerprints by `<tool>.<field>`; by `<tool>` where only one side has the tool."""
    had, has = ({key.rpartition(".")[0] for key in prints} for prints in sides)
    both = had & has
    return [
        {
            key if (tool := key.rpartition(".")[0]) in both else tool: text
            for key, text in it.items()
        }
        for it in sides
    ]


def _changes(before: Mapping[str, str], now: Mapping[str, str]) -> list[str]:
    if before is now or before == now:
        return []
    changes = [f"{name} changed" for name in now if name in before and before[name] != now[name]]
    changes += [f"{name} added" for name in now if name not in before]
    changes += [f"{name} removed" for name in before if name not in now]
    return changes


def reason_of(cases: Iterable[DueCase], edited: Sequence[str] = ()) -> str:
    """Why these are due, in words: the most frequent reason, how many others there are. `edited`:
    what a save changed in the cases, as the headline says it."""
    reasons = Counter(reason for case in cases for reason in case.reasons)
    if not reasons:
        return "by hand"
    ((first, _),) = reasons.most_common(1)
    if edited and first in (CASE_CHANGED, NEVER_RUN):
        first = ", ".join(edited)
    others = len(reasons) - 1
    return f"{first} and {others} other reason{'s' * (others > 1)}" if others else first
