"""What of a body counts in the fingerprints of its case, and what does not."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from evaltui.core.case import ScenarioCase
from evaltui.core.case_prints import happened_in, held_against, said_in
from evaltui.core.persona import Persona
from evaltui.core.response import Message, ToolCall
from evaltui.core.trace import Event, ToolPolicy

CALL = ToolCall("find", {"q": 1}, True, 2.0, {"hits": 3}, id="c")
SCRIPTED = Persona("Ann", "polite", "be Ann", ("one", "two"))
BODY = ScenarioCase(
    "hi",
    name="two",
    instructions="look",
    persona=SCRIPTED,
    seed_messages=(Message("user", "hi", name="Ann"), Message("assistant", "I look", (CALL,))),
    max_messages=4,
    success_criteria="good",
)
_TEXTS = st.text(max_size=6)
_PERSONAS = st.builds(Persona, _TEXTS, _TEXTS, _TEXTS, st.lists(_TEXTS, max_size=2).map(tuple))


def seeded(**changed: Any) -> ScenarioCase:
    """With another last seed message."""
    first, last = BODY.seed_messages
    return replace(BODY, seed_messages=(first, replace(last, **changed)))


@pytest.mark.parametrize(
    "other",
    [
        replace(BODY, name="three"),
        replace(BODY, instructions="look well"),
        replace(BODY, max_messages=5),
        replace(BODY, persona=replace(SCRIPTED, name="Bea")),
        replace(BODY, persona=replace(SCRIPTED, description="rude")),
        replace(BODY, persona=replace(SCRIPTED, lines=("one",))),
        replace(BODY, seed_messages=BODY.seed_messages[:1]),
        seeded(role="user"),
        seeded(content="I see"),
        seeded(name="Bot"),
        seeded(tool_calls=()),
        seeded(tool_calls=(replace(CALL, name="seek"),)),
        seeded(tool_calls=(replace(CALL, params={"q": 2}),)),
        seeded(extra={"cache": True}),
    ],
)
def test_what_shapes_the_conversation_counts(other: ScenarioCase) -> None:
    assert said_in(other) != said_in(BODY)


@pytest.mark.parametrize(
    "other",
    [
        seeded(tool_calls=(replace(CALL, result={"hits": 4}, duration_ms=9.0, id="d"),)),
        replace(BODY, failure_criteria="bad"),
        replace(BODY, message="hello"),
        replace(BODY, is_default_limit=True),
    ],
)
def test_what_shapes_only_verdicts_or_is_not_sent_does_not(other: ScenarioCase) -> None:
    assert said_in(other) == said_in(BODY)


@given(_PERSONAS, _TEXTS, _TEXTS, _TEXTS, _TEXTS)
def test_only_a_persona_that_a_model_plays_is_told_its_prompt_and_its_goal(
    persona: Persona, prompt: str, other_prompt: str, goal: str, other_goal: str
) -> None:
    said, other = (
        said_in(replace(BODY, persona=replace(persona, system_prompt=one), success_criteria=to))
        for one, to in ((prompt, goal), (other_prompt, other_goal))
    )
    is_alike = bool(persona.lines) or (prompt, goal) == (other_prompt, other_goal)
    assert (said == other) is is_alike


def test_what_is_sent_beside_a_message_counts_only_where_there_is_some() -> None:
    first = ["user", "hi", "Ann", []]
    last = ["assistant", "I look", "", [["find", {"q": 1}]]]
    assert said_in(seeded(extra={}))[-1] == [first, last]
    assert said_in(seeded(extra={"metadata": {"a": 1}}))[-1] == [first, last]
    assert said_in(seeded(extra={"cache": True}))[-1] == [first, [*last, {"cache": True}]]


@given(st.sampled_from(["x", "y", None]), st.sampled_from(["x", "y", None]))
def test_a_trace_counts_with_all_that_it_tells(told: str | None, output: str | None) -> None:
    trace = (Event(actor="agent", type="message", output="x"),)
    other = (replace(trace[0], output=output),)
    assert (happened_in(told, trace) == happened_in("x", other)) is ((told, output) == ("x", "x"))


def test_judges_hold_it_against_each_part_in_its_place() -> None:
    policy = ToolPolicy(required_tools=("find",))
    wanted = {"required_tools": ("find",), "forbidden_tools": ()}
    assert held_against("x", policy, None) == ("x", wanted, None)
    assert held_against(policy, "x", None) == (wanted, "x", None)
