"""Calls and results among the parts of a content are read, and never left out as mere content."""

import json
from typing import Any

import pytest

from tests.traces.importers.fixtures import BY_FRAMEWORK, BY_PROVIDER, events_of, imported
from tests.traces.importers.test_otlp import chat, span, text, tool, wrapped

ASKED = {"role": "user", "content": [{"type": "text", "text": "Pay it."}]}
LAST = {"role": "assistant", "content": [{"type": "text", "text": "Paid."}]}


def assistant(*parts: dict[str, Any]) -> dict[str, Any]:
    return {"role": "assistant", "content": [{"text": "Paying.", "type": "text"}, *parts]}


def vercel_call(**more: Any) -> dict[str, Any]:
    return {"type": "tool-call", "toolCallId": "k1", "toolName": "pay", **more}


def vercel_result(**more: Any) -> dict[str, Any]:
    return {"type": "tool-result", "toolCallId": "k1", "toolName": "pay", **more}


def vercel(output: Any, **more: Any) -> list[dict[str, Any]]:
    told = vercel_result(output=output, **more)
    return [ASKED, assistant(vercel_call(input={"sum": 3})), {"role": "tool", "content": [told]},
            LAST]  # fmt: skip


def bedrock(*content: dict[str, Any], **more: Any) -> list[dict[str, Any]]:
    made = {"toolUse": {"toolUseId": "k1", "name": "pay", "input": {"sum": 3}}}
    told = {"toolResult": {"toolUseId": "k1", "content": [*content], **more}}
    return [ASKED, assistant(made), {"role": "user", "content": [told]}, LAST]


def claude(content: Any, **more: Any) -> list[dict[str, Any]]:
    made = {"type": "tool_use", "id": "k1", "name": "pay", "input": {"sum": 3}}
    told = {"type": "tool_result", "tool_use_id": "k1", "content": content, **more}
    return [ASKED, assistant(made), {"role": "user", "content": [told]}, LAST]


@pytest.mark.parametrize("source", [BY_PROVIDER, BY_FRAMEWORK], ids=["provider", "framework"])
@pytest.mark.parametrize(
    ("messages", "output", "error"),
    [
        (vercel({"type": "text", "value": "ok"}), "ok", None),
        (vercel({"type": "json", "value": {"paid": True}}), {"paid": True}, None),
        (vercel({"type": "content", "value": [{"type": "text", "text": "ok"}]}), "ok", None),
        (vercel({"type": "error-text", "value": "no money"}), "no money", "no money"),
        (vercel({"type": "error-json", "value": {"code": 4}}), {"code": 4},
         "the tool reported an error"),
        (vercel({"type": "execution-denied", "reason": "not now"}), None, "not now"),
        (vercel({"type": "execution-denied"}), None, "the call was denied"),
        (vercel(None, result={"paid": True}), {"paid": True}, None),
        (vercel(None, result="no money", isError=True), "no money", "no money"),
        (bedrock({"text": "ok"}), "ok", None),
        (bedrock({"json": {"paid": True}}), {"paid": True}, None),
        (bedrock({"text": "no money"}, status="error"), "no money", "no money"),
    ],
)  # fmt: skip
def test_a_call_among_the_parts_of_a_message_is_one_with_its_result(
    messages: list[dict[str, Any]], output: Any, error: str | None, source: Any
) -> None:
    asked, said, call, result, last = events_of({"messages": messages}, source)
    assert (asked["input"], said["output"], last["output"]) == ("Pay it.", "Paying.", "Paid.")
    assert (call["tool"], call["input"], call["error"]) == ("pay", {"sum": 3}, None)
    assert (result["tool"], result["output"], result["error"]) == ("pay", output, error)
    assert result["parent_span_id"] == call["span_id"]
    assert call["attributes"]["gen_ai.tool.call.id"] == "k1"


@pytest.mark.parametrize("is_log", [True, False])
def test_an_answer_of_bedrocks_converse_is_read_with_what_was_asked(*, is_log: bool) -> None:
    asked, *_, last = bedrock({"text": "ok"})
    system = [{"text": "Be brief."}]
    request = {"modelId": "m", "messages": [asked], "system": system, "toolConfig": {}}
    usage = {"inputTokens": 10, "outputTokens": 2, "totalTokens": 12}
    answer = {"output": {"message": last}, "stopReason": "end_turn", "usage": usage,
              "metrics": {"latencyMs": 7}}  # fmt: skip
    record = {"request": request, "response": answer} if is_log else {**request, **answer}
    told, question, said = events_of(record)
    assert (told["output"], question["input"], said["output"]) == ("Be brief.", "Pay it.", "Paid.")
    attributes = said["attributes"]
    assert said["latency_ms"] == 7
    assert attributes["gen_ai.response.finish_reasons"] == ["end_turn"]
    assert (
        attributes["gen_ai.usage.input_tokens"],
        attributes["gen_ai.usage.output_tokens"],
    ) == (10, 2)


