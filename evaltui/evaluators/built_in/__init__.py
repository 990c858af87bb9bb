"""Built-in evaluators, run in our own process: one line each in BUILT_IN; some share a file."""

from collections.abc import Mapping
from typing import Final

from evaltui.evaluators.built_in.budgets import cost_budget, latency_budget, token_budget
from evaltui.evaluators.built_in.json_answer import json_schema, json_valid, schema_mistakes
from evaltui.evaluators.built_in.numbers_from_tools import numbers_from_tools
from evaltui.evaluators.built_in.response_length import length_mistakes, response_length
from evaltui.evaluators.built_in.response_regex import pattern_mistakes, regex
from evaltui.evaluators.built_in.token_usage import token_usage
from evaltui.evaluators.built_in.tool_arguments import argument_mistakes, tool_arguments
from evaltui.evaluators.built_in.tool_call_count import tool_call_count
from evaltui.evaluators.built_in.tool_order import tool_order
from evaltui.evaluators.config_schema import Further

BUILT_IN = (
    tool_call_count,
    token_usage,
    latency_budget,
    token_budget,
    cost_budget,
    json_valid,
    json_schema,
    regex,
    response_length,
    tool_order,
    tool_arguments,
    numbers_from_tools,
)

FURTHER: Final[Mapping[str, Further]] = {
    json_schema.type: schema_mistakes,
    regex.type: pattern_mistakes,
    response_length.type: length_mistakes,
    tool_arguments.type: argument_mistakes,
}
"""By type what is wrong with settings that keep to the schema."""
