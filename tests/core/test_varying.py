"""Which verdicts may be others the next time, with nothing edited."""

import pytest
from msgspec.structs import replace

from evaltui.core.case import (
    Case,
    CaseBody,
    CaseKey,
    ContractCase,
    RubricCase,
    ScenarioCase,
    TraceCase,
)
from evaltui.core.persona import Persona
from evaltui.core.response import Message
from evaltui.core.varying import may_differ

SCRIPTED = ScenarioCase("hi", persona=Persona("ann", lines=("hi", "thanks")))
ASKED_ONCE = ScenarioCase("hi", seed_messages=(Message("user", "hi"),), max_messages=2)
KEY = CaseKey("s", "c")


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (ContractCase("hi"), False),
        (RubricCase("hi"), True),
        (SCRIPTED, False),
        (ASKED_ONCE, False),
        (replace(ASKED_ONCE, max_messages=6), True),
        (replace(SCRIPTED, persona=Persona("ann")), True),
        (replace(SCRIPTED, success_criteria="It is polite."), True),
        (replace(SCRIPTED, failure_criteria="It is rude."), True),
        (TraceCase("hi"), False),
    ],
)
def test_a_model_that_judges_or_plays_may_differ_whoever_the_agent_is(
    body: CaseBody, expected: bool
) -> None:
    assert may_differ(Case(KEY, body), is_sampled=False) is expected


def test_a_sampled_agent_may_answer_otherwise_and_a_trace_is_as_it_was() -> None:
    bodies = (ContractCase("hi"), RubricCase("hi"), SCRIPTED)
    assert all(may_differ(Case(KEY, body), is_sampled=True) for body in bodies)
    assert not may_differ(Case(KEY, TraceCase("hi")), is_sampled=True)


def test_a_model_has_no_say_where_a_case_cannot_be_judged() -> None:
    assert not may_differ(Case(KEY, RubricCase("hi"), invalid="no dimension"), is_sampled=False)
