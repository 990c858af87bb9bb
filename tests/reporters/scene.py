"""A small project and the events of a run over it, for the reporters to hear."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from evaltui.core.case import Case, CaseKey, ContractCase, Tier
from evaltui.core.comparison import RunChanges
from evaltui.core.events import CaseFinished, Event, ProjectRead, RunEnd, RunFinished, RunStarted
from evaltui.core.response import AgentResponse
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.core.suite import EvalMetadata, Suite
from evaltui.core.suite_result import SuiteResult
from evaltui.core.tool import ToolDefinition, ToolRegistry
from evaltui.reporters import Reporter
from evaltui.store.counts import summarize

AGENT = "embedded/1"
SETTINGS = "calls a tool from p ≥ 0.40"
REGISTRY = ToolRegistry({"get_weather": ToolDefinition("get_weather", "Current weather.")})


def suite(name: str, cases: Sequence[str], *, description_hash: str | None = None) -> Suite:
    """An eval file of golden cases, each on a line of its own."""
    path = f"evals/{name}.golden.json"
    return Suite(
        path,
        name,
        Tier.GOLDEN,
        tuple(
            Case(
                CaseKey(path, id_),
                ContractCase("hi", expect={}),
                description=f"about {id_}",
                line=10 + index,
            )
            for index, id_ in enumerate(cases)
        ),
        "0" * 12,
        EvalMetadata(name, description_hash=description_hash) if description_hash else None,
    )


def result(of: Suite, case: str, status: CaseStatus = CaseStatus.PASSED, **more: Any) -> CaseResult:
    """A result with one assertion run, 5 ms and a reason when it did not pass."""
    fields: dict[str, Any] = {
        "key": CaseKey(of.id, case),
        "run_id": "run-1",
        "agent": AGENT,
        "status": status,
        "description": f"about {case}",
        "duration_ms": 5.0,
        "assertions_run": 1,
        "error": "" if status is CaseStatus.PASSED else f"why {case}",
        "response": AgentResponse("", (), 5.0),
    }
    return CaseResult(**{**fields, **more})


def suite_result(of: Suite, cases: Iterable[CaseResult], **more: Any) -> SuiteResult:
    kept = tuple(cases)
    fields: dict[str, Any] = {
        "suite": of.id,
        "run_id": "run-1",
        "timestamp": "2026-01-02T03:04:05Z",
        "tier": of.tier,
        "tool_name": of.tool_name,
        "agent": AGENT,
        "endpoint": AGENT,
        "metadata": {},
        "cases": kept,
        "summary": summarize(kept),
        "settings": SETTINGS,
    }
    return SuiteResult(**{**fields, **more})


def events(
    suites: Sequence[Suite],
    results: Sequence[CaseResult],
    *,
    end: RunEnd = RunEnd.COMPLETED,
    settings: str = SETTINGS,
    agent: str = AGENT,
    mutes: Mapping[str, str] | None = None,
    changes: RunChanges | None = None,
    **more: Any,
) -> list[Event]:
    """A whole run: its results in the order in which they came in; `more` for its suites."""
    keys = tuple(case.key for one in suites for case in one.cases)
    whole = tuple(
        suite_result(one, [r for r in results if r.key.suite == one.id], **{"agent": agent, **more})
        for one in suites
    )
    return [
        ProjectRead(tuple(suites), REGISTRY, (), mutes=mutes or {}),
        RunStarted("run-1", agent, 1, keys, "asked for", settings=settings),
        *(CaseFinished("run-1", one) for one in results),
        RunFinished("run-1", agent, end, 1.5, whole, changes=changes or RunChanges()),
    ]


def tell(reporter: Reporter, heard: Iterable[Event]) -> None:
    for event in heard:
        reporter.handle(event)
    reporter.close()
