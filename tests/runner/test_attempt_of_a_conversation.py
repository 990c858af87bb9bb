"""A conversation as one attempt: judging its turns is no time of the agent's."""

import asyncio
from uuid import UUID

from evaltui.core.agent import AgentRequest
from evaltui.core.check import CheckContext
from evaltui.core.response import AgentResponse
from evaltui.core.result import CaseStatus
from evaltui.core.verdict import Verdict, VerdictStatus
from evaltui.runner.job import Job
from evaltui.scenarios.conversation import hold_conversation
from tests.runner.fakes import FakeAgent, run, run_one, says
from tests.runner.fakes import job as single
from tests.runner.virtual_time import in_virtual_time
from tests.scenarios.held import scenario


class Slow:
    """Judges each turn for longer than the agent has for the whole conversation."""

    name = "slow"

    async def run(self, context: CheckContext) -> Verdict:
        await asyncio.sleep(40)
        return Verdict("slow", VerdictStatus.PASSED, f"turn {context.turn}")


def job() -> Job:
    return Job(scenario("a", "b"), hold_conversation, ((Slow(),),))


def test_the_time_limit_does_not_run_while_a_turn_is_judged() -> None:
    result = in_virtual_time(run_one(FakeAgent(says("ok", 10)), job(), timeout_s=30))
    assert (result.status, result.error) == (CaseStatus.PASSED, "")
    assert result.response is not None
    assert [turn.verdicts[0].reason for turn in result.response.conversation] == [
        "turn 1",
        "turn 2",
    ]


def test_it_is_for_the_whole_conversation() -> None:
    result = in_virtual_time(run_one(FakeAgent(says("ok", 20)), job(), timeout_s=30))
    assert result.status is CaseStatus.FAILED
    assert result.error.startswith("timeout")


async def test_all_turns_have_one_conversation_and_each_attempt_another() -> None:
    agent = FakeAgent(says("ok"))
    job = Job(scenario("a", "b", "c"), hold_conversation, (), trials=2)
    await run([job], agent)
    held = [(one.trial, one.conversation, one.is_continued) for one in agent.asked]
    places = {trial: place for trial, place, _ in held}
    assert len({*places.values()}) == 2
    assert [*map(UUID, places.values())], "a thread's id has to be one"
    assert sorted(held) == sorted(
        (trial, place, is_continued)
        for trial, place in places.items()
        for is_continued in (False, True, True)
    )


async def test_a_single_message_is_no_conversation() -> None:
    """Agents that want an id for it make one of their own; thousands of others need none."""
    agent = FakeAgent(says("ok"))
    await run([single()], agent)
    assert [(one.conversation, one.is_continued) for one in agent.asked] == [("", False)]


async def test_what_a_recording_answered_is_told_to_the_agent_again() -> None:
    """It was not there when that was said."""
    sources = iter(("live", "recorded", "live", "live"))

    async def answer(_: AgentRequest) -> AgentResponse:
        return AgentResponse("ok", source=next(sources))

    agent = FakeAgent(answer)
    await run([Job(scenario("a", "b", "c", "d"), hold_conversation, ())], agent)
    assert [one.is_continued for one in agent.asked] == [False, True, False, True]
    first, second, third, fourth = [one.conversation for one in agent.asked]
    assert first == second != third == fourth


async def test_the_agent_is_told_who_talks_and_of_a_single_message_nobody() -> None:
    agent = FakeAgent(says("ok"))
    await run([Job(scenario("a", "b"), hold_conversation, ())], agent)
    assert [one.persona for one in agent.asked] == ["Ann", "Ann"]
    agent = FakeAgent(says("ok"))
    await run([single()], agent)
    assert [(one.persona, one.conversation) for one in agent.asked] == [("", "")]
