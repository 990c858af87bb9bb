"""What can be said about a response: CHECKS, one entry for every key of `expect`."""

from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias

from evaltui.core.case import Case
from evaltui.core.check import Check
from evaltui.core.json_value import Json
from evaltui.expectations.budgets import max_latency_ms, max_tokens
from evaltui.expectations.contract_config import ContractConfig
from evaltui.expectations.response_pattern import response_matches
from evaltui.expectations.response_text import (
    response_contains,
    response_contains_any,
    response_non_empty,
    response_not_contains,
)
from evaltui.expectations.tool_calls import tools_acceptable, tools_called, tools_not_called
from evaltui.expectations.tool_errors import no_tool_errors
from evaltui.expectations.tool_params import tool_params

CheckFactory: TypeAlias = "Callable[[Json, Case, ContractConfig], Iterable[Check]]"
"""Makes a check for every counted thing under one key of `expect` (contract A31)."""

CHECKS: Mapping[str, CheckFactory] = {
    "toolsCalled": tools_called,
    "toolsAcceptable": tools_acceptable,
    "toolsNotCalled": tools_not_called,
    "toolParams": tool_params,
    "noToolErrors": no_tool_errors,
    "responseNonEmpty": response_non_empty,
    "responseContains": response_contains,
    "responseContainsAny": response_contains_any,
    "responseNotContains": response_not_contains,
    "responseMatches": response_matches,
    "maxLatencyMs": max_latency_ms,
    "maxTokens": max_tokens,
}
"""In the order in which the contract runs them (requirement 25)."""
