"""A board with everything that is hard to show: wide, long, deep, many, hostile and half done."""

# ruff: noqa: ARG002

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from evaltui.core.baseline import Baseline, BaselineCase
from evaltui.core.case import Case, CaseKey, ContractCase, Tier
from evaltui.core.config import Config
from evaltui.core.errors import Problem, Severity
from evaltui.core.events import (
    BaselinePinned,
    CaseFinished,
    CasesStale,
    CaseStarted,
    Event,
    ProblemFound,
    ProjectRead,
    ResultsLoaded,
    RunEnd,
    RunFinished,
    RunStarted,
    TextStreamed,
    ToolCalled,
)
from evaltui.core.json_value import Json
from evaltui.core.response import AgentResponse, Execution, Message, ToolCall, Usage
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.core.staleness import Degree, DueCase
from evaltui.core.suite import EvalMetadata, Suite
from evaltui.core.tool import ToolDefinition, ToolRegistry, ToolStatus, Unresolved
from evaltui.core.verdict import Kind, Verdict, VerdictStatus
from evaltui.disk.history.history_queries import HistoryEntry
from evaltui.expectations.call_diff import DiffTarget
from tests.tui.fake_session import FakeSession
from tests.tui.scene import AGENT, NOW

P, F, X, S = CaseStatus.PASSED, CaseStatus.FAILED, CaseStatus.ERROR, CaseStatus.SKIPPED
OTHER = "claude-with-a-rather-long-name"
WIDE = "evals/東京/天気を取得するツールの評価ファイル.golden.json"
LONG = "evals/" + "a/very/deep/folder/" * 3 + "search_documents_everywhere.regression.json"
BROAD_TOOL, LONG_TOOL = "天気を取得する", "search_documents_everywhere_in_every_workspace_v2"
FAMILY = "\U0001f469\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466"
HOSTILE = "\x1b[31mred\x1b[0m \u202egnirts\u202c \x07bell \u200bnothing"
NESTED: Json = "bottom"
for depth in range(14):
    NESTED = {f"level_{13 - depth}": NESTED, "beside": [depth, None, True]}
NOTHING = ToolCall(BROAD_TOOL)


@dataclass
class NastySession(FakeSession):
    """Knows a long past of every case, and an earlier result to compare with."""

    config: Config = field(default_factory=lambda: Config(Path("/project")))

    def past(self, key: CaseKey, agent: str, limit: int = 20) -> list[HistoryEntry]:
        if not PAST.get(key.case):
            return []
        return [
            HistoryEntry(
                f"run-{number}",
                number,
                (P, F, X)[number % 3],
                (3.0, 140_000.0, 812.4)[number % 3],
                NOW - 3_600.0 * (41 - number),
                f'`city`: expected "東京", was "{"京" * 90}"' if number % 3 == 1 else "",
                3 if number % 4 == 0 else int(number % 3 == 0),
                5 if number % 4 == 0 else 1,
                {"length \x1b[31m": 1e308, "": -0.0, "\u200fmetric": -1e308},
            )
            for number in range(41, 41 - limit, -1)
        ]

    def earlier(self, key: CaseKey, agent: str, target: DiffTarget) -> CaseResult | None:
        if target is DiffTarget.BASELINE:
            return None
        call = ToolCall(BROAD_TOOL, {"city": "京都", "days": 1, "gone": FAMILY})
        response = AgentResponse("before", (call,))
        return CaseResult(key, "run-1", agent, P, response=response)


PAST = {
    "gs-東京の天気-傘は要りますか-とても長い識別子-001": True,
    "rg-" + "long-" * 24 + "id": True,
}


def failed(check: str, reason: str, **evidence: Json) -> Verdict:
    return Verdict(check, VerdictStatus.FAILED, reason, evidence=evidence)


def many_calls() -> tuple[ToolCall, ...]:
    return tuple(
        ToolCall(
            LONG_TOOL if number % 2 else BROAD_TOOL,
            {
                "query": f"{FAMILY} number {number}",
                "filters": NESTED,
                "text": "長い値" * 250,
                "one_long_word": "x" * 900,
            }
            if number % 5
            else None,
            success=(True, False, None)[number % 3],
            duration_ms=None if number % 4 == 0 else 31.0 * number,
            result=None if number % 3 == 0 else {"rows": [{"名前": "値" * 40}] * 30},
            error="It broke:\n" + HOSTILE if number % 3 == 1 else "",
        )
        for number in range(12)
    )


