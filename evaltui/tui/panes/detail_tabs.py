"""The tabs of the detail pane: a title, and what to write for one case."""

from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import assert_never

from msgspec import Struct

from evaltui.core.errors import Severity
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.expectations import ASSERTIONS
from evaltui.expectations.call_diff import CaseDiff, DiffTarget, diff_calls, diff_expected
from evaltui.store.row import Phase, Row
from evaltui.tui.render.agents import Peer, write_agents
from evaltui.tui.render.calls import write_calls
from evaltui.tui.render.conversation import (
    write_conversation,
    write_live,
    write_question,
    write_stubs,
)
from evaltui.tui.render.diff import FIRST, write_diff
from evaltui.tui.render.explain import write_explanation
from evaltui.tui.render.glyphs import PHASE, REGRESSED, SEVERITY
from evaltui.tui.render.history import write_history
from evaltui.tui.render.raw import write_raw
from evaltui.tui.render.text_builder import TextBuilder
from evaltui.tui.render.verdicts import FIRST as FIRST_GATING
from evaltui.tui.render.verdicts import first_gating, write_verdict, write_verdicts
from evaltui.tui.session_protocol import Past


class Tab(StrEnum):
    DIFF = "Diff"
    AGENTS = "Agents"
    """Only where there are several."""
    CALLS = "Calls"
    CONVERSATION = "Conversation"
    VERDICTS = "Verdicts"
    HISTORY = "History"
    RAW = "Raw"


class Shown(Struct, frozen=True):
    """Everything a tab may look at."""

    row: Row
    target: DiffTarget
    earlier: CaseResult | None
    """The run that `target` names, when it is not the expectation."""
    past: Callable[[], Sequence[Past]]
    """Newest first; asked only by the tab that shows it."""
    now: float
    multiset: bool = True
    peers: Sequence[Peer] = ()
    """Every agent with this case, when the tab compares them."""
    against: str = ""
    """What the agent is called that `target` speaks of."""


def write_tab(builder: TextBuilder, tab: Tab, shown: Shown) -> None:
    row, result = shown.row, shown.row.result
    if result is not None and is_light(result) and tab in _NEEDS_ALL:
        builder.empty_state("Verdicts and answer of this run are being read.", _GONE)
        return
    match tab:
        case Tab.DIFF:
            _write_diff_tab(builder, shown)
        case Tab.AGENTS:
            write_agents(builder, shown.peers, multiset=shown.multiset)
        case Tab.CALLS:
            _write_calls_tab(builder, row, result)
        case Tab.CONVERSATION:
            _write_conversation_tab(builder, row, result)
        case Tab.VERDICTS:
            if result is None:
                _write_empty_state(builder, row)
            else:
                _say_waiting(builder, row)
                write_verdicts(builder, row.case, result)
        case Tab.HISTORY:
            write_history(builder, shown.past(), shown.now, row.baseline)
        case Tab.RAW:
            write_raw(builder, row.case, result)
        case _:
            assert_never(tab)


def is_light(result: CaseResult) -> bool:
    """Whether it came from disk without its verdicts and response."""
    return not result.verdicts and result.response is None and bool(result.assertions_run)


def anchor_of(tab: Tab) -> str:
    """Where reading begins."""
    return {Tab.DIFF: FIRST, Tab.VERDICTS: FIRST_GATING}.get(tab, "")


def diff_of(shown: Shown) -> CaseDiff | None:
    """The comparison, or `None` when there is nothing to compare."""
    result = shown.row.result
    if result is None or result.response is None:
        return None
    calls = result.response.tool_calls
    if shown.target is DiffTarget.EXPECTED:
        return diff_expected(shown.row.case, calls, result.verdicts, multiset=shown.multiset)
    if shown.earlier is None or shown.earlier.response is None:
        return None
    before = shown.earlier.response.tool_calls
    return diff_calls(before, calls, shown.target, shown.against)


