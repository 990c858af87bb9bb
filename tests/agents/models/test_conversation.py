"""Calls and results find each other, and no API is sent one without the other."""

from hypothesis import given
from hypothesis import strategies as st

from evaltui.agents.models.conversation import NOT_EXECUTED, exchanges
from evaltui.core.response import Message, ToolCall

IDS = st.sampled_from(["", "a", "b", "c"])
CALLS = st.lists(st.builds(ToolCall, st.just("t"), id=IDS), max_size=3).map(tuple)
MESSAGES = st.lists(
    st.one_of(
        st.builds(Message, st.sampled_from(["user", "assistant"]), st.text(max_size=3)),
        st.builds(Message, st.just("assistant"), st.just(""), CALLS),
        st.builds(Message, st.just("tool"), st.text(max_size=3), tool_call_id=IDS),
    ),
    max_size=8,
)


@given(MESSAGES)
def test_every_call_has_one_result_and_an_id_of_its_own(messages: list[Message]) -> None:
    found = exchanges(messages)
    assert [e.message.content for e in found] == [m.content for m in messages if m.role != "tool"]
    for exchange in found:
        ids = [call.id for call in exchange.message.tool_calls]
        assert len(set(ids)) == len(ids)
        assert all(ids)
        assert [call.id for call, _ in exchange.results] == ids


def test_results_in_another_order_and_missing_ones() -> None:
    calls = (ToolCall("x", id="1"), ToolCall("y", id="2"), ToolCall("z", id="3"))
    messages = [
        Message("assistant", "", calls),
        Message("tool", "two", tool_call_id="2"),
        Message("tool", "one", tool_call_id="1"),
    ]
    (exchange,) = exchanges(messages)
    assert [content for _, content in exchange.results] == ["one", "two", NOT_EXECUTED]


def test_without_ids_the_order_decides() -> None:
    calls = (ToolCall("x"), ToolCall("y"))
    messages = [Message("assistant", "", calls), Message("tool", "1"), Message("tool", "2")]
    (exchange,) = exchanges(messages)
    assert [content for _, content in exchange.results] == ["1", "2"]
