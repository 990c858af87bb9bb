"""What each of the inputs bears on, declared once, and the comparisons that follow from it.

Why a result is not in force any more, in words, says `staleness.py`.
"""

from collections.abc import Iterable, Mapping
from enum import Flag, auto
from functools import cache
from typing import Any

from msgspec.structs import replace

from evaltui.core.agent_name import JUDGE
from evaltui.core.asked import AgentTraits
from evaltui.core.inputs import Inputs


class Bears(Flag):
    """What may be another where an input is."""

    ON_ANSWER = auto()
    """What the agent answers."""
    BY_TOOLS = auto()
    """The same, with agents that may have to do with tools."""
    BY_OTHER_TOOLS = auto()
    """The same, with agents that read the tools which evaltui reads."""
    MAYBE = auto()
    """The same, as far as anybody knows: no reason to ask by itself."""
    ON_VERDICT = auto()
    """The verdict of the same answer."""
    MAYBE_ON_VERDICT = auto()
    """The same, as far as anybody knows: no reason to judge by itself."""
    ON_JUDGE = auto()
    """Who judges with a model, and how."""
    ON_CHANCE = auto()
    """How likely a trial is to pass: those before and after count apart."""
    ON_EFFORT = auto()
    """How often and for how long it is tried."""
    AS_ANSWERED = auto()
    """Nothing by itself: the answer tells it, and another to the same question may tell another."""


_OF_AGENT = Bears.ON_ANSWER | Bears.ON_CHANCE
_OF_JUDGING = Bears.ON_VERDICT | Bears.ON_CHANCE

BEARS: Mapping[str, Bears] = {
    "case": Bears.ON_ANSWER | _OF_JUDGING,
    "tools": Bears.BY_TOOLS | Bears.ON_CHANCE,
    "registry": Bears.BY_OTHER_TOOLS | Bears.ON_CHANCE,
    "seed": _OF_JUDGING,
    "agent": _OF_AGENT,
    "checks": _OF_JUDGING | Bears.ON_JUDGE,
    "answer": Bears.ON_ANSWER,
    "rules": _OF_JUDGING | Bears.ON_JUDGE,
    "called": Bears.BY_TOOLS | Bears.AS_ANSWERED,
    "settings": Bears.ON_ANSWER | Bears.ON_EFFORT,
    "all_tools": Bears(0),  # the name under which the tools are kept, which count by themselves
    "agent_files": _OF_AGENT,
    "variables": _OF_AGENT,
    "live": _OF_JUDGING,
    "shown": Bears.ON_ANSWER | Bears.AS_ANSWERED,
    "player": _OF_AGENT,
    "other_files": Bears.MAYBE | Bears.ON_CHANCE,
    "evaluator_files": Bears.MAYBE_ON_VERDICT | Bears.ON_CHANCE,
}
"""By field of `Inputs`, all of them."""


@cache
def that_bear(on: Bears) -> tuple[str, ...]:
    """The inputs that bear on one of these, as `Inputs` orders them."""
    return tuple(name for name, bears in BEARS.items() if bears & on)


OF_VERDICT = that_bear(Bears.ON_VERDICT | Bears.MAYBE_ON_VERDICT)
"""What is another where an answer that is kept is judged again."""
OF_CHANCE = that_bear(Bears.ON_CHANCE)
_OF_JUDGE = that_bear(Bears.ON_JUDGE)
_OF_TRIAL = Bears.ON_EFFORT | Bears.AS_ANSWERED
_BESIDES_TRIAL = tuple(name for name, bears in BEARS.items() if not bears & _OF_TRIAL)
_OF_SIDE = tuple(name for name, bears in BEARS.items() if bears)


def judged_as(inputs: Inputs, other: Inputs) -> Inputs:
    """Those of the same answer, with the verdict that it gets under the other inputs."""
    return replace(inputs, **{name: getattr(other, name) for name in OF_VERDICT})


def are_asked_alike(one: Inputs, other: Inputs, traits: AgentTraits) -> bool:
    """Whether an agent would be asked the same under both, so that an answer need not be dropped.

    What shapes a verdict counts only where it cannot be made again of the answer. What may matter
    does not: it is no reason to ask twice, and a program that writes into the project while it
    answers would never come to an end.
    """
    on = Bears.ON_ANSWER
    if traits.may_read_registry:
        on |= Bears.BY_TOOLS
    if traits.reads_registry:
        on |= Bears.BY_OTHER_TOOLS
    if not (one.answer and other.answer):
        return _are_equal(that_bear(on | Bears.ON_VERDICT), one, other)
    return _are_equal([name for name in that_bear(on) if name not in OF_VERDICT], one, other)


def are_judged_by_same(one: Inputs, other: Inputs) -> bool:
    """Whether whoever judges with a model is the same, and the rules are."""
    return all(_of_judge(one, name) == _of_judge(other, name) for name in _OF_JUDGE)


def is_judge_asked_alike(one: Inputs, other: Inputs) -> bool:
    """Whether it would be asked the same about the same answer, as far as inputs tell."""
    return one.case == other.case and are_judged_by_same(one, other)


def differ_in_effort_only(one: Inputs, other: Inputs) -> bool:
    """Whether nothing else is another than how it was tried, and what was answered then; False
    where nothing is known."""
    return bool(one.case) and _are_equal(_BESIDES_TRIAL, one, other)


def are_sides_alike(one: Inputs, other: Inputs) -> bool:
    """Whether a case is the same in two states of the project, whatever tools they have besides."""
    return _are_equal(_OF_SIDE, one, other)


def _are_equal(names: Iterable[str], one: Inputs, other: Inputs) -> bool:
    return all(getattr(one, name) == getattr(other, name) for name in names)


def _of_judge(inputs: Inputs, name: str) -> Any:
    """Of the settings that are by name, those of the judge."""
    value = getattr(inputs, name)
    return value.get(JUDGE) if isinstance(value, Mapping) else value
