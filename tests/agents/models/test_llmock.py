"""Both dialects against llmock: it breaks answers as providers do, and grades its clients."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from evaltui.agents.tool_loop import ToolLoop
from evaltui.core.events import CaseFinished, Event
from evaltui.core.result import CaseStatus
from evaltui.runner.retries import RetryPolicy
from evaltui.runner.run import run_cases
from tests.agents.mock_servers import call, llmock, queue
from tests.agents.model_agents import ask, fault, model_agent
from tests.runner.fakes import job

BASE = {"openai": "/v1", "anthropic": "/anthropic"}
BOTH = pytest.mark.parametrize("type_", BASE)
EACH = pytest.mark.parametrize("stream", [True, False])
pytestmark = pytest.mark.xdist_group("llmock")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with llmock(Path(tmp_path_factory.mktemp("llmock"))) as url:
        yield url


def agent(type_: str, server: str, **options: Any) -> ToolLoop:
    return model_agent(type_, server + BASE[type_], **options)


def reply(*calls: tuple[str, dict[str, Any]], text: str | None = None) -> dict[str, Any]:
    named = [{"name": name, "arguments": arguments} for name, arguments in calls]
    return {"type": "reply", "text": text, "tool_calls": named}


@BOTH
@EACH
async def test_parallel_calls_stubs_and_the_answer(server: str, type_: str, stream: bool) -> None:
    queue(
        server,
        reply(("get_weather", {"city": "Paris"}), ("calendar_find", {"day": "Montag é 😀"})),
        reply(text="Sunny, and nothing planned."),
    )
    stubs = {"get_weather": {"sky": "blue"}}
    response = await ask(agent(type_, server, stream=stream), stubs=stubs)
    first, second = response.tool_calls
    assert (first.name, first.params, first.success) == ("get_weather", {"city": "Paris"}, True)
    assert (second.name, second.params) == ("calendar.find", {"day": "Montag é 😀"})
    assert second.error == 'no stub for "calendar.find"'
    assert response.text == "Sunny, and nothing planned."
    assert response.turns == 2
    assert response.usage is not None
    assert response.usage.input_tokens and response.usage.output_tokens
    assert (response.first_token_ms is not None) == stream


@BOTH
@EACH
async def test_a_rate_limit_with_retry_after(server: str, type_: str, stream: bool) -> None:
    queue(server, {"type": "fail", "status": 429, "retry_after": 2})
    error = await fault(agent(type_, server, stream=stream))
    assert (error.retryable, error.throttled, error.retry_after_s) == (True, True, 2)


@BOTH
@EACH
@pytest.mark.parametrize(
    ("status", "retryable"),
    [(400, False), (401, False), (403, False), (404, False), (500, True), (503, True)],
)
async def test_refusals(
    server: str, type_: str, stream: bool, status: int, retryable: bool
) -> None:
    queue(server, {"type": "fail", "status": status, "message": "as asked"})
    error = await fault(agent(type_, server, stream=stream))
    assert error.retryable is retryable
    assert f"HTTP {status}" in error.what
    assert "as asked" in error.what


@BOTH
@pytest.mark.parametrize(
    ("kind", "retryable"), [("disconnect", True), ("truncate", True), ("malformed", True)]
)
@pytest.mark.parametrize("after", [1, 3])
async def test_broken_streams(
    server: str, type_: str, kind: str, retryable: bool, after: int
) -> None:
    queue(
        server,
        reply(text="one two three four five six seven"),
        {"type": "stream_fault", "kind": kind, "after_chunks": after},
    )
    error = await fault(agent(type_, server))
    assert error.retryable is retryable


@BOTH
async def test_what_came_before_the_break_is_told(server: str, type_: str) -> None:
    queue(
        server,
        reply(text="one two three four five six seven"),
        {"type": "stream_fault", "kind": "disconnect", "after_chunks": 5},
    )
    error = await fault(agent(type_, server))
    assert "Received so far: the text `one two" in error.what


@BOTH
async def test_a_hanging_stream_meets_the_own_time_limit(server: str, type_: str) -> None:
    fault_ = {"type": "stream_fault", "kind": "stall", "after_chunks": 2, "stall_seconds": 20}
    queue(server, reply(text="one two three four"), fault_)
    error = await fault(agent(type_, server, timeout=0.3))
    assert error.category == "timeout"
    assert error.retryable


@BOTH
@EACH
async def test_bad_arguments(server: str, type_: str, stream: bool) -> None:
    queue(server, {"type": "tool_fault", "kind": "malformed_arguments"})
    response = await ask(agent(type_, server, stream=stream))
    (found,) = response.tool_calls
    assert found.name in {"get_weather", "calendar.find"}
    if type_ == "anthropic" and not stream:
        assert found.params is not None  # a whole answer has no place for broken JSON
    else:
        assert found.params is None
        assert "not JSON" in found.error


@BOTH
async def test_an_unknown_tool_is_reported_as_called(server: str, type_: str) -> None:
    queue(server, {"type": "tool_fault", "kind": "unknown_tool"})
    response = await ask(agent(type_, server))
    assert [found.name for found in response.tool_calls] == ["llmock_unknown_tool"]


@BOTH
async def test_a_late_first_token_is_measured(server: str, type_: str) -> None:
    queue(server, reply(text="one two"), {"type": "slow_first_token", "seconds": 0.3})
    response = await ask(agent(type_, server))
    assert response.first_token_ms is not None
    assert response.first_token_ms >= 250


@BOTH
@pytest.mark.parametrize("choice", ["none", "required", "calendar.find"])
async def test_tool_choice(server: str, type_: str, choice: str) -> None:
    queue(server)
    response = await ask(agent(type_, server, tool_choice=choice), stubs={"calendar.find": []})
    names = [found.name for found in response.tool_calls]
    assert bool(names) == (choice != "none")
    if choice == "calendar.find":
        assert names == ["calendar.find"]
    assert response.text


FAULTS: dict[str, tuple[dict[str, Any], ...]] = {
    "retry-after": ({"type": "fail", "status": 429, "retry_after": 0.3, "times": 2},),
    "overloaded": ({"type": "fail", "status": 529, "times": 2},),
    "disconnect": ({"type": "stream_fault", "kind": "disconnect", "after_chunks": 3},),
    "truncate": ({"type": "stream_fault", "kind": "truncate", "after_chunks": 2, "times": 2},),
    "bad request": ({"type": "fail", "status": 400},),
}


@BOTH
@pytest.mark.parametrize("name", FAULTS)
@pytest.mark.slow
async def test_the_server_finds_nothing_wrong_with_the_whole_run(
    server: str, type_: str, name: str
) -> None:
    """llmock's own verdict on how its client, the runner included, takes faults."""
    queue(server, reply(text="one two three four five six seven"), *FAULTS[name])
    asked = agent(type_, server)
    events: list[Event] = []
    # llmock wants each wait longer than the one before: no chance, and steps that a busy machine
    # does not blur.
    policy = RetryPolicy(first_delay_s=0.1, factor=3, random=lambda: 0.5)
    await run_cases([job(1)], asked, events.append, run_id="r", retries=policy)
    await asked.close()
    (result,) = [event.result for event in events if isinstance(event, CaseFinished)]
    verdict = call(f"{server}/_llmock/verdict")
    assert verdict["findings"] == []
    if name == "bad request":
        assert result.status is CaseStatus.ERROR
    else:
        assert result.status is CaseStatus.PASSED
        assert result.response is not None
        assert result.response.retries == FAULTS[name][0].get("times", 1)
        assert result.duration_ms < 250 <= result.queued_ms or name != "retry-after"
