"""What can be asserted about a response: ASSERTIONS, one class for every key of `expect`."""

from evaltui.expectations.assertion import Assertion
from evaltui.expectations.max_latency_ms import MaxLatencyMs
from evaltui.expectations.max_tokens import MaxTokens
from evaltui.expectations.no_tool_errors import NoToolErrors
from evaltui.expectations.response_contains import ResponseContains
from evaltui.expectations.response_contains_any import ResponseContainsAny
from evaltui.expectations.response_matches import ResponseMatches
from evaltui.expectations.response_non_empty import ResponseNonEmpty
from evaltui.expectations.response_not_contains import ResponseNotContains
from evaltui.expectations.tool_params import ToolParams
from evaltui.expectations.tools_acceptable import ToolsAcceptable
from evaltui.expectations.tools_called import ToolsCalled
from evaltui.expectations.tools_not_called import ToolsNotCalled

ASSERTIONS: dict[str, type[Assertion]] = {
    assertion.name: assertion
    for assertion in (
        ToolsCalled,
        ToolsAcceptable,
        ToolsNotCalled,
        ToolParams,
        NoToolErrors,
        ResponseNonEmpty,
        ResponseContains,
        ResponseContainsAny,
        ResponseNotContains,
        ResponseMatches,
        MaxLatencyMs,
        MaxTokens,
    )
}
"""By key, in the order in which the contract runs them (requirement 25)."""
