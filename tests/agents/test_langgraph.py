"""The agent behind a LangGraph server."""

from typing import Any

import pytest

from evaltui.agents.langgraph import LangGraphAgent, make
from evaltui.core.agent import AgentRequest
from evaltui.core.chat_format import message_json
from evaltui.core.errors import AgentError, UserError
from evaltui.core.response import AgentResponse, Message, ToolCall, Usage
from tests.agents.graph_server import Graph, ai, call, result
from tests.agents.requests import request
from tests.agents.servers import Server, always, answer, serving


def agent(server: Server, env: dict[str, str] | None = None, **options: Any) -> LangGraphAgent:
    url = server.url.removesuffix("/chat")
    options = {"base_url": url, "assistant_id": "agent", **options}
    return make("langgraph", options, env=env or {})


async def ask(
    graph: Any, asked: AgentRequest | None = None, **options: Any
) -> tuple[AgentResponse, Server]:
    async with serving(graph) as server:
        made = agent(server, **options)
        try:
            return await made.respond(asked or request()), server
        finally:
            await made.close()


async def fault(graph: Any, **options: Any) -> AgentError:
    with pytest.raises(AgentError) as caught:
        await ask(graph, **options)
    return caught.value


WEATHER = Graph(
    ai("", call("look", "1", city="Paris"), call("look", "2", city="Rome"), tokens=(10, 5)),
    result("2", "no such city", "error"),
    result("1", '{"sky": "blue"}'),
    ai(
        [{"type": "text", "text": "It is sunny."}, {"type": "thinking", "thinking": "hm"}],
        tokens=(20, 7),
    ),
)


@pytest.mark.parametrize("keeps_ids", [True, False])
async def test_calls_are_paired_with_their_results(keeps_ids: bool) -> None:
    WEATHER.keeps_ids = keeps_ids
    history = (Message("user", "Hi"), Message("assistant", "Hello"))
    got, server = await ask(WEATHER, request(history=history))
    assert got.text == "It is sunny."
    assert got.tool_calls == (
        ToolCall("look", {"city": "Paris"}, True, result={"sky": "blue"}, id="1"),
        ToolCall(
            "look", {"city": "Rome"}, False, result="no such city", error="no such city", id="2"
        ),
    )
    assert got.usage == Usage(30, 12)
    assert got.turns == 2
    assert [message.role for message in got.messages] == [
        "user", "assistant", "user", "assistant", "tool", "tool", "assistant",
    ]  # fmt: skip
    (asked,) = server.asked
    assert asked.line.startswith("POST /runs/wait ")
    sent = asked.json
    assert (sent["multitask_strategy"], sent["if_not_exists"]) == ("enqueue", "create")
    contents = [each["content"] for each in sent["input"]["messages"]]
    assert contents == ["Hi", "Hello", "Weather?"]
    assert len({each["id"] for each in sent["input"]["messages"]}) == 3
    assert "config" not in sent


@pytest.mark.parametrize(
    ("tokens", "total"),
    [
        (((157, 4, 522),), 522),
        (((157, 4),), 161),
        (((157, 4, 161),), 161),
        (((157, 4, 522), (10, 5)), 537),
        (((10, 5), (157, 4, 522)), 537),
    ],
)
async def test_a_total_of_tokens_that_is_told_is_the_total(
    tokens: tuple[tuple[int, ...], ...], total: int
) -> None:
    """Tokens of thinking are in none of its parts; messages that tell none are added up."""
    got, _ = await ask(Graph(*(ai("ok", tokens=one) for one in tokens)))
    usage = got.usage
    assert usage is not None
    assert usage.total_tokens == total
    assert usage.input_tokens == sum(one[0] for one in tokens)


async def test_a_thread_configuration_and_headers_are_sent() -> None:
    graph = Graph(ai("ok"))
    got, server = await ask(
        graph,
        thread=True,
        configurable={"user": "${USER_ID}", "level": 3},
        headers={"X-Api-Key": "${GRAPH_KEY}"},
        env={"GRAPH_KEY": "graph-secret-1", "USER_ID": "u-1"},
    )
    assert got.text == "ok"
    (asked,) = server.asked
    assert asked.line.split()[1].startswith("/threads/")
    assert asked.json["config"] == {"configurable": {"user": "u-1", "level": 3}}
    assert asked.headers["x-api-key"] == "graph-secret-1"


