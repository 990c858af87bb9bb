"""Answers that are the whole conversation, blocks of text or no JSON, as connectors give them."""

import json
from typing import Any

import pytest
from msgspec.structs import replace

from evaltui.agents.http.request_template import json_body
from evaltui.core.errors import AgentError
from evaltui.core.response import REPORTS_NO_CALLS, AgentResponse, Message, ToolCall
from tests.agents.requests import agent, request
from tests.agents.servers import always, answer, serving

MAPPING = {
    "text": ["message.content", "content", "response"],
    "messages": "messages",
    "plain_text": True,
    "tool_calls": False,
}
HISTORY = (Message("user", "Hi"), Message("assistant", "Hello"))
SENT = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello"}]
WEATHER = {"role": "user", "content": "Weather?"}


async def answered(raw: bytes, **mapping: Any) -> AgentResponse:
    """What an agent answers that is asked with a history of two messages."""
    async with serving(always(raw)) as server:
        asked = agent(server.url, request={"messages": "$messages"}, response=mapping or MAPPING)
        try:
            return await asked.respond(request(history=HISTORY))
        finally:
            await asked.close()


def thread(*added: Any, **more: Any) -> bytes:
    return answer({"messages": [*SENT, WEATHER, *added], **more})


async def test_messages_behind_those_that_were_sent_are_the_answer() -> None:
    blocks = [{"type": "text", "text": "It is"}, {"type": "text", "text": "warm"}]
    raw = thread(
        {"role": "assistant", "content": None},
        {"role": "tool", "content": "18"},
        {"role": "assistant", "content": blocks},
        {"role": "assistant"},
        5,
    )
    said = await answered(raw)
    assert said.text == "It is\nwarm"
    assert said.messages == (
        *HISTORY,
        Message("user", "Weather?"),
        Message("assistant", ""),
        Message("tool", "18"),
        Message("assistant", "It is\nwarm", extra={"content": blocks}),
    )


BOOK = {"id": "c1", "type": "function", "function": {"name": "book", "arguments": '{"day":"Mon"}'}}
BOOKED = ToolCall("book", {"day": "Mon"}, True, result={"ok": True}, id="c1")
USUAL = {"name": "function.name", "params": "function.arguments"}
NO_REFUSAL = {"refusal": None}
WITH_CALL = (
    {"role": "assistant", "content": None, "tool_calls": [BOOK], "refusal": None},
    {"role": "tool", "tool_call_id": "c1", "name": "book", "content": '{"ok": true}'},
    {"role": "assistant", "content": "Booked.", "metadata": {"a": 1}},
)


@pytest.mark.parametrize(
    "paths",
    [
        MAPPING,
        {"messages": "messages"},
        {"messages": "messages", "tool_calls": "messages[].tool_calls[]", **USUAL},
    ],
)
async def test_calls_stand_in_the_messages_too(paths: Any) -> None:
    said = await answered(thread(*WITH_CALL), **paths)
    assert (said.text, said.tool_calls, said.tells_calls) == ("Booked.", (BOOKED,), True)
    assert said.messages[3:] == (
        Message("assistant", "", (ToolCall("book", {"day": "Mon"}, id="c1"),), extra=NO_REFUSAL),
        Message("tool", '{"ok": true}', tool_call_id="c1", name="book"),
        Message("assistant", "Booked.", extra={"metadata": {"a": 1}}),
    )
    assert said.notes == ()


async def test_calls_of_earlier_turns_are_not_of_this_answer() -> None:
    sent = [SENT[0], {**SENT[1], "tool_calls": [BOOK]}, WEATHER]
    raw = answer({"messages": [*sent, {"role": "assistant", "content": "Warm."}]})
    said = await answered(raw, messages="messages", tool_calls="messages[].tool_calls[]", **USUAL)
    assert (said.tool_calls, said.tells_calls) == ((), True)


