"""Limits of time and length."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaltui.core.json_value import Json
from evaltui.core.verdict import VerdictStatus
from evaltui.expectations.assertion import Written
from evaltui.expectations.contract_config import ContractConfig, estimate_tokens
from evaltui.expectations.max_tokens import MaxTokens
from tests.expectations.judging import judge, judge_one, make_case

PASSED, FAILED = VerdictStatus.PASSED, VerdictStatus.FAILED


@pytest.mark.parametrize(
    ("limit", "duration", "status"),
    [(100, 100.0, PASSED), (100, 100.04, FAILED), (99.5, 100, FAILED), (-1, 0, FAILED)],
)
async def test_latency(limit: float, duration: float, status: VerdictStatus) -> None:
    verdict = await judge_one({"maxLatencyMs": limit}, duration_ms=duration)
    assert verdict.status is status
    assert verdict.reason.startswith("maxLatencyMs: ")
    assert verdict.evidence == {"expected": limit, "actual": duration}


@pytest.mark.parametrize(("limit", "status"), [(2, PASSED), (1, FAILED), (1.5, FAILED)])
async def test_tokens(limit: float, status: VerdictStatus) -> None:
    assert (await judge_one({"maxTokens": limit}, "12345")).status is status


async def test_the_tokenizer_can_be_replaced() -> None:
    config = ContractConfig(count_tokens=lambda text: len(text.split()))
    verdict = await judge_one({"maxTokens": 2}, "one two three", config=config)
    assert verdict.status is FAILED
    assert verdict.evidence["actual"] == 3


async def test_a_tokenizer_that_raises_is_an_error_that_names_the_check() -> None:
    config = ContractConfig(count_tokens=int)
    verdict = await judge_one({"maxTokens": 2}, "one", config=config)
    assert verdict.status is VerdictStatus.ERROR
    assert "maxTokens raised ValueError" in verdict.reason


@pytest.mark.parametrize("key", ["maxLatencyMs", "maxTokens"])
async def test_zero_asserts_nothing(key: str) -> None:
    assert await judge({key: 0}) == ()


@pytest.mark.parametrize("key", ["maxLatencyMs", "maxTokens"])
@pytest.mark.parametrize("value", ["100", True, False, [1], {}])
async def test_no_number(key: str, value: Json) -> None:
    verdict = await judge_one({key: value})
    assert verdict.status is FAILED
    assert "expected a number" in verdict.reason


@given(st.text(alphabet=st.characters(max_codepoint=0xD7FF)))
def test_a_token_is_four_characters_rounded_up(text: str) -> None:
    assert 4 * estimate_tokens(text) - 4 < len(text) <= 4 * estimate_tokens(text)


def test_an_emoji_counts_twice() -> None:
    assert estimate_tokens("😀😀😀") == 2


@pytest.mark.parametrize(("limit", "what"), [(0, "0 asserts no limit"), (-1, "negative"), (1, "")])
def test_a_limit_that_asserts_nothing_or_too_much_is_doubted(limit: int, what: str) -> None:
    written = Written(limit, make_case({"maxTokens": limit}))
    found = [finding.what for finding in MaxTokens.doubts(written)]
    assert len(found) == bool(what) and all(what in said for said in found)
