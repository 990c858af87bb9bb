"""Agents that do as they are told, cases that ask for little, and an ear for events."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from evaltui.core.agent import Agent, AgentRequest
from evaltui.core.asked import AgentTraits
from evaltui.core.case import Case, CaseKey, ContractCase
from evaltui.core.events import CaseFinished, Event, ProblemFound
from evaltui.core.response import AgentResponse
from evaltui.core.result import CaseResult
from evaltui.expectations.contract_config import ContractConfig
from evaltui.kinds import ask_once, kind_of, settled
from evaltui.runner.job import Job
from evaltui.runner.retries import RetryPolicy
from evaltui.runner.run import run_cases

QUICK = RetryPolicy(max_retries=3, first_delay_s=0.002, longest_delay_s=0.01, patience_s=0.05)


class FakeAgent(Agent):
    """Answers with `answer(request)`; counts what is in flight."""

    name = "fake"
    fingerprint = "000000000000"
    traits = AgentTraits(reads_registry=False, is_free=True)

    def __init__(self, answer: Callable[[AgentRequest], Awaitable[Any]] | None = None) -> None:
        self._answer = answer or says("ok")
        self.in_flight = 0
        self.most_in_flight = 0
        self.asked: list[AgentRequest] = []

    async def respond(self, request: AgentRequest) -> AgentResponse:
        self.asked.append(request)
        self.in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self.in_flight)
        try:
            answer: AgentResponse = await self._answer(request)
            return answer
        finally:
            self.in_flight -= 1


def says(text: str, delay_s: float = 0.0, **more: Any) -> Callable[[AgentRequest], Awaitable[Any]]:
    async def answer(_: AgentRequest) -> AgentResponse:
        await asyncio.sleep(delay_s)
        return AgentResponse(text, duration_ms=1.0, **more)

    return answer


def job(number: int = 0, expect: Any = None, **more: Any) -> Job:
    kind: type[ContractCase] = more.pop("kind", ContractCase)
    expect = {"responseNonEmpty": True} if expect is None else expect
    body = kind(f"message {number}", expect=expect, stubs=more.pop("stubs", None))
    case_options = {key: more.pop(key) for key in ("invalid", "description") if key in more}
    case = Case(CaseKey("evals/a.golden.json", f"gs-{number}"), body, **case_options)
    plan = kind_of(case).plan(case, config=ContractConfig())
    return Job(case, ask_once, plan, settled(case), **more)


class Ear:
    """Remembers events; `results` by case id, failing on a second one."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.results: dict[str, CaseResult] = {}
        self.problems: list[str] = []

    def __call__(self, event: Event) -> None:
        self.events.append(event)
        if isinstance(event, CaseFinished):
            assert event.result.key.case not in self.results, "counted twice"
            self.results[event.result.key.case] = event.result
        elif isinstance(event, ProblemFound):
            self.problems.append(event.problem.what)

    def kinds(self) -> list[str]:
        return [type(event).__name__ for event in self.events]


async def run(jobs: Any, agent: Any, **more: Any) -> Ear:
    ear = Ear()
    more.setdefault("retries", QUICK)
    await run_cases(jobs, agent, ear, run_id="r1", **more)
    return ear


async def run_one(agent: Any, the_job: Job | None = None, **more: Any) -> CaseResult:
    ear = await run([the_job or job()], agent, **more)
    (result,) = ear.results.values()
    return result