async def test_calls_that_are_told_beside_the_messages_are_put_before_them() -> None:
    call = {"name": "book", "params": {"day": "Mon"}, "success": True}
    raw = thread({"role": "assistant", "content": "Booked."}, steps=[call])
    said = await answered(raw, messages="messages", tool_calls="steps")
    assert [one.name for one in said.tool_calls] == ["book"]
    made, text = said.messages[3:]
    assert [one.name for one in made.tool_calls] == ["book"]
    assert text == Message("assistant", "Booked.")


OLDER = {"name": "book", "arguments": '{"day":"Mon"}'}
WITH_OLDER_CALL = (
    {"role": "assistant", "content": None, "function_call": OLDER},
    {"role": "function", "name": "book", "content": '{"ok": true}'},
    {"role": "assistant", "content": "Booked.", "function_call": None},
)


async def test_the_older_form_of_calls_is_read() -> None:
    said = await answered(thread(*WITH_OLDER_CALL), messages="messages")
    assert said.tool_calls == (replace(BOOKED, id=""),)
    assert [one.role for one in said.messages[3:]] == ["assistant", "tool", "assistant"]
    assert said.notes == ()


def result_block(**more: Any) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": "c1", "content": '{"ok": true}', **more}


@pytest.mark.parametrize(
    ("result", "booked"),
    [
        (result_block(), BOOKED),
        (result_block(content=[{"type": "text", "text": '{"ok": true}'}]), BOOKED),
        (
            result_block(content="closed", is_error=True),
            replace(BOOKED, success=False, result="closed", error="closed"),
        ),
    ],
)
async def test_calls_and_results_that_are_blocks_are_read(result: Any, booked: ToolCall) -> None:
    call = {"type": "tool_use", "id": "c1", "name": "book", "input": {"day": "Mon"}}
    asks = {"role": "assistant", "content": [{"type": "text", "text": "A moment."}, call]}
    thanks = {"type": "text", "text": "[seen]"}
    answers = {"role": "user", "content": [result, thanks]}
    raw = thread(asks, answers, {"role": "assistant", "content": "Booked."})
    said = await answered(raw, messages="messages")
    assert (said.text, said.tool_calls, said.notes) == ("Booked.", (booked,), ())
    assert [one.role for one in said.messages[3:]] == ["assistant", "tool", "user", "assistant"]
    assert [one.content for one in said.messages[5:]] == ["[seen]", "Booked."]


async def test_results_in_blocks_are_of_the_agents_turn_where_the_new_messages_are_told_alone() -> (
    None
):
    call = {"type": "tool_use", "id": "c1", "name": "book", "input": {"day": "Mon"}}
    asks = {"role": "assistant", "content": [call]}
    told = [
        asks,
        {"role": "user", "content": [result_block()]},
        {"role": "assistant", "content": "Ok"},
    ]
    said = await answered(answer({"messages": told}), messages="messages")
    assert (said.text, said.tool_calls) == ("Ok", (BOOKED,))


@pytest.mark.parametrize("kind", ["mcp", "server"])
async def test_calls_of_servers_are_calls_too(kind: str) -> None:
    blocks = [
        {"type": f"{kind}_tool_use", "id": "c1", "name": "book", "input": {"day": "Mon"}},
        result_block(type="mcp_tool_result"),
        {"type": "text", "text": "Booked."},
    ]
    said = await answered(thread({"role": "assistant", "content": blocks}), messages="messages")
    assert (said.text, said.tool_calls, said.notes) == ("Booked.", (BOOKED,), ())


async def test_messages_without_a_role_are_left_out_and_told() -> None:
    said = await answered(thread({"content": "Hm"}, {"role": "assistant", "content": "Hi"}))
    assert said.notes[1:] == ("1 of the agent's messages have no `role` and are left out",)
    assert said.text == "Hi"


@pytest.mark.parametrize(
    ("told", "why"),
    [
        ({"tool_calls": "none"}, "`tool_calls` of a message must be a list"),
        ({"tool_calls": ["book"]}, "must be a list of objects"),
        ({"tool_calls": [{"function": {"arguments": "{}"}}]}, "has no `name`"),
        ({"tool_calls": [{"name": ""}]}, "has no `name`"),
        ({"function_call": "book"}, "`function_call` of a message must be an object"),
        ({"function_call": {"arguments": "{}"}}, "has no `name`"),
    ],
)
async def test_what_cannot_be_read_as_calls_is_an_error(told: Any, why: str) -> None:
    with pytest.raises(AgentError, match=why):
        await answered(thread({"role": "assistant", "content": "Hi", **told}))


