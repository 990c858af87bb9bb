"""Projects, results and runs of any size, as the events that a session would emit."""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from evaltui.core.baseline import Baseline, BaselineCase
from evaltui.core.case import Case, CaseKey, ContractCase, Tier
from evaltui.core.errors import Problem
from evaltui.core.events import (
    BaselinePinned,
    CaseFinished,
    CasesStale,
    CaseStarted,
    Event,
    ProjectRead,
    ResultsLoaded,
    RunEnd,
    RunFinished,
    RunStarted,
)
from evaltui.core.response import AgentResponse, ToolCall, Usage
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.core.staleness import Degree, DueCase
from evaltui.core.suite import EvalMetadata, Suite
from evaltui.core.tool import ToolDefinition, ToolRegistry
from evaltui.core.verdict import Verdict, VerdictStatus

NOW = 1_795_000_000.0
AGENT = "embedded"
TOOLS = ("get_weather", "send_email", "create_issue", "search_documents", "convert_currency")
PLACES = ("Paris", "München", "São Paulo", "東京", "a very long place name, all of it meant")
P, F, X, S = CaseStatus.PASSED, CaseStatus.FAILED, CaseStatus.ERROR, CaseStatus.SKIPPED


def suites(cases: int = 48, suites: int = 6) -> tuple[Suite, ...]:
    """`cases` cases spread over `suites` files, the tools taking turns."""
    made: list[Suite] = []
    for number in range(suites):
        tool = TOOLS[number % len(TOOLS)]
        tier = (Tier.GOLDEN, Tier.LABELED, Tier.REGRESSION)[number % 3]
        serial = "" if number < len(TOOLS) else f"_{number // len(TOOLS)}"
        suite_id = f"evals/{tool}{serial}.{tier.value}.json"
        prefix = {"golden": "gs", "labeled": "ls", "regression": "rg"}[tier.value]
        size = cases // suites + (number < cases % suites)
        rows = tuple(
            Case(
                CaseKey(suite_id, f"{prefix}-{tool.replace('_', '-')}-{index:03d}"),
                ContractCase(
                    f"What about {PLACES[index % len(PLACES)]} tomorrow?",
                    expect={"toolsCalled": [tool]},
                    difficulty="straightforward" if index % 2 else "ambiguous",
                ),
                tier,
                description=f"umbrella, {PLACES[index % len(PLACES)]}",
                line=10 + index * 9,
            )
            for index in range(size)
        )
        made.append(Suite(suite_id, tool, tier, rows, f"{number:012x}", EvalMetadata(tool)))
    return tuple(made)


def registry() -> ToolRegistry:
    return ToolRegistry(
        {
            name: ToolDefinition(
                name, f"Does {name}.", "1.0.0", file="tools/tools.exports.ts", line=9
            )
            for name in TOOLS
        },
        ("tools/tools.exports.ts",),
    )


def status_of(index: int) -> CaseStatus:
    """A board with something of everything."""
    return {3: F, 7: F, 11: X, 13: S}.get(index % 16, P)


def result(case: Case, status: CaseStatus, *, agent: str = AGENT, at: float = NOW) -> CaseResult:
    tool = case.key.suite.removeprefix("evals/").partition(".")[0]
    reason = {
        P: "",
        F: f'`{tool}.city`: expected "Paris", was "Pariss"',
        X: "agent: connection refused at http://localhost:8080/chat",
        S: "token {{seed:totals.value}} has no value",
    }[status]
    call = ToolCall(
        tool, {"city": "Pariss", "days": 3}, success=True, duration_ms=31.0, result={"ok": 1}
    )
    kind = {P: VerdictStatus.PASSED, F: VerdictStatus.FAILED}.get(status, VerdictStatus.ERROR)
    return CaseResult(
        key=case.key,
        run_id="run-1",
        agent=agent,
        status=status,
        duration_ms=1400.0 if status is F else 312.0,
        assertions_run=int(status in (P, F)),
        error=reason,
        verdicts=(Verdict("toolsCalled", kind, reason or f"`{tool}` was called"),),
        response=AgentResponse("Take one.", (call,), usage=Usage(900, 60, 0.0004)),
        finished_at=at,
    )


def opened(
    made: Sequence[Suite], *, agent: str = AGENT, at: float = NOW, problems: Sequence[Problem] = ()
) -> Iterator[Event]:
    """What a start tells: project, last results, baseline, what is stale."""
    yield ProjectRead(tuple(made), registry(), tuple(problems), at=at)
    cases = [case for suite in made for case in suite.cases]
    results = tuple(
        result(case, status_of(index), agent=agent, at=at) for index, case in enumerate(cases)
    )
    strips = tuple((P, P, P, P, got.status) for got in results)
    yield ResultsLoaded(agent, results, strips, 41)
    yield from pinned(made, agent=agent)
    late = tuple(
        DueCase(case.key, Degree.AFFECTED, ("get_weather.description changed",))
        for case in made[0].cases[-3:]
    )
    yield CasesStale(agent, late, len(cases), ("tools/tools.exports.ts",))


def pinned(made: Sequence[Suite], *, agent: str = AGENT, name: str = "") -> Iterator[Event]:
    """Every case of the suites is pinned; of those that fail now some passed then."""
    baselines = tuple(
        Baseline(
            suite.id,
            "run-0",
            name,
            {
                case.id: BaselineCase(F if index % 16 == 7 else P)
                for index, case in enumerate(suite.cases)
            },
            agent=agent,
        )
        for suite in made
    )
    yield BaselinePinned(agent, name, baselines)


def run(
    cases: Sequence[Case],
    *,
    agent: str = AGENT,
    at: float = NOW,
    done: int | None = None,
    number: int = 42,
    trigger: tuple[str, ...] = ("tools/tools.exports.ts", "evals/get_weather.golden.json"),
) -> Iterator[Event]:
    """A run of `cases`, of which `done` finish; all of them, and the end, when it is `None`."""
    run_id = f"run-{number}"
    keys = tuple(case.key for case in cases)
    why = "get_weather.description changed"
    yield RunStarted(run_id, agent, number, keys, why, trigger, 4, 1, at, 9.0)
    for index, case in enumerate(cases):
        if done is not None and index >= done:
            if index < done + 4:
                yield CaseStarted(run_id, agent, case.key)
            continue
        yield CaseStarted(run_id, agent, case.key)
        yield CaseFinished(
            run_id, replace(result(case, status_of(index), agent=agent, at=at), run_id=run_id)
        )
    if done is None:
        yield RunFinished(run_id, agent, RunEnd.COMPLETED, 7.0, finished_at=at + 7)


def cases_of(made: Sequence[Suite]) -> list[Case]:
    return [case for suite in made for case in suite.cases]
