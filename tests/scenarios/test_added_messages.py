"""What came of a call stands with the call, however the agent told it."""

from typing import Any

import pytest

from evaltui.agents.langgraph_messages import read_thread
from evaltui.core.response import AgentResponse, Message, ToolCall
from evaltui.scenarios.conversation import added_messages
from evaltui.tui.render.turns import write_turns
from tests.agents.graph_server import ai, call, result
from tests.scenarios.held import Asked, Says, held, passes, plan_of, scenario
from tests.tui.render.test_detail_renderers import written

GRAPH = (
    ai("", call("find_order", "c1", id=7), call("find_order", "c2", id=8)),
    result("c2", "no such order", "error", "find_order"),
    result("c1", '{"state": "sent by ship"}', name="find_order"),
    ai("on its way"),
)


def by_graph(*new: dict[str, Any]) -> AgentResponse:
    run = read_thread({"messages": [*new]}, [])
    return AgentResponse(run.text, run.calls, messages=run.messages)


async def test_a_graph_tells_it_beside_its_messages() -> None:
    check = Says(passes, seen=[])
    ask = Asked(by_graph(*GRAPH), by_graph(ai("bye")))
    response = await held(scenario("where is it?", "thanks"), ask, plan_of(check))
    first, second = response.conversation
    calls = response.of_turn(first).tool_calls
    assert [(one.success, one.result) for one in calls] == [
        (True, {"state": "sent by ship"}),
        (False, "no such order"),
    ]
    assert response.tool_calls == calls == check.seen[0].response.tool_calls
    assert response.of_turn(second).tool_calls == ()
    folded = written(lambda p: write_turns(p, response)).plain
    assert folded.count("calls find_order") == 2
    assert "sent by ship" not in folded
    opened = written(lambda p: write_turns(p, response), opened=True).plain
    assert "sent by ship" in opened
    assert "not reported" not in opened


@pytest.mark.parametrize("id_", ["", "theirs"])
def test_a_call_keeps_the_id_of_its_message(id_: str) -> None:
    told = Message("assistant", "", (ToolCall("a", id="mine"),))
    answer = AgentResponse("", (ToolCall("a", result=1, id=id_),), messages=(told,))
    (part,) = added_messages(answer, ())
    assert part.tool_calls == (ToolCall("a", result=1, id=id_ or "mine"),)


async def test_those_of_seed_messages_are_none_of_the_answer() -> None:
    seeds = (
        Message("user", "hello"),
        Message("assistant", "", (ToolCall("greet", id="s"),)),
        Message("tool", "hi", tool_call_id="s"),
        Message("assistant", "hi"),
    )
    check = Says(passes, seen=[])
    ask = Asked(AgentResponse("done", (ToolCall("find_order", result=1),)))
    response = await held(scenario("a", seed_messages=seeds), ask, plan_of(check))
    (made,) = response.tool_calls
    assert (made.name, made.result) == ("find_order", 1)
    assert made == response.messages[5].tool_calls[0] == check.seen[0].response.tool_calls[0]
