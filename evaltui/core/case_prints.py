"""What of a body counts in the fingerprints of its case: those that are kept hang on every item."""

from typing import TYPE_CHECKING

from msgspec import to_builtins

from evaltui.core.json_value import Json
from evaltui.core.verdict import REFERENCE

if TYPE_CHECKING:
    from evaltui.core.case import RubricCase, ScenarioCase, TraceCase


def said_in(body: "ScenarioCase") -> list[Json]:
    """What decides what is said, as long as no verdict ends it."""
    persona = body.persona
    seeds: list[Json] = [
        [
            *(one.role, one.content, one.name),
            [[call.name, call.params] for call in one.tool_calls],
            *([one.sent_extra] if one.sent_extra else ()),
        ]
        for one in body.seed_messages
    ]
    # A model that plays the persona is told more of it, and of the success criteria: its goal.
    more, goal = ("", "") if persona.lines else (persona.system_prompt, body.success_criteria)
    who: list[Json] = [persona.name, persona.description, more, *persona.lines]
    return [body.name, body.instructions, body.max_messages, goal, who, seeds]


def scored_by(body: "RubricCase") -> dict[str, Json]:
    parts: dict[str, Json] = {}
    if body.dimensions:
        parts["rubric"] = [[one.dimension, one.max_score, one.criteria] for one in body.dimensions]
    if body.reference_data is not None:
        parts[REFERENCE] = body.reference_data
    return parts


def happened_in(body: "TraceCase") -> Json:
    found: list[Json] = [body.input, to_builtins(body.trace)]
    return found


def held_against(body: "TraceCase") -> Json:
    """What judges hold a trace against."""
    contracts, policy = body.tool_contracts, body.policy
    parts = [body.expected_output, contracts, policy, body.regex_patterns, body.json_schema]
    found: Json = to_builtins([*parts, body.metadata])
    return found
