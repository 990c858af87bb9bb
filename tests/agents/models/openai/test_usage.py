"""Tokens that an answer tells, and what they leave out: whatever is billed is counted."""

from typing import Any

import pytest

from evaltui.agents.models.openai.answer import read_event
from evaltui.agents.models.openai.usage import reported_tokens
from evaltui.agents.models.reply_draft import Draft, Tokens
from tests.agents.wire_texts import chunk


@pytest.mark.parametrize(
    ("asked", "answered", "more", "expected"),
    [
        (1_000, 2_000, {}, Tokens(1_000, 2_000)),
        (1_000, 2_000, {"total_tokens": 11_000}, Tokens(1_000, 10_000)),
        (1_000, 2_000, {"total_tokens": 7}, Tokens(1_000, 2_000)),
        (None, None, {"total_tokens": 50}, Tokens(0, 50)),
        (9, 20, {"completion_tokens_details": {"reasoning_tokens": 15}}, Tokens(9, 20)),
        (9, 20, {"completion_tokens_details": {"reasoning_tokens": 80}}, Tokens(9, 100)),
        (9, 20, {"output_tokens_details": {"reasoning_tokens": 80}}, Tokens(9, 100)),
        (9, 20, {"reasoning_tokens": 80}, Tokens(9, 100)),
        (9, 20, {"reasoning_tokens": 8, "total_tokens": 29}, Tokens(9, 20)),
        (9, 2, {"prompt_tokens_details": {"cached_tokens": 4}}, Tokens(9, 2, cache_read=4)),
        (9, 2, {"prompt_tokens_details": {"cache_write_tokens": 4}}, Tokens(9, 2, cache_write=4)),
        (9, 2, {"cache_creation_input_tokens": 4}, Tokens(9, 2, cache_write=4)),
        ("10000", "10", {}, Tokens(10_000, 10)),
        (9, 2, {"cost": 0.5}, Tokens(9, 2, charged_usd=0.5)),
        (None, None, {"cost": "0.5"}, Tokens(charged_usd=0.5, is_part=True)),
        (9, 2, {"cost": -1}, Tokens(9, 2)),
        (9, -2, {}, Tokens(9, is_part=True)),
        (9, 1e30, {}, Tokens(9, is_part=True)),
        (9, 2, {"total_tokens": -1}, Tokens(9, 2, is_part=True)),
        (9, None, {}, Tokens(9, is_part=True)),
        (None, 2, {}, Tokens(None, 2, is_part=True)),
        (0, 2, {"total_tokens": 2}, Tokens(None, 2, is_part=True)),
        (9, None, {"total_tokens": 9}, Tokens(9, is_part=True)),
        (None, None, {}, None),
        (0, 0, {"total_tokens": 0}, None),
        ("many", None, {}, Tokens(is_part=True)),
        (None, None, {"billed_units": {"input_tokens": 7}}, None),
    ],
)
def test_what_is_told(asked: Any, answered: Any, more: dict[str, Any], expected: Any) -> None:
    assert reported_tokens(asked, answered, more) == expected


def test_what_tells_nothing_takes_nothing_back() -> None:
    draft = Draft()
    told = {"input_tokens": 9, "output_tokens": 2}
    for usage in (told, {}, None):
        read_event(chunk("stop") | {"usage": usage}, draft)
    assert draft.tokens == Tokens(9, 2)
