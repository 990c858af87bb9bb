"""The runner and the HTTP agent without files and command line: what a case costs by itself.

    python -m benchmarks.runner_alone URL COUNT CONCURRENCY [--options JSON] [--profile]

prints counts, and as the last line the seconds.
"""

import argparse
import asyncio
import json
import sys
import time
from collections import Counter
from pathlib import Path

from benchmarks.project_folder import cases
from evaltui.agents.http.agent import make
from evaltui.core.case import Case, CaseKey, ContractCase
from evaltui.core.events import CaseFinished, Event
from evaltui.expectations.contract import contract_plan
from evaltui.kinds import ask_once
from evaltui.runner.job import Job
from evaltui.runner.run import run_cases


def jobs(count: int) -> list[Job]:
    """The jobs of the benchmark's project, without reading files."""
    made = []
    for raw in cases(count):
        case = Case(
            CaseKey("evals/get_weather.golden.json", str(raw["id"])),
            ContractCase(raw["input"]["message"], expect=raw["expect"]),
            description=str(raw["description"]),
        )
        made.append(Job(case, ask_once, contract_plan(case)))
    return made


async def run(url: str, count: int, concurrency: int, options: dict[str, object]) -> Counter[str]:
    """Run all; raises AssertionError when a case was lost or counted twice."""
    agent = make("bench", {"url": url, **options}, root=Path())  # type: ignore[dict-item]
    seen: Counter[str] = Counter()
    statuses: Counter[str] = Counter()

    def emit(event: Event) -> None:
        if isinstance(event, CaseFinished):
            seen[event.result.key.case] += 1
            statuses[event.result.status.value] += 1

    await run_cases(jobs(count), agent, emit, run_id="bench", concurrency=concurrency)
    await agent.close()
    assert len(seen) == count, f"{count - len(seen)} lost"
    assert max(seen.values()) == 1, "a case was counted twice"
    return statuses


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("url")
    parser.add_argument("count", type=int)
    parser.add_argument("concurrency", type=int)
    parser.add_argument("--options", default="{}")
    parser.add_argument("--profile", action="store_true")
    parser.add_argument("--all-passed", action="store_true", help="fail unless every case passed")
    options = parser.parse_args()
    work = run(options.url, options.count, options.concurrency, json.loads(options.options))
    started = time.perf_counter()
    if options.profile:
        import cProfile

        with cProfile.Profile() as profile:
            statuses = asyncio.run(work)
        profile.create_stats()
        import pstats

        pstats.Stats(profile).sort_stats("tottime").print_stats(25)
    else:
        statuses = asyncio.run(work)
    taken = time.perf_counter() - started
    print(dict(statuses), file=sys.stderr)
    if options.all_passed and set(statuses) != {"passed"}:
        raise SystemExit(f"not all passed: {dict(statuses)}")
    print(taken)


if __name__ == "__main__":
    main()
