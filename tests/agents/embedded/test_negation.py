"""What a description says a tool is not for counts against it."""

import pytest
from msgspec.structs import replace

from evaltui.agents.embedded.tool_document import split_description
from tests.agents.embedded.tools import CREATE_INVOICE, decide, p_of

TAILS = (
    "Not for reminders about overdue payments.",
    "Do not use for reminders about overdue payments.",
    "Don't use this for reminders about overdue payments.",
    "Must not be used for reminders about overdue payments.",
    "Does not handle reminders about overdue payments.",
    "For reminders about overdue payments use send_reminder instead.",
    "Use send_reminder instead for reminders about overdue payments.",
    "Handles bills rather than reminders about overdue payments.",
    "Everything except reminders about overdue payments.",
    "Unlike reminders about overdue payments, this bills somebody.",
)


@pytest.mark.parametrize("tail", TAILS)
def test_named_words_count_against(tail: str) -> None:
    _, negative = split_description(f"Bills a customer. {tail}")
    assert "reminders" in negative
    assert "overdue" in negative
    message = "Send reminders about overdue payments for the invoice of customer Acme"
    plain = p_of(decide([CREATE_INVOICE], message), "create_invoice")
    warned = replace(CREATE_INVOICE, description=f"{CREATE_INVOICE.description} {tail}")
    less = p_of(decide([warned], message), "create_invoice")
    assert plain is not None
    assert less is not None
    assert less < plain
    assert "reminders" in decide([warned], message).candidates[0].against


@pytest.mark.parametrize("tail", TAILS)
def test_other_messages_hardly_notice(tail: str) -> None:
    message = "Create an invoice of 250 for the customer Acme"
    warned = replace(CREATE_INVOICE, description=f"{CREATE_INVOICE.description} {tail}")
    assert decide([warned], message).tools == ("create_invoice",)
    assert decide([warned], message).candidates[0].against == ()


def test_only_the_part_after_the_cue_is_negative() -> None:
    positive, negative = split_description("Current weather, not for forecasts. Fast.")
    assert positive.split() == ["Current", "weather,", "Fast."]
    assert negative.split() == ["forecasts."]
    positive, negative = split_description("Unlike get_forecast, this tells the weather of today.")
    assert "weather" in positive
    assert "get_forecast" in negative


def test_plain_descriptions_have_no_negative_part() -> None:
    assert split_description("Lists notes. Use for anything written.")[1] == ""
    assert split_description("") == ("", "")
