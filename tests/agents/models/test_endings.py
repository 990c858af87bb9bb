"""An answer that was cut off, refused or filtered is an error, whatever it says or calls."""

from typing import Any

import pytest

from evaltui.core.result import CaseStatus
from tests.agents.model_agents import ask, fault, model_agent
from tests.agents.servers import always, answer, serving
from tests.agents.wire_texts import anthropic_text, chunk, piece, sse, stream
from tests.runner.fakes import job, run_one

CALL = {"name": "get_weather", "arguments": '{"city": "Paris"}'}


def openai_answer(reason: str, **message: Any) -> bytes:
    said = {"content": "It is", "tool_calls": [{"id": "a", "function": CALL}]} | message
    return answer({"choices": [{"message": said, "finish_reason": reason}]})


@pytest.mark.parametrize(
    ("reason", "word"),
    [
        ("length", "cut off"),
        ("content_filter", "filtered"),
        ("SAFETY", "filtered"),
        ("content_filter: PROHIBITED_CONTENT", "filtered"),
        ("content-filter", "filtered"),
        ("sensitive", "filtered"),
        ("abort", "broke off the answer"),
        ("cancelled", "broke off the answer"),
        ("queued", "not there yet"),
        ("error", "broke off the answer"),
    ],
)
async def test_chat_completions(reason: str, word: str) -> None:
    events = sse(
        chunk(content="It is"), chunk(tool_calls=[piece(0, "a", "w", "{}")]), chunk(reason)
    )
    for raw in (openai_answer(reason), stream(events)):
        async with serving(always(raw)) as server:
            error = await fault(model_agent("openai", server.url))
        assert word in error.what
        assert f"`{reason}`" in error.what
        assert not error.retryable
        assert "Received so far: the text `It is…` and a call of" in error.what


async def test_what_the_server_says_of_an_error_in_its_choice_is_said() -> None:
    choice = {"message": {"content": ""}, "error": {"code": 502, "message": "upstream died"}}
    raw = answer({"choices": [choice | {"finish_reason": "error"}]})
    async with serving(always(raw)) as server:
        error = await fault(model_agent("openai", server.url))
    assert "`error`: upstream died" in error.what


async def test_a_refusal_beside_the_text() -> None:
    async with serving(always(openai_answer("stop", refusal="I will not."))) as server:
        error = await fault(model_agent("openai", server.url))
    assert (error.category, "refused" in error.what) == ("refused", True)
    assert "I will not." in error.what


@pytest.mark.parametrize(
    ("reason", "word", "category"),
    [
        ("max_tokens", "cut off", "cut_off"),
        ("model_context_window_exceeded", "cut off", "cut_off"),
        ("refusal", "refused", "refused"),
        ("pause_turn", "cut off", "cut_off"),
    ],
)
async def test_messages(reason: str, word: str, category: str) -> None:
    whole = {"content": [{"type": "text", "text": "It is"}], "stop_reason": reason}
    for raw in (answer(whole), stream(sse(*anthropic_text("It is", reason), names=True))):
        async with serving(always(raw)) as server:
            error = await fault(model_agent("anthropic", server.url))
        assert word in error.what
        assert error.category == category


async def test_the_case_is_an_error_and_no_failure() -> None:
    async with serving(always(openai_answer("length"))) as server:
        agent = model_agent("openai", server.url)
        result = await run_one(agent, job(expect={"responseContains": ["sunny"]}))
        await agent.close()
    assert result.status is CaseStatus.ERROR
    assert len(server.asked) == 1


async def test_an_end_of_its_own_is_none_of_these() -> None:
    async with serving(always(openai_answer("tool_calls"))) as server:
        assert (await ask(model_agent("openai", server.url))).text == "It is"


@pytest.mark.parametrize(
    ("error", "said", "category"),
    [
        ({"code": "content_filter", "message": "m"}, "was filtered", "filtered"),
        ({"code": "context_length_exceeded", "message": "m"}, "too long", "agent_error"),
        ({"type": "invalid_request_error", "message": "prompt is too long: 9 > 8"}, "are too long",
         "agent_error"),
    ],
)  # fmt: skip
async def test_a_refused_request_says_the_same(
    error: dict[str, str], said: str, category: str
) -> None:
    async with serving(always(answer({"error": error}, status="400 Bad Request"))) as server:
        found = await fault(model_agent("openai", server.url))
    assert said in found.what
    assert found.category == category
