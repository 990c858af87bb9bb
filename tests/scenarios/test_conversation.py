"""A conversation: whose turn it is, when it ends, and which turn is known to be the last."""

import pytest

from evaltui.core.check import CheckContext
from evaltui.core.persona import FailureMode
from evaltui.core.response import REPORTS_NO_CALLS, AgentResponse, Message, ToolCall, Usage
from evaltui.core.result import CaseStatus
from evaltui.core.verdict import Verdict, VerdictStatus
from evaltui.judging.judge import judge
from tests.scenarios.held import (
    Asked,
    Says,
    fails_in_turn,
    held,
    measures,
    passes,
    plain,
    plan_of,
    scenario,
)

HELLO = (Message("user", "hello"), Message("assistant", "hi"))


async def test_each_line_is_asked_after_all_that_was_said_before() -> None:
    ask = Asked("one", "two")
    response = await held(scenario("a", "b"), ask, plan_of(Says(passes)))
    said = [Message("user", "a"), Message("assistant", "one"), Message("user", "b")]
    assert ask.asked == [("a", ()), ("b", tuple(said[:2]))]
    assert plain(response.messages) == (*said, Message("assistant", "two"))
    assert response.text == "two"
    assert [(turn.first, turn.end) for turn in response.conversation] == [(1, 2), (3, 4)]
    assert response.duration_ms == 20.0


@pytest.mark.parametrize(
    ("seeds", "asked"),
    [
        (HELLO, [("a", HELLO)]),
        (HELLO[:1], [("hello", ()), ("a", (HELLO[0], Message("assistant", "answer 1")))]),
    ],
)
async def test_seed_messages_stand_before_and_one_of_the_user_is_answered_first(
    seeds: tuple[Message, ...], asked: list[object]
) -> None:
    ask = Asked()
    await held(scenario("a", seed_messages=seeds), ask, plan_of(Says(passes)))
    assert ask.asked == asked


async def test_each_message_has_an_id_and_the_agent_gets_it_as_it_was_written() -> None:
    image = Message("user", "what is it", extra={"id": "mine", "content": [{"type": "image"}]})
    seeds = (Message("system", "be kind"), Message("user", "hi"), HELLO[1], image)
    check, ask = Says(passes, seen=[]), Asked()
    response = await held(scenario("a", seed_messages=seeds), ask, plan_of(check))
    first, second = ask.messages
    assert first[-1] == image
    assert [one.role for one in second] == ["user", "assistant"] * 2 + ["user"], "nothing of system"
    assert check.seen[0].messages[0].content == "be kind"
    ids = [(one.extra or {}).get("id") for one in response.messages]
    kinds = [str(each).partition("_")[0] for each in ids]
    assert kinds == ["seed", "seed", "seed", "mine", "None", "persona", "None"]
    assert second[-1].extra == response.messages[5].extra
    again = await held(scenario("a", seed_messages=seeds), Asked(), plan_of(check))
    assert again.messages == response.messages, "an answer is found again by what was asked"


@pytest.mark.parametrize(
    ("max_messages", "turns"), [(2, 1), (3, 1), (4, 2), (5, 2), (10, 3), (6, 3)]
)
async def test_the_last_turn_is_known_beforehand_and_no_line_stays_unanswered(
    max_messages: int, turns: int
) -> None:
    check = Says(passes, seen=[])
    response = await held(scenario(*"abc", max_messages=max_messages), Asked(), plan_of(check))
    assert [seen.turn for seen in check.seen] == [*range(1, turns + 1)]
    assert [seen.is_final for seen in check.seen] == [*(False,) * (turns - 1), True]
    assert response.messages[-1].role == "assistant"
    assert [turn.is_final for turn in response.conversation] == [
        seen.is_final for seen in check.seen
    ]


async def test_results_of_tools_do_not_count_and_messages_that_only_call_do() -> None:
    call = ToolCall("find_order", {}, id="1", result={"id": 7}, success=True)
    said = (
        Message("user", "a"),
        Message("assistant", "", (call,)),
        Message("tool", "7", tool_call_id="1"),
        Message("assistant", "seven"),
    )
    ask = Asked(AgentResponse("seven", (call,), messages=said))
    response = await held(scenario(*"abc", max_messages=4), ask, plan_of(Says(passes)))
    assert [message for message, _ in ask.asked] == ["a"]
    assert plain(response.messages) == said
    ask = Asked(AgentResponse("seven", (call,), messages=said))
    await held(scenario(*"abc", max_messages=5), ask, plan_of(Says(passes)))
    assert [message for message, _ in ask.asked] == ["a", "b"]


async def test_the_user_goes_on_after_a_turn_that_ends_with_the_result_of_a_tool() -> None:
    def answer(number: int) -> AgentResponse:
        call = ToolCall("book", {}, id=f"c{number}", result="ok", success=True)
        result = Message("tool", "ok", tool_call_id=call.id, name="book")
        return AgentResponse("", (call,), messages=(Message("assistant", "", (call,)), result))

    check, ask = Says(passes, seen=[]), Asked(answer(1), answer(2), "bye")
    response = await held(scenario("a", "b", "c", max_messages=6), ask, plan_of(check))
    roles = ["user", "assistant", "tool"]
    assert [message for message, _ in ask.asked] == ["a", "b", "c"]
    assert [one.role for one in response.messages] == [*roles, *roles, "user", "assistant"]
    assert [len(one.response.tool_calls) for one in check.seen] == [1, 1, 0]
    assert [one.is_final for one in check.seen] == [False, False, True]