def written() -> tuple[tuple[Case, CaseResult | None], ...]:
    """Cases with their results; `None` for those that never ran."""
    return (
        _made(
            WIDE, "gs-東京の天気-傘は要りますか-とても長い識別子-001", F,
            f"傘 {FAMILY} と雨、とても長い説明がここに続きます、さらに続きます",
            f"東京の明日の天気は？{FAMILY} " + "とても長い質問です。" * 30,
            expect={"toolsCalled": [BROAD_TOOL, LONG_TOOL], "toolsNotCalled": ["delete_all"],
                    "toolParams": {BROAD_TOOL: {"city": {"equals": "東京"}}}},
            calls=(
                ToolCall(BROAD_TOOL, {"city": "東京都" + "京" * 700, "days": 3, "null": None},
                         success=True, duration_ms=0.2, result="晴れ"),
                ToolCall("delete_all", {"sure": True}, success=False, error=HOSTILE),
            ),
            verdicts=(
                failed("toolsCalled", f"expected {BROAD_TOOL}, {LONG_TOOL}, was {BROAD_TOOL}",
                       expected=[BROAD_TOOL, LONG_TOOL], actual=[BROAD_TOOL, "delete_all"]),
                failed("toolParams", f'`{BROAD_TOOL}.city`: expected "東京"', expected="東京",
                       actual="東京都" + "京" * 700, param="city", tool=BROAD_TOOL),
                Verdict("latency", VerdictStatus.PASSED, "fast", kind=Kind.METRIC, value=0.12345),
                Verdict("soft", VerdictStatus.FAILED, "not nice", hard=False, label="politeness"),
            ),
            error=f"expected {BROAD_TOOL}, {LONG_TOOL}, was {BROAD_TOOL}",
        ),
        _made(
            LONG, "rg-" + "long-" * 24 + "id", F, "a description " * 12,
            "What is it? " * 2_000, tier=Tier.REGRESSION,
            expect={"toolsCalled": [LONG_TOOL] * 3, "responseContains": ["nowhere"]},
            calls=many_calls(),
            verdicts=(failed("responseContains", 'expected "nowhere"', expected="nowhere",
                             actual="long " * 4_000),),
            error='expected the response to contain "nowhere", it says "' + "long " * 90 + '"',
            text="long " * 4_000,
            trials=5, passes=2,
        ),
        _made(WIDE, "gs-error", X, HOSTILE, HOSTILE,
              error="agent: connection refused at http://localhost:8080/" + "p" * 200
              + "\n  second line\t" + HOSTILE),
        _made(WIDE, "gs-muted", F, "is flaky since the move", "?",
              verdicts=(failed("toolsCalled", "expected a, was b"),), error="expected a, was b",
              calls=(NOTHING,)),
        _made(WIDE, "gs-flaky", P, "sometimes", "?", trials=5, passes=3, calls=(NOTHING,)),
        _made(WIDE, "gs-stale", P, "old", "?", calls=(NOTHING,)),
        _made(WIDE, "gs-recorded", P, "from a cassette", "?", source="recorded",
              calls=(NOTHING,), notes=("answers are recorded: " + "note " * 40,)),
        _made(WIDE, "gs-new-pass", P, "", "", calls=()),
        _made(WIDE, "gs-nothing-asserted", P, "empty expect", "?", expect={}, asserted=0),
        _made(LONG, "rg-skipped", S, "no value", "?", error="token {{seed:totals.value}} has no"
              " value", tier=Tier.REGRESSION),
        _made(LONG, "rg-queued", P, "waits", "?", tier=Tier.REGRESSION),
        _made(LONG, "rg-running", F, "speaks", "?", error="was wrong", tier=Tier.REGRESSION),
        (_case(LONG, "rg-never-ran", "?", "new", tier=Tier.REGRESSION), None),
        (_case(LONG, "rg-invalid", "?", "", tier=Tier.REGRESSION,
               invalid="`expect.toolsCalled` must be a list, not 3"), None),
    )  # fmt: skip