async def test_arguments_that_are_no_json_are_shown_as_they_are() -> None:
    call = {**BOOK, "function": {"name": "book", "arguments": "{"}}
    said = await answered(thread({"role": "assistant", "tool_calls": [call]}))
    assert said.tool_calls[0].success is False
    assert said.messages[-1].extra == {"tool_calls": [call]}


async def test_an_answer_without_calls_of_an_agent_that_reports_none_says_so() -> None:
    said = await answered(thread({"role": "assistant", "content": "Hi"}))
    assert not said.tells_calls
    assert said.notes == (REPORTS_NO_CALLS,)


async def test_a_text_beside_them_counts() -> None:
    said = await answered(thread({"role": "assistant", "content": "no"}, content="yes"))
    assert (said.text, said.messages) == ("yes", ())
    said = await answered(thread({"role": "assistant", "content": "yes"}, content=""))
    assert said.text == "yes"


@pytest.mark.parametrize(
    "before",
    [
        [],
        [WEATHER],
        [{"role": "system", "content": "Be kind."}, *SENT, WEATHER],
        [*SENT, {"role": "user", "content": [{"type": "text", "text": "[hidden]"}]}],
    ],
)
async def test_the_new_messages_are_those_behind_what_was_sent_or_all_there_are(
    before: Any,
) -> None:
    said = await answered(answer({"messages": [*before, *WITH_CALL]}))
    assert (said.text, said.tool_calls) == ("Booked.", (BOOKED,))
    assert len(said.messages) == 3 + len(WITH_CALL)


@pytest.mark.parametrize(
    "before", [[{"role": "user", "content": "Rain?"}], [WEATHER, WEATHER], [5, *SENT]]
)
async def test_messages_of_which_nobody_can_tell_what_is_new_are_an_error(before: Any) -> None:
    with pytest.raises(AgentError, match=r"does not begin with the 3 .*the new messages alone"):
        await answered(answer({"messages": [*before, *WITH_CALL]}))


@pytest.mark.parametrize("added", [(), ({"role": "tool", "content": "18"},)])
async def test_none_of_the_agents_is_no_answer(added: Any) -> None:
    with pytest.raises(AgentError, match="none of the agent's behind the 3 that were sent"):
        await answered(thread(*added))


@pytest.mark.parametrize(
    ("value", "text"), [("It is warm", "It is warm"), ('"It is warm"', "It is warm"), ("{", "{")]
)
async def test_what_is_no_object_is_the_text_where_the_mapping_says_so(
    value: str, text: str
) -> None:
    raw = answer(value, kind="text/plain")
    assert (await answered(raw)).text == text
    assert (await answered(raw, plain_text=True)).text == text
    why = "must be a JSON object" if value[0] == '"' else "the answer is (not|broken) JSON"
    with pytest.raises(AgentError, match=why):
        await answered(raw, text="content", tool_calls=False)


@pytest.mark.parametrize("value", [" ", "5", "[]"])
async def test_an_empty_answer_and_other_values_are_none(value: str) -> None:
    with pytest.raises(AgentError):
        await answered(answer(value, kind="text/plain"))


async def test_blocks_are_a_text() -> None:
    blocks = [{"type": "text", "text": "It is"}, {"type": "text", "text": "warm"}]
    assert (await answered(answer({"message": {"content": blocks}}))).text == "It is\nwarm"
    with pytest.raises(AgentError, match="must be text"):
        await answered(answer({"content": [5]}))


def test_the_message_to_be_answered_is_sent_with_its_own_role() -> None:
    result = Message("tool", "18", extra={"id": "seed_1"})
    body = json_body(
        {"messages": "$messages"}, request(result.content, history=HISTORY, said=result)
    )
    assert json.loads(body)["messages"] == [*SENT, {"role": "tool", "content": "18"}]
