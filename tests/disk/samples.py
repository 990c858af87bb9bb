"""Results to write and read: one of everything a file can hold."""

from msgspec.structs import replace

from evaltui.core.case import CaseKey, Tier
from evaltui.core.errors import Problem
from evaltui.core.inputs import Inputs
from evaltui.core.response import AgentResponse, Execution, Message, ToolCall, Usage
from evaltui.core.result import CaseResult, CaseStatus, TrialResult
from evaltui.core.suite_result import SuiteResult
from evaltui.core.verdict import Kind, Verdict, VerdictStatus
from evaltui.judging.judge import RULES
from evaltui.store.counts import summarize

SUITE = "evals/get_weather.golden.json"
TOOLS = {f"get_weather.{name}": "0123456789ab" for name in ("description", "parameters")}


def passed(
    case: str = "gs-get-weather-001", *, suite: str = SUITE, run: str = "run-1"
) -> CaseResult:
    calls = (ToolCall("get_weather", {"city": "Zürich"}, True, 12.5, {"temp": 18}),)
    return CaseResult(
        CaseKey(suite, case),
        run,
        "embedded",
        CaseStatus.PASSED,
        description="direct question",
        duration_ms=1250.0,
        assertions_run=6,
        verdicts=(
            Verdict(
                "toolsCalled",
                VerdictStatus.PASSED,
                "called as expected",
                evidence={"expected": ["get_weather"], "actual": ["get_weather"]},
            ),
            Verdict("latency", VerdictStatus.PASSED, "measured", kind=Kind.METRIC, value=12.5),
        ),
        response=AgentResponse(
            "18 °C in Zürich 🌤",
            calls,
            1250.0,
            Execution.STUBS,
            (
                Message("user", "How warm is it in Zürich?"),
                Message("assistant", "", calls),
                Message("tool", '{"temp":18}', tool_call_id="call-1", name="get_weather"),
            ),
            Usage(120, 14, 0.002),
            turns=2,
            first_token_ms=8.5,
            notes=("`get_weather` and `get_forecast` overlap",),
            explanation={"get_weather": 0.8},
        ),
        inputs=Inputs("aaaaaaaaaaaa", TOOLS, "bbbbbbbbbbbb", {"totals.x": "cc"}, "embedded/1"),
        finished_at=1_700_000_000.5,
        passes=1,
    )


def failed(
    case: str = "gs-get-weather-002", *, suite: str = SUITE, run: str = "run-1"
) -> CaseResult:
    return CaseResult(
        CaseKey(suite, case),
        run,
        "embedded",
        CaseStatus.FAILED,
        description="temperature",
        duration_ms=2100.25,
        assertions_run=4,
        assertions_skipped=1,
        skipped_tokens=("{{snapshot:prices.current}}",),
        error="responseContains: expected `Tokyo` in response but not found",
        category="assertion",
        response=AgentResponse("no", (ToolCall("get_forecast", {}, False, None, error="down"),)),
        inputs=Inputs("dddddddddddd", TOOLS, agent="embedded/1"),
        queued_ms=3.5,
        finished_at=1_700_000_001.0,
        trial=2,
        trials=3,
        passes=1,
        attempts=(
            TrialResult(0, CaseStatus.PASSED, 10.0),
            TrialResult(1, CaseStatus.FAILED, 11.5, "no"),
        ),
    )


def errored(
    case: str = "gs-get-weather-003", *, suite: str = SUITE, run: str = "run-1"
) -> CaseResult:
    return CaseResult(
        CaseKey(suite, case),
        run,
        "embedded",
        CaseStatus.ERROR,
        error="agent: HTTP 500",
        category="agent_error",
        carried_from=run if run != "run-1" else "",
        finished_at=1_700_000_002.0,
    )


def reserved(case: str = "rubric-001", *, suite: str = SUITE, run: str = "run-1") -> CaseResult:
    return CaseResult(
        CaseKey(suite, case),
        run,
        "embedded",
        CaseStatus.SKIPPED,
        error="rubric cases are reserved: no judge is configured",
        finished_at=1_700_000_003.0,
    )


def suite_result(
    *cases: CaseResult, run: str = "run-1", suite: str = SUITE, tool: str = "get_weather"
) -> SuiteResult:
    return SuiteResult(
        suite=suite,
        run_id=run,
        timestamp="2026-01-02T03:04:05Z",
        tier=Tier.GOLDEN,
        tool_name=tool,
        agent="embedded",
        endpoint="embedded/1",
        metadata={
            "toolVersion": "1.0.0",
            "descriptionHash": "0123456789ab",
            "registrySize": 2,
            "evalFileHash": "fedcba987654",
        },
        cases=cases,
        summary=summarize(cases),
        staleness_warnings=("Description hash mismatch",),
        stale=True,
        baseline_run_id="run-0",
        regressions=("gs-get-weather-002",),
        new_passes=("gs-get-weather-001",),
        errored=("gs-get-weather-003",),
    )


def many(count: int, *, run: str = "run-1", suite: str = SUITE) -> tuple[CaseResult, ...]:
    return tuple(
        (failed if index % 7 == 0 else passed)(f"gs-get-weather-{index:05}", suite=suite, run=run)
        for index in range(count)
    )


def no_problem(problem: Problem) -> None:
    """A `Report` where nothing may be damaged."""
    raise AssertionError(problem)


def judged_now(result: SuiteResult) -> SuiteResult:
    """By the rules of judging of now, as what was pinned lately."""
    cases = [replace(one, inputs=replace(one.inputs, rules=RULES)) for one in result.cases]
    return replace(result, cases=tuple(cases))