def suites() -> tuple[Suite, ...]:
    cases = [case for case, _ in written()]
    return tuple(
        Suite(
            name,
            tool,
            tier,
            tuple(case for case in cases if case.key.suite == name),
            "0" * 12,
            EvalMetadata(tool),
        )
        for name, tool, tier in (
            (WIDE, BROAD_TOOL, Tier.GOLDEN),
            (LONG, LONG_TOOL, Tier.REGRESSION),
            ("evals/empty.labeled.json", "empty", Tier.LABELED),
        )
    )


def registry() -> ToolRegistry:
    file = "tools/" + "deep/" * 12 + "tools.exports.ts"
    gap = Unresolved("description", "process.env.DESCRIPTION ?? makeOne(" + "x" * 90, file, 12)
    tools = (
        ToolDefinition(BROAD_TOOL, "天気" * 60, "1.0.0", file=file, line=3, parameters=_SCHEMA),
        ToolDefinition(LONG_TOOL, None, None, file=file, line=12, unresolved=(gap,)),
        ToolDefinition("delete_all", HOSTILE, "2.0", status=ToolStatus.DEPRECATED),
        ToolDefinition("gone", "Was here.", status=ToolStatus.REMOVED),
    )
    return ToolRegistry({tool.name: tool for tool in tools}, (file,))


def problems() -> tuple[Problem, ...]:
    return (
        Problem(
            WIDE, "expected `,` or `}`", "Add a comma after line 11.", 12, 5, code="json-syntax"
        ),
        Problem(
            "evaltui.toml", "There is no file `x`", "Give a path below the project.", 3,
            key="evals", severity=Severity.ERROR,
        ),
        Problem(
            LONG, "`toolsCaled` is not an assertion; " + "it means nothing " * 12,
            "Did you mean `toolsCalled`?", 40, key="cases[3].expect.toolsCaled",
            severity=Severity.WARNING,
        ),
        Problem(LONG, "the message names its tool", "", 41, severity=Severity.LINT),
    )  # fmt: skip


def opened(agent: str = AGENT) -> Iterator[Event]:
    """The project with the last results, a baseline and what is stale."""
    yield ProjectRead(suites(), registry(), problems(), at=NOW)
    results = [result for _, result in written() if result is not None]
    results = [_of(result, agent) for result in results]
    strips = tuple((P, F, X, S, P, P, F, X, P, got.status) for got in results)
    yield ResultsLoaded(agent, tuple(results), strips, 41)
    status = {"gs-new-pass": F}
    pinned = tuple(
        Baseline(
            suite.id,
            "run-0",
            "",
            {case.id: BaselineCase(status.get(case.id, P)) for case in suite.cases},
            agent=agent,
        )
        for suite in suites()
    )
    yield BaselinePinned(agent, "", pinned)
    why = (f"{LONG_TOOL}.description changed", "seed totals.value changed", "agent changed")
    stale = (
        DueCase(CaseKey(WIDE, "gs-stale"), Degree.AFFECTED, why),
        DueCase(CaseKey(LONG, "rg-" + "long-" * 24 + "id"), Degree.POSSIBLY, why[:1]),
    )
    yield CasesStale(agent, stale, len(written()), (f"tools/{LONG_TOOL}.ts",))
    yield ProblemFound(Problem("", "The disk is full: runs are kept in memory", "Make room."), NOW)


def run_under_way(agent: str = AGENT) -> Iterator[Event]:
    """One case waits, one is answering."""
    keys = (CaseKey(LONG, "rg-running"), CaseKey(LONG, "rg-queued"))
    trigger = (f"tools/{LONG_TOOL}.ts", WIDE, "evaltui.toml")
    yield RunStarted("run-42", agent, 42, keys, "description changed " * 5, trigger, 4, 1, NOW, 90)
    yield CaseStarted("run-42", agent, keys[0])
    yield ToolCalled("run-42", agent, keys[0], ToolCall(LONG_TOOL, {"query": "傘" * 90}))
    yield TextStreamed("run-42", agent, keys[0], "まだ話しています " * 30 + HOSTILE)


def run_ended(agent: str = AGENT) -> Iterator[Event]:
    """The same run, cancelled after its first case."""
    yield from run_under_way(agent)
    result = next(r for _, r in written() if r is not None and r.key.case == "rg-running")
    yield CaseFinished("run-42", _of(result, agent))
    yield RunFinished("run-42", agent, RunEnd.CANCELLED, 1.0, finished_at=NOW + 1)