async def test_headers_of_a_persona_win_over_those_of_the_profile() -> None:
    options: dict[str, Any] = {
        "headers": {"X-Team": "shop", "X-Token": "${COMMON}"},
        "persona_headers": {"Bob": {"x-token": "${BOB}"}},
        "env": {"COMMON": "token-of-all-1", "BOB": "token-of-bob-1"},
    }
    for persona, token in (
        ("", "token-of-all-1"),
        ("Ann", "token-of-all-1"),
        ("Bob", "token-of-bob-1"),
    ):
        _, server = await ask(Graph(ai("ok")), request(persona=persona), **options)
        (asked,) = server.asked
        assert (asked.headers["x-token"], asked.headers["x-team"]) == (token, "shop")


async def test_a_conversation_stays_on_its_thread_which_is_told_only_what_is_new() -> None:
    history = (Message("user", "Hi"), Message("assistant", "Hello"))
    place = "4fd1a6f0-5d3c-4e26-9d0b-0a4f6f3d7c11"
    told = []
    for is_continued in (False, True):
        asked = request(history=history, conversation=place, is_continued=is_continued)
        got, server = await ask(Graph(ai("ok")), asked, thread=True)
        (each,) = server.asked
        assert each.line.split()[1] == f"/threads/{place}/runs/wait"
        told.append([one["content"] for one in each.json["input"]["messages"]])
        assert [one.content for one in got.messages] == ["Hi", "Hello", "Weather?", "ok"]
    assert told == [["Hi", "Hello", "Weather?"], ["Weather?"]]
    got, server = await ask(Graph(ai("ok")), request(history=history, is_continued=True))
    assert len(server.asked[0].json["input"]["messages"]) == 3, "nothing is kept without a thread"


async def test_messages_of_earlier_turns_are_not_taken_for_new_ones() -> None:
    place = "4fd1a6f0-5d3c-4e26-9d0b-0a4f6f3d7c11"
    before = {**ai("", call("look", "1")), "id": "run-1"}
    first, _ = await ask(Graph(before, {**result("1", "blue"), "id": "run-2"}))
    asked = request(history=first.messages, conversation=place, is_continued=True)
    graph = Graph(before, {**result("1", "blue"), "id": "run-2"}, {**ai("ok"), "id": "run-3"})
    graph.keeps_ids = False
    got, _ = await ask(graph, asked, thread=True)
    assert [one.content for one in got.messages[len(asked.messages) :]] == ["ok"]
    assert got.tool_calls == ()


async def test_messages_are_kept_as_the_graph_sent_them_and_sent_as_they_were_written() -> None:
    blocks = [{"type": "text", "text": "It is"}, {"type": "text"}, {"type": "image", "url": "x"}]
    told = {"additional_kwargs": {}, "response_metadata": {"model": "m"}}
    said = {**ai(blocks), **told, "id": "run-1", "name": "graph"}
    image: dict[str, Any] = {"content": [{"type": "image", "url": "y"}], "own": 1}
    seed = Message("assistant", "", extra={"id": "mine", "metadata": {"a": 1}, "content": None})
    history = (Message("user", "Hi", extra={"id": ""}), seed)
    last = Message("user", "Weather?", extra={"id": "persona_1", **image})
    got, server = await ask(Graph(said), request(history=history, said=last))
    assert got.messages == (
        *history,
        last,
        Message(
            "assistant",
            "It is",
            name="graph",
            extra={"id": "run-1", "metadata": told, "content": blocks},
        ),
    )
    first, *others = server.asked[0].json["input"]["messages"]
    assert first["id"].startswith("evaltui-")
    assert others == [
        {"role": "assistant", "content": None, "id": "mine"},
        {"role": "user", "id": "persona_1", **image},
    ]


async def test_arguments_that_cannot_be_read_are_kept_as_they_were_told() -> None:
    old = {
        "type": "ai",
        "tool_calls": [call("look", "1", city="Paris")],
        "invalid_tool_calls": [{"name": "bad", "args": "{", "id": "2"}],
    }
    got, _ = await ask(Graph(old, ai("done")))
    calls = message_json(got.messages[1])["tool_calls"]
    assert [one["function"]["arguments"] for one in calls] == ['{"city":"Paris"}', "{"]  # type: ignore[union-attr,call-overload,index]


