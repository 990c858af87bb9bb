"""Messages for an agent that reports only its text and its calls."""

from msgspec.structs import replace

from evaltui.core.made_messages import made_messages
from evaltui.core.response import AgentResponse, Message, ToolCall


def test_calls_come_first_then_their_results_then_the_text() -> None:
    calls = (
        ToolCall("a", result="22 °C"),
        ToolCall("b", result={"at": "Köln"}, id="mine"),
        ToolCall("c", error="down"),
        ToolCall("d"),
    )
    called, *results, said = made_messages(AgentResponse("Fine.", calls))
    ids = ("call_1", "mine", "call_3", "call_4")
    named = tuple(replace(call, id=known) for call, known in zip(calls, ids, strict=True))
    assert called == Message("assistant", "", named)
    assert results == [
        Message("tool", "22 °C", tool_call_id="call_1", name="a"),
        Message("tool", '{"at": "Köln"}', tool_call_id="mine", name="b"),
        Message("tool", '{"error": "down"}', tool_call_id="call_3", name="c"),
    ]
    assert said == Message("assistant", "Fine.")


def test_an_answer_is_at_least_one_message_and_no_empty_one_beside_calls() -> None:
    assert [*made_messages(AgentResponse(""))] == [Message("assistant", "")]
    assert [*made_messages(AgentResponse("Hi."))] == [Message("assistant", "Hi.")]
    (only,) = made_messages(AgentResponse("", (ToolCall("a"),)))
    assert [call.name for call in only.tool_calls] == ["a"]