async def test_the_result_of_a_tool_that_seed_messages_end_with_is_answered_first() -> None:
    call = Message("assistant", "", (ToolCall("book", {}, id="c"),))
    result = Message("tool", "booked", tool_call_id="c", name="book")
    ask = Asked()
    await held(scenario("a", seed_messages=(HELLO[0], call, result)), ask, plan_of(Says(passes)))
    assert plain(ask.messages[0]) == (HELLO[0], call, result)
    assert [message for message, _ in ask.asked] == ["booked", "a"]


async def test_an_assertion_that_fails_ends_it_and_the_case_fails_by_that_turn() -> None:
    case, ask = scenario(*"abc"), Asked()
    plan = plan_of(Says(fails_in_turn(2)), Says(measures, "calls"))
    response = await held(case, ask, plan)
    assert len(ask.asked) == 2
    assert [turn.is_final for turn in response.conversation] == [False, False]
    outcome = await judge(plan, CheckContext(case, response))
    assert (outcome.status, outcome.reason) == (CaseStatus.FAILED, "said so")
    assert outcome.metrics == {"calls": 2.0}


async def test_a_metric_never_ends_it() -> None:
    ask = Asked()
    await held(scenario(*"abc"), ask, plan_of(Says(measures)))
    assert len(ask.asked) == 3


def by_criteria(status: VerdictStatus, *, ends: bool, failed: bool = False) -> Says:
    said = Verdict("criteria", status, "judged", evidence={"triggered": failed}, ends=ends)
    return Says(lambda _: said, "criteria")


async def test_criteria_decide_first_and_evaluators_know_that_the_turn_is_final() -> None:
    check, ask = Says(passes, seen=[]), Asked()
    met = by_criteria(VerdictStatus.PASSED, ends=True)
    response = await held(scenario(*"abc"), ask, plan_of(check, criteria=[met]))
    assert len(ask.asked) == 1
    assert [seen.is_final for seen in check.seen] == [True]
    assert [one.check for one in response.conversation[0].verdicts] == ["criteria", "says"]


@pytest.mark.parametrize(
    ("failed", "mode", "reason"),
    [
        (True, FailureMode.EVERY_TURN, "judged"),
        (True, FailureMode.ON_MAX_MESSAGES, "said so"),
        (False, FailureMode.EVERY_TURN, "said so"),
    ],
)
async def test_the_reason_is_of_failure_criteria_that_end_it_then_evaluators_then_the_limit(
    failed: bool, mode: FailureMode, reason: str
) -> None:
    case = scenario("a", failure_criteria_mode=mode)
    criteria = by_criteria(VerdictStatus.FAILED, ends=True, failed=failed)
    plan = plan_of(Says(fails_in_turn(1)), criteria=[criteria])
    response = await held(case, Asked(), plan)
    outcome = await judge(plan, CheckContext(case, response))
    assert outcome.reason == reason
    assert len(outcome.verdicts) == 2


async def test_calls_and_tokens_are_of_all_turns_and_kept_for_each() -> None:
    call = ToolCall("find_order", {"id": 7}, id="1")
    answers = [
        AgentResponse("", (call,), 5.0, usage=Usage(1, 2, 0.5, 7)),
        AgentResponse("done", (), 7.0, usage=Usage(10, 20, 0.25)),
    ]
    response = await held(scenario("a", "b"), Asked(*answers), plan_of(Says(passes)))
    assert response.usage == Usage(11, 22, 0.75, 37)
    assert response.tool_calls == (call,)
    first, second = map(response.of_turn, response.conversation)
    assert (first.tool_calls, first.usage, first.duration_ms) == ((call,), Usage(1, 2, 0.5, 7), 5.0)
    assert (second.text, second.tool_calls) == ("done", ())


async def test_who_reported_calls_in_one_turn_made_none_in_later_ones_without() -> None:
    call = ToolCall("find_order", {"id": 7}, id="1")
    answers = [
        AgentResponse("hello", notes=(REPORTS_NO_CALLS, "other"), tells_calls=False),
        AgentResponse("found", (call,)),
        AgentResponse("bye", notes=(REPORTS_NO_CALLS,), tells_calls=False),
    ]
    check = Says(passes)
    response = await held(scenario("a", "b", "c"), Asked(*answers), plan_of(check))
    assert [one.response.tells_calls for one in check.seen] == [False, True, True]
    assert (response.tells_calls, response.notes) == (True, ("other",))
    judged_again = map(response.of_turn, response.conversation)
    assert [one.tells_calls for one in judged_again] == [False, True, True]


async def test_calls_that_nobody_answered_are_not_sent_again() -> None:
    ask = Asked(AgentResponse("", (ToolCall("find_order", {}, id="1"),)))
    response = await held(scenario("a", "b"), ask, plan_of(Says(passes)))
    assert ask.asked[1][1] == (Message("user", "a"), Message("assistant", ""))
    assert response.messages[1].tool_calls