async def test_a_call_without_a_result_has_no_success() -> None:
    got, _ = await ask(Graph(ai("", call("ask_person", "1")), __interrupt__=[{"value": "ok?"}]))
    assert [each.success for each in got.tool_calls] == [None]
    assert any("interrupt" in note for note in got.notes)


async def test_older_and_invalid_calls_are_read() -> None:
    function = {"name": "look", "arguments": '{"a": 1}'}
    old = {
        "type": "ai",
        "content": "",
        "additional_kwargs": {"tool_calls": [{"id": "1", "function": function}]},
        "invalid_tool_calls": [{"name": "bad", "args": "{", "id": "2", "error": "cut off"}],
    }
    got, _ = await ask(Graph(old, ai("done")))
    first, second = got.tool_calls
    assert (first.name, first.params) == ("look", {"a": 1})
    assert (second.name, second.success, second.error) == ("bad", False, "cut off")


async def test_faults_are_named() -> None:
    assert (
        "the graph failed: ValueError: boom"
        in (
            await fault(always(answer({"__error__": {"error": "ValueError", "message": "boom"}})))
        ).what
    )
    none = (await fault(Graph())).what
    assert none.startswith("No response messages from connector: the graph added no message of its")
    refused = await fault(always(answer("boom " * 60, status="500 Internal Server Error")))
    assert refused.what.startswith(f"HTTP 500: {('boom ' * 60)[:200]} — ")
    assert (
        "no list `messages`; it has `answer`" in (await fault(always(answer({"answer": "x"})))).what
    )
    assert "Assistant not found" in (await fault(Graph(ai("x")), assistant_id="other")).what
    assert "not JSON" in (await fault(always(answer("oops")))).what


async def test_secrets_are_masked_in_faults_and_answers() -> None:
    error = await fault(
        always(answer("token graph-secret-1 refused", status="401 Unauthorized")),
        headers={"Authorization": "Bearer ${GRAPH_KEY}"},
        env={"GRAPH_KEY": "graph-secret-1"},
    )
    assert "graph-secret" not in error.what and "***" in error.what


async def test_throttling_may_be_retried_when_asked_for() -> None:
    raw = answer("slow down", status="429 Too Many Requests", extra="Retry-After: 7\r\n")
    error = await fault(always(raw), retries=2)
    assert (error.retryable, error.throttled, error.retry_after_s) == (True, True, 7.0)
    assert not (await fault(always(raw))).retryable


@pytest.mark.parametrize(
    ("options", "words"),
    [({}, "need a `base_url`"), ({"base_url": "ftp://x"}, "http"),
     ({"base_url": "http://x", "asistant_id": "y"}, "Did you mean `assistant_id`")],
)  # fmt: skip
def test_wrong_options_are_named(options: dict[str, Any], words: str) -> None:
    with pytest.raises(UserError) as caught:
        make("langgraph", options, env={})
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("metadata", "category"),
    [
        ({"finish_reason": "length"}, "cut_off"),
        ({"stop_reason": "refusal"}, "refused"),
        ({"finish_reason": "SAFETY"}, "filtered"),
    ],
)
async def test_an_answer_whose_model_came_to_a_bad_end_is_none(
    metadata: dict[str, str], category: str
) -> None:
    error = await fault(Graph(ai("It is") | {"response_metadata": metadata}))
    assert error.category == category


async def test_only_how_the_last_model_ended_counts() -> None:
    cut = ai("It is") | {"response_metadata": {"finish_reason": "length"}}
    last = ai("It is sunny.") | {"response_metadata": {"finish_reason": "stop"}}
    got, _ = await ask(Graph(cut, last))
    assert got.text == "It is sunny."


async def test_assistant_and_configurable_are_filled_in_at_any_depth_and_the_input_is_not() -> None:
    _, server = await ask(
        WEATHER,
        env={"GRAPH": "agent", "TEAM": "blue"},
        assistant_id="${GRAPH}",
        configurable={"teams": [{"name": "${TEAM}"}]},
        input={"note": "${TEAM}"},
    )
    sent = server.asked[0].json
    assert sent["assistant_id"] == "agent"
    assert sent["config"]["configurable"] == {"teams": [{"name": "blue"}]}
    assert sent["input"]["note"] == "${TEAM}"