@pytest.mark.parametrize(
    "thought",
    [
        {"type": "reasoning", "text": "hm"},
        {"type": "thinking", "thinking": "hm"},
        {"reasoningContent": {"reasoningText": {"text": "hm"}}},
        {"type": "tool-approval-request", "approvalId": "a", "toolCallId": "k1"},
    ],
)
def test_thoughts_and_approvals_among_the_parts_are_left_out(thought: dict[str, Any]) -> None:
    said = {"role": "assistant", "content": [thought, {"type": "text", "text": "Paid."}]}
    assert [one["output"] for one in events_of({"messages": [ASKED, said]})] == [None, "Paid."]
    said = {"role": "assistant", "content": [thought, vercel_call(input={})]}
    assert [one["type"] for one in events_of({"messages": [ASKED, said]})] == [
        "message",
        "tool_call",
    ]


def of_langchain(**listed: Any) -> dict[str, Any]:
    """Messages in its own words for parts, of which the first call may be listed too."""
    parts = [
        {"type": "tool_call", "id": "k1", "name": "pay", "args": {"sum": 3}},
        {"type": "server_tool_call", "id": "s", "name": "web_search", "args": {"q": "a"}},
        {"type": "server_tool_result", "tool_call_id": "s", "status": "error", "output": "no"},
        {"type": "text", "text": "Paying."},
    ]
    return {"messages": [{"type": "human", "content": "Pay it."},
                         {"type": "ai", "content": parts, **listed}]}  # fmt: skip


@pytest.mark.parametrize("is_listed", [True, False])
def test_the_parts_of_langchain_are_read_once(*, is_listed: bool) -> None:
    listed = [{"name": "pay", "args": {"sum": 3}, "id": "k1"}]
    events = events_of(of_langchain(tool_calls=listed if is_listed else []), BY_FRAMEWORK)
    calls = [(one["tool"], one["input"]) for one in events if one["type"] == "tool_call"]
    assert sorted(calls) == [("pay", {"sum": 3}), ("web_search", {"q": "a"})]
    (result,) = (one for one in events if one["type"] == "tool_result")
    assert (result["tool"], result["output"], result["error"]) == ("web_search", "no", "no")


@pytest.mark.parametrize("kind", ["tool_use", "function_call"])
def test_a_call_that_only_the_parts_of_langchain_tell_is_not_lost(kind: str) -> None:
    part = {"type": kind, "id": "k1", "name": "pay", "input": {}, "arguments": "{}"}
    messages = [{"type": "human", "content": "Pay it."}, {"type": "ai", "content": [part]}]
    assert events_of({"messages": messages}, BY_FRAMEWORK)[1]["tool"] == "pay"


def test_a_call_that_the_message_lists_too_counts_once() -> None:
    listed = {"id": "k1", "function": {"name": "pay", "arguments": "{}"}}
    said = {**assistant(vercel_call(input={})), "tool_calls": [listed]}
    events = events_of({"messages": [ASKED, said]})
    assert [one["type"] for one in events] == ["message", "message", "tool_call"]


@pytest.mark.parametrize(
    "messages",
    [vercel({"type": "text", "value": "ok"}), bedrock({"text": "ok"}), claude("ok")],
    ids=["vercel", "bedrock", "claude"],
)
def test_a_request_in_a_span_that_repeats_them_tells_nothing_new(messages: list[Any]) -> None:
    def asks(number: int, count: int) -> dict[str, Any]:
        told = {"input.messages": messages[:count], "output.messages": [messages[count]]}
        return span(number, "chat", told=told)

    kinds = ["message", "message", "tool_call", "tool_result", "message"]
    events = events_of(wrapped(asks(1, 1), asks(9, 3)))
    assert [one["type"] for one in events] == kinds
    events = events_of(wrapped(asks(1, 1), tool(2, call_id="k1"), asks(9, 3)))
    assert [one["type"] for one in events] == kinds
    assert events[3]["output"] == "ok"


@pytest.mark.parametrize(
    ("part", "kind"),
    [
        ({"type": "tool-approval", "toolCallId": "k1"}, "tool-approval"),
        ({"functionCall": {"name": "pay"}}, "functionCall"),
        ({"toolUse": {}}, "toolUse"),
        ({"type": "function", "name": "pay"}, "function"),
        ({"type": "mcp_call", "name": "pay"}, "mcp_call"),
    ],
)
def test_what_looks_like_a_call_and_is_not_read_is_never_said_to_be_mere_content(
    part: dict[str, Any], kind: str
) -> None:
    image = {"type": "image_url", "image_url": "x"}
    found = imported(json.dumps({"messages": [ASKED, assistant(part, image)]}).encode())
    unread, other = found.diagnostics
    assert (unread.kind, unread.is_loss) == ("unread_call", True)
    assert unread.detail == f"a call or result that is not read: {kind}"
    assert "tool_calls" in unread.problem().hint
    assert (other.kind, other.detail) == ("dropped_content", "not text: image_url")


def test_a_part_of_a_span_that_looks_like_a_call_is_none_of_mere_content() -> None:
    one = chat(1, [], text("a"), {"type": "server_tool_call", "name": "pay"})
    (note,) = imported(json.dumps(wrapped(one)).encode()).diagnostics
    assert note.kind == "unread_call"
