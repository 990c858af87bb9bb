"""Several attempts become one result that hides nothing."""

import asyncio
from functools import reduce

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from evaltui.core.agent import AgentRequest
from evaltui.core.case import CaseKey
from evaltui.core.errors import AgentError
from evaltui.core.events import CaseStarted
from evaltui.core.response import AgentResponse, Usage
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.core.statistics.rates import Stability, stability
from evaltui.runner.trials import aggregate_trials, with_another
from tests.runner.fakes import FakeAgent, job, run, run_one

_JUDGED = (CaseStatus.PASSED, CaseStatus.FAILED, CaseStatus.ERROR)


@given(st.lists(st.sampled_from(_JUDGED), min_size=2, max_size=8), st.randoms())
def test_the_sum_of_all_attempts(statuses: list[CaseStatus], chance: object) -> None:
    results = [
        CaseResult(
            CaseKey("s", "c"),
            "r",
            "a",
            status,
            error="" if status is CaseStatus.PASSED else f"{status} {trial}",
            trial=trial,
            response=AgentResponse("x", usage=Usage(1, 2, 0.5, 9)),
        )
        for trial, status in enumerate(statuses)
    ]
    shuffled = list(results)
    chance.shuffle(shuffled)  # type: ignore[attr-defined]
    total = aggregate_trials(shuffled)
    passes, failures = statuses.count(CaseStatus.PASSED), statuses.count(CaseStatus.FAILED)
    assert total.passes == passes
    assert total.trials == (passes + failures or len(statuses))
    assert total.erred == statuses.count(CaseStatus.ERROR)
    assert [attempt.status for attempt in total.attempts] == statuses
    if failures:
        assert total.status is CaseStatus.FAILED
        assert f"failed {statuses.index(CaseStatus.FAILED)}" in total.error, "as it was told first"
    elif passes == len(statuses):
        assert (total.status, total.error) == (CaseStatus.PASSED, "")
    else:
        assert total.status is CaseStatus.ERROR
    assert total.response is not None and total.response.usage is not None
    assert total.response.usage.cost_usd == 0.5 * len(statuses)
    assert total.response.usage.total_tokens == 9 * len(statuses)


@given(st.lists(st.sampled_from(_JUDGED), min_size=2, max_size=8))
def test_attempts_that_come_one_after_the_other_are_summed_up_alike(
    statuses: list[CaseStatus],
) -> None:
    results = [
        CaseResult(
            CaseKey("s", "c"),
            "r",
            "a",
            status,
            error="" if status is CaseStatus.PASSED else f"{status} {trial}",
            trial=trial,
            assertions_run=1,
            passes=int(status is CaseStatus.PASSED),
            response=AgentResponse(f"{trial}", usage=Usage(1, 2, 0.5, 9)),
        )
        for trial, status in enumerate(statuses)
    ]
    whole = replace(aggregate_trials(results), trial=0)
    one_by_one = reduce(with_another, results)
    assert replace(one_by_one, trial=0, planned=None) == whole
    assert one_by_one.planned == results[0].as_planned, "only the first was planned"


async def test_attempts_run_side_by_side_and_each_is_seen() -> None:
    all_are_there = asyncio.Barrier(5)

    async def respond(request: AgentRequest) -> AgentResponse:
        await all_are_there.wait()
        if request.trial == 1:
            return AgentResponse("")
        if request.trial == 3:
            raise AgentError("down")
        return AgentResponse("ok")

    agent = FakeAgent(respond)
    ear = await run([job(trials=5)], agent, concurrency=5)
    (result,) = ear.results.values()
    assert agent.most_in_flight == 5
    started = [event.trial for event in ear.events if isinstance(event, CaseStarted)]
    assert sorted(started) == [0, 1, 2, 3, 4]
    assert (result.status, result.passes, result.trials) == (CaseStatus.FAILED, 3, 4)
    assert stability(result.passes, result.trials) is Stability.FLAKY
    assert result.error.startswith("3 of 4 attempts passed; ")
    assert [attempt.status for attempt in result.attempts].count(CaseStatus.ERROR) == 1


async def test_a_case_of_which_another_run_made_attempts_is_of_the_run_that_ends_it() -> None:
    """Whichever attempt it shows, and however long ago that was."""
    before = CaseResult(
        CaseKey("evals/a.golden.json", "gs-0"), "r0", "fake", CaseStatus.FAILED, finished_at=1.0
    )
    agent = FakeAgent()
    result = await run_one(agent, job(trials=3, finished=(before,)), clock=lambda: 9.0)
    assert sorted(request.trial for request in agent.asked) == [1, 2]
    assert (result.status, result.passes, result.trials) == (CaseStatus.FAILED, 2, 3)
    assert (result.run_id, result.finished_at) == ("r1", 9.0)
