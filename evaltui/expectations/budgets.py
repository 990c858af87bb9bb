"""maxLatencyMs and maxTokens: how long the answer took and how long it is."""

from collections.abc import Iterator

from msgspec import Struct

from evaltui.core.case import Case
from evaltui.core.check import Check, CheckContext
from evaltui.core.javascript import to_string
from evaltui.core.json_value import Json
from evaltui.core.verdict import Verdict
from evaltui.expectations.contract_config import ContractConfig
from evaltui.expectations.expected_texts import kind_of
from evaltui.expectations.verdicts import Invalid, failed, passed


class MaxLatency(Struct, frozen=True):
    """The agent's own time, without waiting for a slot (contract B5)."""

    limit: int | float
    name: str = "maxLatencyMs"
    label: str = "maxLatencyMs"

    def run(self, context: CheckContext) -> Verdict:
        actual = context.response.duration_ms
        limit = to_string(self.limit)
        if actual <= self.limit:
            said = f"took {actual:.0f} ms, at most {limit} allowed"
            return passed(self.name, self.label, said, self.limit, actual)
        reason = f"took {to_string(actual)} ms, more than {limit} ms"
        return failed(self.name, self.label, reason, self.limit, actual)


class MaxTokens(Struct, frozen=True):
    """The response's length as the configured tokenizer counts it."""

    limit: int | float
    config: ContractConfig
    name: str = "maxTokens"
    label: str = "maxTokens"

    def run(self, context: CheckContext) -> Verdict:
        actual = self.config.count_tokens(context.response.text)
        limit = to_string(self.limit)
        if actual <= self.limit:
            said = f"{actual} tokens, at most {limit} allowed"
            return passed(self.name, self.label, said, self.limit, actual)
        reason = f"{actual} tokens, more than {limit}"
        return failed(self.name, self.label, reason, self.limit, actual)


def max_latency_ms(value: Json, case: Case, config: ContractConfig) -> Iterator[Check]:  # noqa: ARG001
    limit = _limit("maxLatencyMs", value)
    if isinstance(limit, Invalid):
        yield limit
    elif limit:
        yield MaxLatency(limit)


def max_tokens(value: Json, case: Case, config: ContractConfig) -> Iterator[Check]:  # noqa: ARG001
    limit = _limit("maxTokens", value)
    if isinstance(limit, Invalid):
        yield limit
    elif limit:
        yield MaxTokens(limit, config)


def _limit(key: str, value: Json) -> int | float | Invalid:
    """0 asserts nothing (contract A39)."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return value
    what = f"expected a number but it is {kind_of(value)}"
    return Invalid(key, key, what, "Write the limit as a number.", key, value)
