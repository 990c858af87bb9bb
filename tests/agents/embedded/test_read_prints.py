"""Which edits of a tool leave a decision as it is: those of words that the message does not say."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from evaltui.agents.embedded.explanation import as_json
from evaltui.agents.embedded.model import EmbeddedModel
from evaltui.core.tool import ToolDefinition, ToolRegistry
from tests.agents.embedded.tools import (
    CREATE_INVOICE,
    MESSAGES,
    OFFICE,
    VOCABULARY,
    decide,
    registries,
    schema,
    spoken,
)

Registry = list[ToolDefinition]


def read(tool: ToolDefinition, message: str) -> str:
    registry = ToolRegistry({tool.name: tool})
    return EmbeddedModel().read_prints(message, registry, [tool.name])[tool.name]


@given(registries, spoken, st.data())
def test_equal_prints_are_equal_decisions(
    tools: Registry, message: str, data: st.DataObject
) -> None:
    edited = data.draw(st.sampled_from(tools))
    words = (edited.description or "").split()
    said = data.draw(st.sampled_from([*VOCABULARY, "not for", "Instead", *message.split()]))
    at = data.draw(st.integers(0, len(words)))
    words[at : at + data.draw(st.integers(0, 1))] = [said]
    now = replace(edited, description=" ".join(words))
    changed = [now if tool is edited else tool for tool in tools]
    before, after = decide(tools, message), decide(changed, message)
    if read(edited, message) == read(now, message):
        assert as_json(before) == as_json(after)
        assert (before.calls, before.warnings) == (after.calls, after.warnings)


def test_both_happen() -> None:
    """Else the property above would say nothing."""
    random, same, others = Random(5), 0, 0
    for tool in OFFICE:
        for message in MESSAGES:
            words = str(tool.description).split()
            words[random.randrange(len(words))] = random.choice(["the", "rain", "invoice"])
            now = replace(tool, description=" ".join(words))
            is_same = read(tool, message) == read(now, message)
            same, others = same + is_same, others + (not is_same)
    assert min(same, others) > 3


@pytest.mark.parametrize(
    ("text", "is_same"),
    [
        (f"The {str(CREATE_INVOICE.description).upper()}", True),
        (f"{CREATE_INVOICE.description} Not for hotels.", True),
        (f"{CREATE_INVOICE.description} Not for invoices.", False),
        (f"{CREATE_INVOICE.description} Hotels.", False),
        ("Creates an invoice for a customer.", False),
        ("", False),
    ],
)
def test_what_says_no_more_of_the_message_is_read_alike(text: str, is_same: bool) -> None:
    now = replace(CREATE_INVOICE, description=text)
    assert (read(now, MESSAGES[0]) == read(CREATE_INVOICE, MESSAGES[0])) is is_same


def test_parameters_are_read_whatever_the_message_says() -> None:
    now = replace(CREATE_INVOICE, parameters=schema("customer"))
    assert read(now, MESSAGES[5]) != read(CREATE_INVOICE, MESSAGES[5])


def test_a_tool_that_is_not_there_has_no_print() -> None:
    assert EmbeddedModel().read_prints("invoice", ToolRegistry({}), ["create_invoice"]) == {}
