"""The timeline of a trace: who did what, how long it took, and what a judge objects to."""

from typing import Any

import pytest
from msgspec.structs import replace

from evaltui.core.case import Case, CaseKey, ContractCase, TraceCase
from evaltui.core.trace import Event
from evaltui.core.verdict import Verdict, VerdictStatus
from evaltui.expectations.call_diff import DiffTarget
from evaltui.tui.panes.detail_tabs import Tab, tab_for, tabs_of
from evaltui.tui.render.events import MOST, WIDE, glimpse, write_events
from evaltui.tui.render.text_builder import TextBuilder
from tests.tui.panes.stage import HOSTILE
from tests.tui.render.test_detail_renderers import WIDTHS, written

TRACE = (
    Event(0, actor="user", type="message", input="Where is SO-1?"),
    Event(1, actor="agent", type="tool_call", tool="find_order", input={"id": 1}, latency_ms=500),
    Event(2, actor="tool", type="tool_result", tool="find_order", error="gone", latency_ms=1000),
    Event(3, actor="assistant", type="message", output="I cannot tell"),
)


def failed(**evidence: Any) -> Verdict:
    return Verdict("policy", VerdictStatus.FAILED, "policy: wrong", evidence=evidence)


def shown(
    trace: tuple[Event, ...] = TRACE,
    *verdicts: Verdict,
    width: int = 120,
    opened: bool = False,
    is_ascii: bool = False,
) -> list[str]:
    def write(builder: TextBuilder) -> None:
        write_events(builder, TraceCase("", trace=trace), verdicts)

    return written(write, width, opened=opened, is_ascii=is_ascii).plain.splitlines()


def test_each_event_is_a_line_with_actor_type_tool_and_its_share_of_the_longest() -> None:
    lines = shown()
    assert lines[0] == "4 events, 1.5s"
    assert "agent" in lines[2]
    assert 'tool_call   find_order {"id": 1}' in lines[2]
    bars = [line.count("█") for line in lines[1:5]]
    assert bars == [0, 4, 8, 0]
    assert (lines[2].rstrip()[-5:], lines[3].rstrip()[-4:]) == ("500ms", "1.0s")


@pytest.mark.parametrize("width", [WIDE, WIDE + 1, 120])
@pytest.mark.parametrize("latency", [None, 500.0])
def test_an_event_of_which_much_is_said_is_one_line_too(width: int, latency: float | None) -> None:
    trace = tuple(replace(one, output="said " * 99, latency_ms=latency) for one in TRACE)
    lines = shown(trace, width=width)
    assert len(lines) == 1 + len(trace)
    assert max(map(len, lines)) <= width


def test_where_there_is_little_room_what_was_said_stands_below() -> None:
    lines = shown(width=WIDE - 1)
    assert "find_order" not in lines[3]
    assert 'find_order {"id": 1}' in lines[4]


def test_an_error_is_told_and_marked() -> None:
    line = shown()[3]
    assert line.startswith("✗")
    assert "gone" in line


@pytest.mark.parametrize(
    "evidence",
    [{"violations": [{"event_idx": 1}]}, {"forbidden_tools_used": ["find_order"]}],
)
def test_an_event_that_a_failed_judge_names_is_marked(evidence: dict[str, Any]) -> None:
    good = (TRACE[0], TRACE[1], TRACE[3])
    marks = [line[0] for line in shown(good, failed(**evidence))[1:4]]
    assert marks == ["▸", "✗", "▸"]
    assert [line[0] for line in shown(good)[1:4]] == ["▸"] * 3


def test_verdicts_stand_below_the_events() -> None:
    lines = shown(TRACE, failed())
    assert any("policy" in line and "failed" in line for line in lines[6:])


def test_an_unfolded_event_says_all_that_it_has() -> None:
    event = Event(0, "2026-01-01T00:00:00Z", "agent", "message", output={"a": [1]}, span_id="ab")
    text = "\n".join(shown((event,), opened=True))
    for part in ("2026-01-01", "span_id ab", '"a": ['):
        assert part in text


def test_of_many_events_the_first_are_shown_and_how_many_more_there_are() -> None:
    lines = shown(TRACE * MOST)
    assert len(lines) == 1 + MOST + 1
    assert f"{3 * MOST:,} more events" in lines[-1]


def nested(depth: int) -> Any:
    value: Any = "end"
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("is_ascii", [False, True])
def test_hostile_events_stay_within_their_lines(width: int, is_ascii: bool) -> None:
    trace = (
        Event(10**30, actor=HOSTILE, type=HOSTILE, tool=HOSTILE, input=HOSTILE),
        Event(-5, actor="../../etc", type="\n\n", tool="a\nb", output=nested(180), latency_ms=-3),
        Event(0, actor="", type="", error="x" * 100_000, latency_ms=1e300),
        Event(0, actor="tool", type="tool_result", output="\x1b]0;title\x07" * 999, latency_ms=0),
    )
    for line in shown(trace, width=width, is_ascii=is_ascii):
        assert line.isprintable()
        assert not is_ascii or line.isascii()


def test_of_a_huge_value_only_the_beginning_is_looked_at() -> None:
    class Endless(dict[str, Any]):
        read = 0

        def items(self) -> Any:
            for number in range(10**9):
                self.read = number
                yield str(number), "x"

    value = Endless(a=1)
    assert len(glimpse(value)) == 300
    assert value.read < 300
    assert glimpse("y" * 10_000) == "y" * 300


def test_a_trace_opens_on_its_events_and_shows_calls_against_an_earlier_run_only() -> None:
    key = CaseKey("s", "c")
    trace = tabs_of(False, Case(key, TraceCase("")))
    assert tab_for(Tab.DIFF, trace) is Tab.EVENTS
    assert tab_for(Tab.RAW, trace) is Tab.RAW
    assert Tab.DIFF in tabs_of(False, Case(key, TraceCase("")), DiffTarget.BASELINE)
    contract = tabs_of(False, Case(key, ContractCase("")))
    assert tab_for(Tab.EVENTS, contract) is Tab.DIFF


def test_of_many_calls_and_messages_the_first_are_shown_too() -> None:
    from evaltui.core.response import AgentResponse, Message, ToolCall
    from evaltui.tui.render import calls, conversation

    many = AgentResponse(
        "done",
        (ToolCall("a", {}),) * (calls.MOST + 7),
        messages=(Message("user", "hi"),) * (conversation.MOST + 1),
    )
    text = written(lambda builder: calls.write_calls(builder, many.tool_calls, many)).plain
    assert f"{calls.MOST} a" in text
    assert f"{calls.MOST + 1} a" not in text
    assert "7 more calls: Enter shows 7" in text
    case = Case(CaseKey("s", "c"), ContractCase("hi"))
    text = written(lambda builder: conversation.write_conversation(builder, case, many)).plain
    assert "1 more message: Enter shows 1" in text