def _write_diff_tab(builder: TextBuilder, shown: Shown) -> None:
    row, result = shown.row, shown.row.result
    if result is None:
        _write_empty_state(builder, row)
        return
    _say_waiting(builder, row)
    gating = first_gating(result.verdicts)
    assertion = ASSERTIONS.get(gating.check) if gating is not None else None
    diff = diff_of(shown)
    is_about_calls = assertion is not None and assertion.is_in_diff
    if diff is not None and diff.target is DiffTarget.EXPECTED and diff.is_same:
        is_about_calls = False  # What it asks for cannot even be read, so no row shows it.
    if gating is not None and (not is_about_calls or not gating.evidence):
        index = result.verdicts.index(gating)
        write_verdict(builder, gating, index, anchor=FIRST)
        builder.blank()
    if row.regressed and shown.target is DiffTarget.EXPECTED:
        said = (
            f"{builder.look.symbol(REGRESSED)} passed in the pinned baseline: `d` compares with it"
        )
        builder.write((builder.look.hint(said), REGRESSED.variable), hang=2)
    if diff is not None:
        write_diff(builder, diff)
        has_reasons = result.response is not None and bool(result.response.explanation)
        if has_reasons and any(call.state.is_difference for call in diff.calls):
            builder.write(("the Calls tab says why these tools were chosen", "quiet"))
    elif result.response is None:
        reason = result.error or "the agent's answer is not kept"
        builder.write((f"no calls to compare: {reason}", "quiet"), hang=2)
        if result.status is CaseStatus.ERROR:
            builder.empty_state("`r` runs it again; `E` runs every case that had an error.")
    else:
        if gating is not None and is_about_calls and gating.evidence:
            write_verdict(builder, gating, result.verdicts.index(gating))
            builder.blank()
        _write_no_earlier(builder, shown)
    builder.blank()
    write_stubs(builder, row.case)


def _write_no_earlier(builder: TextBuilder, shown: Shown) -> None:
    then = shown.row.baseline
    if shown.target is DiffTarget.BASELINE and then is None:
        builder.empty_state("No baseline is pinned for this case.", "`b` pins this result as one.")
    elif shown.target is DiffTarget.BASELINE and then is not None:
        builder.empty_state(
            f"The pinned run {then.status.value}; its calls are not on this machine."
        )
        builder.empty_state(
            "`b` pins this result in its place: later runs are then compared with it."
        )
    elif shown.target is DiffTarget.AGENT:
        builder.empty_state(f"There are no calls of `{shown.against}` for this case.")
    else:
        builder.empty_state("No earlier run of this case is kept.", "`r` runs it again.")
    builder.empty_state("`d` compares with something else.")


def _write_calls_tab(builder: TextBuilder, row: Row, result: CaseResult | None) -> None:
    if row.phase is Phase.RUNNING:
        builder.write(_SO_FAR, hang=2)
        write_calls(builder, row.live_calls, None)
        return
    if result is None:
        _write_empty_state(builder, row)
        return
    _say_waiting(builder, row)
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
    elif result is not None and result.response is not None:
        write_conversation(builder, row.case, result.response)
    else:
        write_question(builder, row.case)
        builder.blank()
        if result is not None:
            builder.write((result.error or "the agent's answer is not kept", "quiet"), hang=2)
        else:
            _write_empty_state(builder, row)
    builder.blank()
    write_stubs(builder, row.case)


def _say_waiting(builder: TextBuilder, row: Row) -> None:
    """Another answer is coming: what stands below is the one before."""
    if row.phase is not Phase.IDLE:
        mark = PHASE[row.phase]
        said = f"{builder.look.symbol(mark)} {mark.word} now; below is the last result"
        builder.write((said, mark.variable), hang=2)


def _write_empty_state(builder: TextBuilder, row: Row) -> None:
    if row.phase is Phase.RUNNING:
        builder.empty_state("Running for the first time: the answer appears here.")
        return
    if row.phase is Phase.QUEUED:
        builder.empty_state("Queued: its first result appears here.")
        return
    if row.case.invalid:
        sign = builder.look.symbol(SEVERITY[Severity.ERROR])
        said = f"{sign} This case cannot be judged: {row.case.invalid}"
        builder.write((said, "severity-error"), indent=1, hang=2)
        builder.empty_state("`o` opens it at its line: correct it there and save.")
        return
    builder.empty_state(
        "This case was never run.",
        "`r` runs it; `R` runs everything that is stale; `a` runs all cases.",
    )


_NEEDS_ALL = frozenset({Tab.DIFF, Tab.CALLS, Tab.CONVERSATION, Tab.VERDICTS})
_GONE = "If this stays, its result file is gone: `r` runs the case again."
_SO_FAR = ("running now; below is what is known so far", "case-running")


def tabs_of(is_several: bool) -> tuple[Tab, ...]:
    """Those that make sense for one agent, or for several."""
    return tuple(tab for tab in Tab if is_several or tab is not Tab.AGENTS)
