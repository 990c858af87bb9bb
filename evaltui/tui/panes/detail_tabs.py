"""The tabs of the detail pane: a title, and what to write for one case."""

from enum import StrEnum
from typing import TYPE_CHECKING, assert_never

from msgspec.structs import replace

from evaltui.core.case import Case, TraceCase
from evaltui.core.result import CaseResult
from evaltui.core.trace_times import took
from evaltui.expectations.call_diff import DiffTarget
from evaltui.store.row import Phase, Row
from evaltui.traces.trace_stage import measured_by_these_names
from evaltui.tui.panes.diff_tab import write_diff_tab
from evaltui.tui.panes.shown_case import ShownCase, write_no_result, write_waiting
from evaltui.tui.render.agents import write_agents
from evaltui.tui.render.calls import write_calls
from evaltui.tui.render.conversation import (
    write_conversation,
    write_live,
    write_question,
    write_stubs,
)
from evaltui.tui.render.diff import FIRST
from evaltui.tui.render.events import write_events
from evaltui.tui.render.evidence import evidence_parts
from evaltui.tui.render.explain import write_explanation
from evaltui.tui.render.history import write_history
from evaltui.tui.render.raw import write_raw
from evaltui.tui.render.text_builder import TextBuilder
from evaltui.tui.render.turns import write_turns
from evaltui.tui.render.verdicts import FIRST as FIRST_GATING
from evaltui.tui.render.verdicts import write_verdicts

if TYPE_CHECKING:
    from evaltui.disk.history.history_queries import HistoryEntry


class Tab(StrEnum):
    EVENTS = "Events"
    """Of a trace, in the place of the difference to calls that nobody expects."""
    DIFF = "Diff"
    AGENTS = "Agents"
    """Only where there are several."""
    CALLS = "Calls"
    CONVERSATION = "Conversation"
    VERDICTS = "Verdicts"
    HISTORY = "History"
    RAW = "Raw"

    @property
    def short_name(self) -> str:
        """For a bar that has too little room for the names of all."""
        return "Chat" if self is Tab.CONVERSATION else self.value


def write_tab(builder: TextBuilder, tab: Tab, shown: ShownCase) -> None:
    row, result = shown.row, shown.row.result
    if result is not None and result.lacks_verdicts and tab in _NEEDS_ALL:
        builder.empty_state("Reading the verdicts and the answer of this run.", _GONE)
        return
    match tab:
        case Tab.EVENTS:
            _write_events_tab(builder, row, result)
        case Tab.DIFF:
            write_diff_tab(builder, shown)
        case Tab.AGENTS:
            write_agents(builder, shown.peers, shown.wholes, multiset=shown.multiset)
        case Tab.CALLS:
            _write_calls_tab(builder, row, result)
        case Tab.CONVERSATION:
            _write_conversation_tab(builder, row, result)
        case Tab.VERDICTS:
            if result is None:
                write_no_result(builder, row)
            else:
                write_waiting(builder, row)
                write_verdicts(builder, row.case, result, row.due)
        case Tab.HISTORY:
            evidence = evidence_parts(row, builder.look, affected=shown.affected)
            past = [_as_known_now(row.case, run) for run in shown.past()]
            write_history(builder, past, shown.now, row.baseline, evidence)
        case Tab.RAW:
            write_raw(builder, row.case, result)
        case _:
            assert_never(tab)


def _as_known_now(case: Case, run: "HistoryEntry") -> "HistoryEntry":
    """With what only the case says: what its metrics are called, whether its trace tells a time."""
    measured = measured_by_these_names(case, run.metrics)
    return replace(run, metrics=measured, duration_ms=took(case, run.duration_ms or 0.0))


def anchor_of(tab: Tab) -> str:
    """Where reading begins."""
    return {Tab.DIFF: FIRST, Tab.VERDICTS: FIRST_GATING}.get(tab, "")


def _write_events_tab(builder: TextBuilder, row: Row, result: CaseResult | None) -> None:
    """What happened is known before anybody judged it."""
    body = row.case.body
    if row.case.invalid or not isinstance(body, TraceCase):
        write_no_result(builder, row)
        return
    write_waiting(builder, row)
    write_events(builder, body, result.verdicts if result is not None else ())
    if result is None:
        builder.blank()
        write_no_result(builder, row)


def _write_calls_tab(builder: TextBuilder, row: Row, result: CaseResult | None) -> None:
    if row.phase is Phase.RUNNING:
        builder.write(_SO_FAR, hang=2)
        write_calls(builder, row.live_calls, None)
        return
    if result is None:
        write_no_result(builder, row)
        return
    write_waiting(builder, row)
    if result.response is None:
        builder.write((result.error or "the agent's answer is not kept", "quiet"), hang=2)
        return
    write_calls(builder, result.response.tool_calls, result.response)
    if result.response.explanation:
        builder.heading("why these tools, in the agent's own figures")
        write_explanation(builder, result.response.explanation)


def _write_conversation_tab(builder: TextBuilder, row: Row, result: CaseResult | None) -> None:
    if row.phase is Phase.RUNNING:
        builder.write(_SO_FAR, hang=2)
        write_live(builder, row.case, row.live_text, row.live_calls)
    elif result is not None and result.response is not None and result.response.conversation:
        write_turns(builder, result.response)
    elif result is not None and result.response is not None:
        write_conversation(builder, row.case, result.response)
    else:
        write_question(builder, row.case)
        builder.blank()
        if result is not None:
            builder.write((result.error or "the agent's answer is not kept", "quiet"), hang=2)
        else:
            write_no_result(builder, row)
    builder.blank()
    if not row.suite.is_unread:
        write_stubs(builder, row.case)


_NEEDS_ALL = frozenset({Tab.DIFF, Tab.CALLS, Tab.CONVERSATION, Tab.VERDICTS})
_GONE = "If this stays, the result file is gone: `r` runs the case again."
_SO_FAR = ("running now; below is what is known so far", "case-running")


def tabs_of(
    is_several: bool, case: Case | None = None, target: DiffTarget = DiffTarget.EXPECTED
) -> tuple[Tab, ...]:
    """Those that make sense for one agent, or for several, and for the case."""
    left_out = set() if is_several else {Tab.AGENTS}
    if case is None or case.asks_agent:
        left_out.add(Tab.EVENTS)
    elif target is DiffTarget.EXPECTED:
        left_out.add(Tab.DIFF)
    return tuple(tab for tab in Tab if tab not in left_out)


def tab_for(tab: Tab, tabs: tuple[Tab, ...]) -> Tab:
    """The tab that was chosen, else the one that stands in its place."""
    return tab if tab in tabs else tabs[0]
