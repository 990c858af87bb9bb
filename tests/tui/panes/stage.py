"""One pane alone on a screen, over a store that was fed with events."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from textual.app import App, ComposeResult
from textual.binding import BindingType

from evaltui.core.baseline import Baseline, BaselineCase
from evaltui.core.case import Case, CaseKey, ContractCase, Tier
from evaltui.core.config import Config
from evaltui.core.errors import Problem, Severity
from evaltui.core.events import BaselinePinned, CaseFinished, CasesStale, ProblemFound, ProjectRead
from evaltui.core.json_value import Json
from evaltui.core.response import AgentResponse, Execution, Message, ToolCall, Usage
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.core.staleness import Degree, DueCase
from evaltui.core.suite import Suite
from evaltui.core.tool import ToolDefinition, ToolRegistry, ToolStatus, Unresolved
from evaltui.core.verdict import Kind, Verdict, VerdictStatus
from evaltui.disk.history.history_queries import HistoryEntry
from evaltui.expectations.call_diff import DiffTarget
from evaltui.tui.pane import Pane
from evaltui.tui.themes import load_theme_named, look_of
from tests.tui.fake_session import FakeSession

AGENT = "embedded/1"
NOW = 1_795_000_000.0
SUITE = "evals/get_weather.labeled.json"
HOSTILE = "[bold]no[/bold] \x1b[2J \u202eevil 東京 👩‍👩‍👧 ok"


@dataclass
class StagedSession(FakeSession):
    """With a past, and with the calls of earlier runs."""

    agents: tuple[str, ...] = (AGENT,)
    runs: tuple[HistoryEntry, ...] = ()
    before: dict[DiffTarget, CaseResult] = field(default_factory=dict)

    def past(self, key: CaseKey, agent: str, limit: int = 20) -> list[Any]:  # noqa: ARG002
        return list(self.runs[:limit])

    def earlier(self, key: CaseKey, agent: str, target: DiffTarget) -> CaseResult | None:  # noqa: ARG002
        return self.before.get(target)


class Stage(App[None], inherit_bindings=False):
    BINDINGS: ClassVar[list[BindingType]] = []
    CSS = """
    Screen { background: $background; color: $foreground; overflow: hidden; }
    Page { scrollbar-size-vertical: 1; }
    """
    ENABLE_COMMAND_PALETTE = False

    def __init__(
        self, pane: Pane, session: FakeSession, theme: str = "dark", is_ascii: bool = False
    ) -> None:
        super().__init__()
        self.pane, self.session, self.is_ascii = pane, session, is_ascii
        self.heard: list[Any] = []
        chosen = load_theme_named(theme)
        self.register_theme(chosen.theme())
        self.theme = chosen.name

    def compose(self) -> ComposeResult:
        look_of(self, self.is_ascii)
        yield self.pane

    def on_mount(self) -> None:
        self.pane.attach(self.session, AGENT)

    def on_case_opened(self, event: Any) -> None:
        self.heard.append(("case", event.key.case))

    def on_file_wanted(self, event: Any) -> None:
        self.heard.append(("file", event.file, event.line))

    def on_filter_wanted(self, event: Any) -> None:
        self.heard.append(("filter", event.text))


def key(name: str = "ls-get-weather-004") -> CaseKey:
    return CaseKey(SUITE, name)


def make_case(name: str = "ls-get-weather-004", **more: Any) -> Case:
    wanted: dict[str, Json] = {
        "toolsCalled": ["get_weather", "get_forecast"],
        "toolsNotCalled": ["send_email"],
        "toolParams": [
            {
                "tool": "get_weather",
                "paramName": "city",
                "assertion": "equals",
                "value": "Paris",
            },
            {"tool": "get_weather", "paramName": "days", "assertion": "exists"},
        ],
    }
    values: dict[str, Any] = {
        "message": "Should I bring an umbrella to my meeting in Paris tomorrow?",
        "description": "umbrella, tomorrow",
        "expect": wanted,
        "stubs": {"get_weather": {"city": "Paris", "temperature": 18}},
        **more,
    }
    body = {each: values.pop(each) for each in ContractCase.__struct_fields__ if each in values}
    return Case(key(name), ContractCase(**body), Tier.LABELED, **values)


def make_response(**more: Any) -> AgentResponse:
    first = ToolCall(
        "get_weather",
        {
            "city": "Pariss",
            "days": 3,
            "filters": {"date": "2026-11-22", "units": ["metric", "imperial"]},
            "lang": "fr",
        },
        success=True,
        duration_ms=31.0,
        result={"city": "Paris", "temperature": 18, "condition": "partly cloudy"},
    )
    second = ToolCall(
        "search_web", {"query": "umbrella Paris " * 30}, success=False, error="no key"
    )
    values: dict[str, Any] = {
        "text": "It is 18 degrees and partly cloudy in Paris: no umbrella needed.",
        "tool_calls": (first, second),
        "duration_ms": 1400.0,
        "execution": Execution.STUBS,
        "messages": (
            Message("system", "You may call tools. " * 40),
            Message("user", "Should I bring an umbrella to my meeting in Paris tomorrow?"),
            Message("assistant", "", (first, second)),
            Message("tool", '{"temperature": 18}', name="get_weather"),
            Message(
                "assistant", "It is 18 degrees and partly cloudy in Paris: no umbrella needed."
            ),
        ),
        "usage": Usage(900, 60, 0.0004),
        "turns": 2,
        "notes": ("overlap: `get_weather` and `get_forecast` share `rain`, margin 0.06",),
        "explanation": EXPLANATION,
        **more,
    }
    return AgentResponse(**values)


EXPLANATION: dict[str, Json] = {
    "called": ["get_weather"],
    "callAt": 0.4,
    "margin": 0.06,
    "warnings": ["overlap: `get_weather` and `get_forecast` share `rain`, margin 0.06"],
    "tools": [
        {
            "name": "get_weather",
            "p": 0.71,
            "terms": {"cover": 0.9, "name": 0.4, "bm25": 2.1, "fill": 1.2, "negative": 0.0},
            "matched": {"rain": ["description"], "weather": ["name", "description"]},
            "against": [],
            "params": {"city": {"value": "Paris", "from": "Paris", "confidence": 0.9}},
        },
        {
            "name": "get_forecast",
            "p": 0.65,
            "terms": {"cover": 0.7, "name": 0.0, "bm25": 1.9, "fill": 1.2, "negative": -0.3},
            "matched": {"rain": ["description"]},
            "against": ["current"],
            "params": {},
        },
    ],
}


def make_result(name: str = "ls-get-weather-004", **more: Any) -> CaseResult:
    reason = "toolParams: expected get_weather.city to equal 'Paris' but got 'Pariss'"
    values: dict[str, Any] = {
        "key": key(name),
        "run_id": "run-42",
        "agent": AGENT,
        "status": CaseStatus.FAILED,
        "duration_ms": 1400.0,
        "assertions_run": 3,
        "error": reason,
        "finished_at": NOW - 180,
        "response": make_response(),
        "verdicts": (
            Verdict(
                "toolParams",
                VerdictStatus.FAILED,
                reason,
                "toolParams[0]",
                evidence={
                    "expected": "Paris",
                    "actual": "Pariss",
                    "tool": "get_weather",
                    "param": "city",
                },
                category="assertion",
            ),
            Verdict("tone", VerdictStatus.PASSED, "polite enough", kind=Kind.METRIC, value=0.82),
        ),
        **more,
    }
    return CaseResult(**values)


def registry(description: str = "Retrieves current weather conditions for a city.") -> ToolRegistry:
    parameters: Json = {
        "type": "object",
        "properties": {
            "city": {"type": "string", "description": "Name of the city, as people write it"},
            "days": {"type": "integer"},
            "units": {"enum": ["metric", "imperial"], "description": "How to measure"},
        },
        "required": ["city"],
    }
    tools = (
        ToolDefinition(
            "get_weather",
            description,
            "1.2.0",
            parameters=parameters if isinstance(parameters, dict) else None,
            file="tools/tools.exports.ts",
            line=12,
        ),
        ToolDefinition("get_forecast", "Forecast for some days.", "1.0.0"),
        ToolDefinition(
            "send_email",
            None,
            status=ToolStatus.DEPRECATED,
            unresolved=(Unresolved("description", "makeDescription()", "tools/mail.ts", 7),),
        ),
    )
    return ToolRegistry({tool.name: tool for tool in tools}, ("tools/tools.exports.ts",))


def staged(root: Path = Path("/project")) -> StagedSession:
    """A failed and regressed case, a passed one, one never run; problems of every kind."""
    session = StagedSession(config=Config(root))
    names = ("ls-get-weather-004", "ls-get-weather-005", "ls-get-weather-006")
    cases = tuple(make_case(name) for name in names)
    suite = Suite(SUITE, "get_weather", Tier.LABELED, cases, "abc")
    mistake = Problem(
        "evals/broken.golden.json",
        "Unknown assertion `equal`",
        "Did you mean `equals`?",
        3,
        17,
        "cases[0].expect.toolParams[0].assertion",
        Severity.ERROR,
        "unknown-assertion",
    )
    session.emit(
        ProjectRead((suite,), registry(), (mistake,), at=NOW),
        BaselinePinned(
            AGENT,
            "",
            (
                Baseline(
                    SUITE,
                    "run-1",
                    "",
                    {names[0]: BaselineCase(CaseStatus.PASSED)},
                    agent=AGENT,
                ),
            ),
        ),
        CaseFinished("run-42", make_result()),
        CaseFinished(
            "run-42",
            make_result(
                names[1],
                status=CaseStatus.PASSED,
                error="",
                verdicts=(Verdict("toolsCalled", VerdictStatus.PASSED, "toolsCalled: as asked"),),
            ),
        ),
        CasesStale(
            AGENT,
            (DueCase(key(), Degree.AFFECTED, ("get_weather.description changed",)),),
            3,
        ),
        ProblemFound(
            Problem(
                "", "`JUnitSink` stopped: OSError: disk full", "Free some.", code="sink-dropped"
            )
        ),
    )
    session.runs = tuple(
        HistoryEntry(
            f"run-{number}",
            number,
            CaseStatus.FAILED if number == 42 else CaseStatus.PASSED,
            1400.0 - 40 * (42 - number),
            NOW - 180 - 3600 * (42 - number),
            "toolParams: city differs" if number == 42 else "",
            passes=0,
            trials=1,
        )
        for number in range(42, 34, -1)
    )
    then = ToolCall("get_weather", {"city": "Paris", "days": 3}, success=True)
    session.before[DiffTarget.BASELINE] = make_result(response=make_response(tool_calls=(then,)))
    return session
