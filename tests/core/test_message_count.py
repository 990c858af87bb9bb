"""Lines of the persona that `maxMessages` leaves unsaid are told."""

from typing import Any

import pytest
from msgspec.structs import replace

from evaltui.core.case import ScenarioCase
from evaltui.core.message_count import (
    messages_for_all_lines,
    most_without_player,
    needs_player,
    why_no_turn,
)
from evaltui.core.response import AgentResponse, Message, ToolCall
from evaltui.judging.judge_turn import turn_judge
from evaltui.scenarios.conversation import hold_conversation
from evaltui.scenarios.kept_conversation import judged_again
from evaltui.scenarios.persona_lines import SpokenLine
from tests.scenarios.held import Asked, Says, fails_in_turn, held, passes, plan_of, scenario
from tests.scenarios.test_kept_conversation import CONTEXT

UNSAID = "`maxMessages` (6) was reached: 1 of 3 persona lines was never said"
HELLO = (Message("user", "hello"), Message("assistant", "hi"))


def with_calls(text: str) -> AgentResponse:
    """An answer after a message that only calls a tool, which counts as one."""
    call = ToolCall("look", {}, id="1")
    said = (Message("assistant", "", (call,)), Message("tool", "7"), Message("assistant", text))
    return AgentResponse(text, (call,), messages=said)


async def test_calls_that_count_as_messages_leave_a_line_unsaid() -> None:
    case = scenario(*"abc", max_messages=6)
    response = await held(case, Asked(*map(with_calls, "123")), plan_of(Says(passes)))
    assert len(response.conversation) == 2
    assert response.notes == (UNSAID,)


@pytest.mark.parametrize(("most", "unsaid"), [(2, "2 of 3"), (3, "2 of 3"), (4, "1 of 3")])
async def test_it_is_told_how_many(most: int, unsaid: str) -> None:
    response = await held(scenario(*"abc", max_messages=most), Asked(), plan_of(Says(passes)))
    (note,) = response.notes
    assert f"({most}) was reached: {unsaid} persona lines" in note


@pytest.mark.parametrize(("most", "check"), [(6, passes), (10, passes), (10, fails_in_turn(2))])
async def test_nothing_is_told_where_the_limit_left_nothing_unsaid(most: int, check: Any) -> None:
    response = await held(scenario(*"abc", max_messages=most), Asked(), plan_of(Says(check)))
    assert response.notes == ()


async def test_an_answer_kept_by_an_earlier_version_tells_it_when_it_is_judged_again() -> None:
    case = scenario(*"abc", max_messages=6)
    kept = await held(case, Asked(*map(with_calls, "123")), plan_of(Says(passes)))
    judge_turn = turn_judge(plan_of(Says(passes)), CONTEXT)
    for notes in ((), ("another",), (UNSAID,)):
        again = await judged_again(case, replace(kept, notes=notes), judge_turn)
        assert again is not None and again.notes == tuple(dict.fromkeys((*notes, UNSAID)))


@pytest.mark.parametrize("seeds", [(), HELLO[:1], HELLO])
async def test_the_least_limit_with_which_all_is_said(seeds: tuple[Message, ...]) -> None:
    body = scenario(*"abc", seed_messages=seeds).body
    assert isinstance(body, ScenarioCase)
    least = messages_for_all_lines(body)
    for most, is_all in ((least, True), (least - 1, False)):
        case = scenario(*"abc", seed_messages=seeds, max_messages=most)
        response = await held(case, Asked(), plan_of(Says(passes)))
        assert (not response.notes) is is_all


class Talks:
    """Always has something to say; counts how often it did."""

    has_more = True

    def __init__(self) -> None:
        self.lines = 0

    async def next_line(self, messages: tuple[Message, ...]) -> SpokenLine:  # noqa: ARG002
        self.lines += 1
        return SpokenLine("go on")


@pytest.mark.parametrize("seeds", [(), HELLO[:1], HELLO, (*HELLO, HELLO[0])])
@pytest.mark.parametrize("most", range(1, 8))
async def test_a_player_is_needed_just_where_one_would_say_a_line(
    seeds: tuple[Message, ...], most: int
) -> None:
    case, player = scenario(seed_messages=seeds, max_messages=most), Talks()
    assert isinstance(case.body, ScenarioCase)
    if why_no_turn(case.body):
        return
    judge_turn = turn_judge(plan_of(Says(passes)), CONTEXT)
    await hold_conversation(case, Asked(), judge_turn, player)
    assert needs_player(case.body) is bool(player.lines)
    most_without = most_without_player(case.body)
    assert bool(player.lines) is (most_without is None or most > most_without)
    body = scenario("a", seed_messages=seeds, max_messages=most).body
    assert isinstance(body, ScenarioCase)
    assert not needs_player(body), "its lines are written down"