def session(*, agents: int = 1, under_way: bool = True) -> tuple[NastySession, list[Event]]:
    """A session that runs nothing, and what it has to say."""
    names = (AGENT, OTHER)[:agents]
    events: list[Event] = []
    for name in names:
        events += opened(name)
    events += run_under_way() if under_way else run_ended()
    return NastySession(agents=names), events


def _case(
    suite: str,
    name: str,
    message: str,
    description: str,
    *,
    tier: Tier = Tier.GOLDEN,
    expect: Any = None,
    invalid: str = "",
) -> Case:
    return Case(
        CaseKey(suite, name),
        ContractCase(
            message,
            expect={"toolsCalled": [BROAD_TOOL]} if expect is None else expect,
            stubs={BROAD_TOOL: {"天気": "晴れ", "nested": NESTED}}
            if name.endswith("001")
            else None,
        ),
        tier,
        description=description,
        line=12,
        invalid=invalid,
    )


def _made(
    suite: str,
    name: str,
    status: CaseStatus,
    description: str,
    message: str,
    *,
    tier: Tier = Tier.GOLDEN,
    expect: Any = None,
    calls: tuple[ToolCall, ...] = (),
    verdicts: tuple[Verdict, ...] = (),
    error: str = "",
    text: str = "はい。",
    source: str = "live",
    notes: tuple[str, ...] = (),
    trials: int = 1,
    passes: int = 0,
    asserted: int = 1,
) -> tuple[Case, CaseResult]:
    case = _case(suite, name, message, description, tier=tier, expect=expect)
    passed = Verdict("toolsCalled", VerdictStatus.PASSED, f"`{BROAD_TOOL}` was called")
    says_all = name.startswith("rg-long")
    response = AgentResponse(
        text,
        calls,
        execution=Execution.STUBS if says_all else Execution.ROUTING,
        messages=_messages(message, text, calls) if says_all else (),
        usage=Usage(900, 60, None if says_all else 0.0004),
        source=source,
        notes=notes,
        explanation=_EXPLANATION if name.endswith("001") else {},
    )
    result = CaseResult(
        key=case.key,
        run_id="run-41",
        agent=AGENT,
        status=status,
        description=description,
        duration_ms=1_400.0 if status is F else 0.3,
        error=error,
        assertions_run=0 if status in (X, S) else asserted,
        verdicts=verdicts or ((passed,) if status is P and asserted else ()),
        response=None if status in (X, S) else response,
        finished_at=NOW - 90_000,
        trials=trials,
        passes=passes,
    )
    return case, result


def _messages(message: str, text: str, calls: tuple[ToolCall, ...]) -> tuple[Message, ...]:
    return (
        Message("system", "You are terse. " * 200),
        Message("user", message),
        Message("assistant", "", calls[:4]),
        Message("tool", '{"rows": [' + "1, " * 900 + "2]}", name=LONG_TOOL),
        Message("assistant", "   "),
        Message("assistant", text + HOSTILE),
    )


def _of(result: CaseResult, agent: str) -> CaseResult:
    from msgspec.structs import replace

    return replace(result, agent=agent)


_SCHEMA: dict[str, Json] = {
    "type": "object",
    "properties": {
        "city": {"type": "string", "description": "都市の名前。" * 20},
        "unit": {"enum": ["metric", "imperial", "絶対温度", "a very long alternative to choose"]},
        "a_parameter_with_a_name_that_does_not_end_before_the_pane_does": {"type": "integer"},
    },
    "required": ["city"],
}
_EXPLANATION: dict[str, Json] = {
    "callAt": 0.4,
    "margin": 0.12,
    "called": [BROAD_TOOL],
    "warnings": [f"overlap: {BROAD_TOOL} and {LONG_TOOL} compete for `天気`, `明日` and 12 others"],
    "tools": [
        {
            "name": BROAD_TOOL,
            "p": 0.93,
            "terms": {"cover": 1.2, "bm25": 0.4, "negative": -0.2},
            "matched": {"天気": ["description", "name"], "明日": ["description"]},
            "params": {"city": {"value": "東京", "from": "東京の", "confidence": 0.8}},
        },
        {"name": LONG_TOOL, "p": 0.31, "terms": {"cover": 0.2}, "matched": {}, "against": ["傘"]},
    ],
}
