"""What must not stand in the response."""

import pytest

from evaltui.core.json_value import Json
from evaltui.core.verdict import VerdictStatus
from tests.expectations.judging import judge

PASSED, FAILED, SKIPPED = VerdictStatus.PASSED, VerdictStatus.FAILED, VerdictStatus.SKIPPED


@pytest.mark.parametrize(
    ("value", "text", "statuses"),
    [
        (["x", "y"], "abc", [PASSED, PASSED]),
        (["x", "b"], "abc", [PASSED, FAILED]),
        ("abc", "ab", [PASSED]),
        (["{{snapshot:no}}", "b"], "abc", [SKIPPED, FAILED]),
        (["{{user}}"], "Hello {{user}}", [FAILED]),
        ([None], "abc", [FAILED]),
    ],
)
async def test_not_contains(value: Json, text: str, statuses: list[VerdictStatus]) -> None:
    verdicts = await judge({"responseNotContains": value}, text)
    assert [verdict.status for verdict in verdicts] == statuses


@pytest.mark.parametrize("text", ["{{seed:x }}", "{{ seed:x}}", "{{seed:}}", "a {{snapshot: }} b"])
async def test_a_misspelled_token_fails_as_unreadable(text: str) -> None:
    """As literal text it is never found, while the secret that it means would pass."""
    (verdict,) = await judge({"responseNotContains": [text]}, "hello")
    assert (verdict.status, verdict.category) == (FAILED, "type_error")
    assert "is not a token" in verdict.reason
    assert "Write `{{" in verdict.reason


@pytest.mark.parametrize("text", ["{{user}}", "{{env:X}}", "{{SEED:x}}", "{{seed}}"])
async def test_other_braces_are_a_leak_check(text: str) -> None:
    for response, status in (("hello", PASSED), (f"hello {text}", FAILED)):
        (verdict,) = await judge({"responseNotContains": [text]}, response)
        assert verdict.status is status
