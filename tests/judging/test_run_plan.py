"""Stages, gating, errors, cancelling."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaltui.core.check import CheckContext
from evaltui.core.response import AgentResponse
from evaltui.core.verdict import Kind, Verdict, VerdictStatus
from evaltui.judging.run_plan import run_plan
from tests.expectations.judging import make_case

CONTEXT = CheckContext(make_case({}), AgentResponse("x"))
PASSED, FAILED, ERROR = VerdictStatus.PASSED, VerdictStatus.FAILED, VerdictStatus.ERROR


@dataclass
class Says:
    """A check that answers with what it is told to; `later` makes it answer asynchronously."""

    name: str
    status: VerdictStatus = PASSED
    kind: Kind = Kind.ASSERTION
    later: Callable[[], Awaitable[object]] | None = None
    asked: list[str] = field(default_factory=list)

    def run(self, context: CheckContext) -> Verdict | Awaitable[Verdict]:
        self.asked.append(context.response.text)
        verdict = Verdict(self.name, self.status, f"{self.name} said so", kind=self.kind)
        return verdict if self.later is None else self._wait(verdict, self.later)

    async def _wait(self, verdict: Verdict, later: Callable[[], Awaitable[object]]) -> Verdict:
        await later()
        return verdict


@dataclass
class Raises:
    name: str
    error: BaseException
    label: str = "a label"

    def run(self, context: CheckContext) -> Verdict:  # noqa: ARG002
        raise self.error


async def test_an_empty_plan_says_nothing() -> None:
    assert await run_plan((), CONTEXT) == ()


async def test_the_next_stage_starts_only_while_nothing_gates() -> None:
    last = Says("c")
    verdicts = await run_plan(((Says("a"),), (Says("b", FAILED),), (last,)), CONTEXT)
    assert [verdict.check for verdict in verdicts] == ["a", "b"]
    assert last.asked == []


async def test_a_metric_never_gates() -> None:
    plan = ((Says("a", ERROR, Kind.METRIC),), (Says("b", FAILED, Kind.METRIC), Says("c")))
    verdicts = await run_plan((*plan, (Says("d"),)), CONTEXT)
    assert [verdict.check for verdict in verdicts] == ["a", "b", "c", "d"]


async def test_all_checks_of_a_stage_run_together_and_settle_in_order() -> None:
    barrier = asyncio.Barrier(2)
    stage = (Says("a", FAILED, later=barrier.wait), Says("b"), Says("c", later=barrier.wait))
    async with asyncio.timeout(5):
        verdicts = await run_plan((stage, (Says("never"),)), CONTEXT)
    assert [verdict.check for verdict in verdicts] == ["a", "b", "c"]


async def _boom() -> None:
    raise ValueError("boom")


@pytest.mark.parametrize("together", [False, True])
@pytest.mark.parametrize("check", [Raises("bad", ValueError("boom")), Says("bad", later=_boom)])
async def test_a_check_that_raises_is_an_error_naming_it(
    check: Raises | Says, together: bool
) -> None:
    stage = (check, Says("good")) if together else (check,)
    verdicts = await run_plan((stage, (Says("never"),)), CONTEXT)
    assert verdicts[0].status is ERROR
    assert verdicts[0].reason == "bad raised ValueError: boom"
    assert verdicts[0].label == getattr(check, "label", "")
    assert len(verdicts) == len(stage)


async def test_an_answer_that_is_no_verdict_is_an_error() -> None:
    class Silent:
        name = "silent"

        def run(self, context: CheckContext) -> Verdict:  # noqa: ARG002
            return None  # type: ignore[return-value]

    for stage in ((Silent(),), (Silent(), Silent())):
        verdicts = await run_plan((stage,), CONTEXT)
        assert {verdict.reason for verdict in verdicts} == {
            "silent answered with NoneType instead of a verdict"
        }


@pytest.mark.parametrize("stages", [1, 2])
async def test_being_cancelled_cancels_the_checks_and_propagates(stages: int) -> None:
    started = asyncio.Event()
    ended: list[str] = []

    async def wait() -> None:
        started.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.append("ended")

    stage = tuple(Says(str(number), later=wait) for number in range(stages))
    task = asyncio.create_task(run_plan((stage,), CONTEXT))
    await started.wait()
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert ended == ["ended"] * stages


@pytest.mark.parametrize("beside", [(), (Says("other"),)])
async def test_a_check_that_is_cancelled_from_within_propagates(beside: tuple[Says, ...]) -> None:
    async def cancelled() -> None:
        raise asyncio.CancelledError

    with pytest.raises(asyncio.CancelledError):
        await run_plan(((Says("a", later=cancelled), *beside),), CONTEXT)


def test_a_check_that_answers_at_once_needs_no_event_loop() -> None:
    running = run_plan(((Says("a"),), (Says("b"),)), CONTEXT)
    with pytest.raises(StopIteration) as stopped:
        running.send(None)
    assert [verdict.check for verdict in stopped.value.value] == ["a", "b"]


STATUSES = st.sampled_from(list(VerdictStatus))


@given(st.lists(STATUSES, max_size=8))
async def test_verdicts_end_with_the_first_that_gates(statuses: list[VerdictStatus]) -> None:
    plan = tuple((Says(str(index), status),) for index, status in enumerate(statuses))
    verdicts = await run_plan(plan, CONTEXT)
    said = [verdict.status for verdict in verdicts]
    assert said == statuses[: len(said)]
    assert all(status not in (FAILED, ERROR) for status in said[:-1])
    if len(said) < len(statuses):
        assert said[-1] in (FAILED, ERROR)
