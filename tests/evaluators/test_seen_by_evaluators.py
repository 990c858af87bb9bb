"""Of a conversation evaluators see all that was said, and the last turn beside it."""

from evaltui.core.response import AgentResponse, Message
from evaltui.evaluators.kit.evaltui import EvaluatorContext
from evaltui.evaluators.seen_by_evaluators import context_json
from tests.scenarios.held import Asked, Says, held, passes, plan_of, scenario


async def test_each_turn_sees_what_was_said_before_it() -> None:
    check = Says(passes, seen=[])
    seeds = (Message("user", "hello"), Message("assistant", "hi"))
    ask = Asked(AgentResponse("one"), AgentResponse("two"), AgentResponse("three"))
    await held(scenario("a", "b", "c", seed_messages=seeds), ask, plan_of(check))
    seen = [EvaluatorContext.from_json(context_json(one)) for one in check.seen]
    said = ["hello", "hi", "a", "one", "b", "two", "c", "three"]
    for turn, context in enumerate(seen, 1):
        assert [one["content"] for one in context.messages] == said[: 2 + 2 * turn]
        assert [one["content"] for one in context.last_invocation.messages] == [said[1 + 2 * turn]]
    assert len(seen) == 3
