"""Runs against a server that breaks at random: no case is lost, and every fault is tried again."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from evaltui.core.events import CaseFinished, Event
from evaltui.core.result import CaseStatus
from evaltui.runner.run import run_cases
from tests.agents.mock_servers import call, llmock, queue
from tests.agents.model_agents import model_agent
from tests.runner.fakes import job

RUNS, CASES = 20, 50
BASE = {"openai": "/v1", "anthropic": "/anthropic"}
CHAOS = (
    *("--error-rate-429", "0.03", "--error-rate-500", "0.02", "--error-rate-503", "0.02"),
    *("--stream-chunk-delay-ms", "3"),
    *(f"--stream-fault={kind}=0.03" for kind in ("disconnect", "truncate", "malformed")),
)
RETRIES = 4
BY_THE_CLOCK = {"malformed_chunk_ignored", "no_backoff"}
"""llmock pairs a fault with its retry by what it saw end first, and measures gaps on a busy
machine; that every fault was tried again is counted below instead."""
WHOLE = {"type": "stream_fault", "kind": "truncate", "after_chunks": 1000, "times": RETRIES + 1}
"""The first streams: from a whole one the agent learns that this server ends each with a mark."""
pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("llmock")]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with llmock(Path(tmp_path_factory.mktemp("llmock")), *CHAOS) as url:
        yield url


@pytest.fixture(scope="module")
def injected() -> Iterator[list[int]]:
    """Faults of each run; fifty requests may all be lucky, all runs together are not."""
    found: list[int] = []
    yield found
    assert sum(found) > 0 or len(found) < RUNS / 2


@pytest.mark.parametrize("number", range(RUNS))
async def test_a_run_under_chaos(server: str, injected: list[int], number: int) -> None:
    queue(server, WHOLE)
    type_ = ("openai", "anthropic")[number % 2]
    options: dict[str, Any] = {"stream": number % 4 < 3}
    agent = model_agent(type_, server + BASE[type_], **options)
    events: list[Event] = []
    jobs = [job(at) for at in range(CASES)]
    await run_cases(jobs[:1], agent, events.append, run_id="first", concurrency=1)
    events.clear()
    queue(server)
    await run_cases(jobs, agent, events.append, run_id="r", concurrency=4)
    await agent.close()
    results = [event.result for event in events if isinstance(event, CaseFinished)]
    assert len(results) == CASES
    gave_up = [r.error or "" for r in results if r.status is CaseStatus.ERROR]
    assert all(f"(after {RETRIES} retries)" in error for error in gave_up), gave_up
    verdict = call(f"{server}/_llmock/verdict")
    codes = {finding["code"] for finding in verdict["findings"]}
    assert codes <= BY_THE_CLOCK, verdict["findings"]
    retries = sum(r.response.retries for r in results if r.response and not r.error)
    assert retries + (RETRIES + 1) * len(gave_up) == verdict["faults_injected"]
    injected.append(verdict["faults_injected"])
