"""One case with every agent: verdicts, calls, parameters and answers next to each other."""

from collections.abc import Sequence

from msgspec import Struct

from evaltui.core.measured_number import dollars
from evaltui.core.paired_runs import PairedRuns
from evaltui.core.response import Usage
from evaltui.core.result import CaseResult
from evaltui.core.verdict import Verdict
from evaltui.expectations.call_diff import CallState, CaseDiff, is_difference
from evaltui.expectations.expected_diff import diff_expected
from evaltui.store.row import Phase, Row
from evaltui.tui.render.agent_params import Sent, write_params
from evaltui.tui.render.clip import fit_middle, width_of
from evaltui.tui.render.glyphs import ERROR, FAILED, PHASE, STATUS, UNKNOWN, VERDICT
from evaltui.tui.render.marks import CALL, MATCHED_WITH_DIFFERENCES
from evaltui.tui.render.row_marks import side_mark, status_mark
from evaltui.tui.render.text_builder import Part, TextBuilder, cells
from evaltui.tui.render.verdicts import first_gating
from evaltui.tui.render.words import duration_of

WIDEST_NAME = 18
GLIMPSE = 160
"""Characters of an answer that are shown at once."""


class Peer(Struct, frozen=True):
    """One agent and what it made of the case."""

    agent: str
    name: str
    """What it is called on the screen."""
    row: Row | None
    is_shown: bool

    @property
    def result(self) -> CaseResult | None:
        return self.row.result if self.row is not None else None


def write_agents(
    builder: TextBuilder,
    peers: Sequence[Peer],
    wholes: Sequence[tuple[str, PairedRuns]] = (),
    *,
    multiset: bool = True,
) -> None:
    """A line for each agent with its calls below it, then only what differs between them, and how
    the others do over all cases."""
    width = min(WIDEST_NAME, max(width_of(peer.name) for peer in peers))
    diffs = [_diff(peer, multiset=multiset) for peer in peers]
    for peer, diff in zip(peers, diffs, strict=True):
        _write_agent(builder, peer, diff, width)
    sent = [
        Sent(_lead(builder, peer, width), diff) for peer, diff in zip(peers, diffs, strict=True)
    ]
    write_params(builder, [one for one in sent if one.diff is not None])
    _write_verdicts(builder, peers)
    _write_answers(builder, peers, width)
    _write_wholes(builder, wholes)
    builder.blank()
    builder.empty_state("Enter on an agent shows its board; `d` compares call by call.")


def _write_wholes(builder: TextBuilder, wholes: Sequence[tuple[str, PairedRuns]]) -> None:
    if wholes:
        builder.heading("all cases, against the agent that is shown")
    for name, whole in wholes:
        builder.write((name, "strong"), f"  {whole.difference}", hang=2)
        for note in whole.notes:
            builder.write((note, "quiet"), indent=2)


def _diff(peer: Peer, *, multiset: bool) -> CaseDiff | None:
    row, result = peer.row, peer.result
    if row is None or result is None or result.response is None:
        return None
    calls = result.response.tool_calls
    return diff_expected(row.case, calls, result.verdicts, multiset=multiset)


def _lead(builder: TextBuilder, peer: Peer, width: int) -> Part:
    """Its name, padded, with the mark of the agent that is shown."""
    look = builder.look
    mark = look.symbols.crumb if peer.is_shown else " "
    name = fit_middle(peer.name, width, look.symbols.cut)
    style = look.style("strong" if peer.is_shown else "foreground", bold=peer.is_shown)
    return f"{mark}{name}", style


def _write_agent(builder: TextBuilder, peer: Peer, diff: CaseDiff | None, width: int) -> None:
    row, result = peer.row, peer.result
    status = status_mark(row) if row is not None else UNKNOWN
    style = builder.look.style(status.variable, bold=status in (FAILED, ERROR))
    parts: list[Part] = [
        _lead(builder, peer, width),
        (f"  {builder.look.symbol(status)} {status.word:<7}", style),
    ]
    extra = side_mark(row) if row is not None else None
    if row is not None and row.phase is not Phase.IDLE:
        extra = PHASE[row.phase]
    if row is not None and result is not None:
        usage = result.response.usage if result.response else None
        parts.append((f" {duration_of(row.case, result.duration_ms):>6}", "foreground"))
        if usage is not None and usage.cost_usd is not None:
            parts.append((f"  {dollars(usage.cost_usd)}", "foreground"))
        if usage is not None and usage.total_tokens:
            parts.append((f"  {_counted(usage)} tokens", "quiet"))
        if (judged := result.trials_judged).count > 1:
            parts.append((f"  {judged} attempts", "quiet"))
    marked: list[Part] = [builder.mark(extra)] if extra is not None else []
    is_beside = cells([*parts, "  ", *marked]) <= builder.width
    builder.write(
        *parts,
        *(["  ", *marked] if marked and is_beside else []),
        hang=4,
        anchor=f"agent:{peer.agent}",
    )
    if marked and not is_beside:  # not broken between its glyph and its word
        builder.write(*marked, indent=width + 3)
    if diff is not None:
        response = result.response if result is not None else None
        is_silent = response is not None and response.is_silent_on_calls
        calls = _calls(builder, diff, is_silent=is_silent)
        builder.write(*calls, indent=width + 3, hang=2)
    if result is not None:
        gating = first_gating(result.verdicts)
        reason = " ".join((gating.named if gating else result.error).split())
        if reason and not peer.is_shown:  # the head says that of the one that is shown
            name = f"agents:{peer.agent}:reason"
            mark = STATUS[result.status]
            said = f"{builder.look.symbol(mark)} {reason}"
            builder.long(said, name, style=mark.variable, indent=width + 3, hang=2, glimpse=GLIMPSE)
        elif diff is None and not reason:
            said = "its answer is being read" if result.assertions_run else "its answer is not kept"
            builder.write((said, "quiet"), indent=width + 3)


def _calls(builder: TextBuilder, diff: CaseDiff, *, is_silent: bool) -> list[Part]:
    """`✓ get_weather  − get_forecast`: each call against what is expected."""
    parts: list[Part] = []
    for call in diff.calls:
        mark = CALL[call.state]
        if call.state is CallState.MATCHED and any(map(is_difference, call.params)):
            mark = MATCHED_WITH_DIFFERENCES
        gap = "  " if parts else ""
        word = "" if call.state is CallState.MATCHED else f" {mark.word}"
        parts.append((f"{gap}{builder.look.symbol(mark)} {call.name}{word}", mark.variable))
    return parts or [("calls not reported" if is_silent else "no tool was called", "quiet")]


def _write_verdicts(builder: TextBuilder, peers: Sequence[Peer]) -> None:
    """Checks on which the agents' verdicts differ; the others are counted."""
    by_check: dict[str, dict[str, Verdict]] = {}
    for peer in peers:
        for verdict in peer.result.verdicts if peer.result else ():
            by_check.setdefault(verdict.label or verdict.check, {})[peer.name] = verdict
    if not by_check:
        return
    judged = [peer for peer in peers if peer.result is not None and peer.result.verdicts]
    differing = {
        label: found
        for label, found in by_check.items()
        if len(found) < len(judged)
        or len({(verdict.status, verdict.value) for verdict in found.values()}) > 1
    }
    builder.heading("verdicts")
    for label, found in differing.items():
        said = [_verdict(builder, peer, found.get(peer.name)) for peer in judged]
        line = [part for one in said for part in ("  ", *one)]
        if width_of(label) + cells(line) <= builder.width:
            builder.write((label, "strong"), *line)
            continue
        builder.write((label, "strong"), hang=2)
        for one in said:
            builder.write(*one, indent=2, hang=2)
    alike = len(by_check) - len(differing)
    if alike:
        builder.write((f"{alike} alike with all", "quiet"))


def _counted(usage: Usage) -> str:
    """In and out, or the total where it alone is known."""
    if usage.input_tokens is None or usage.output_tokens is None:
        return f"{usage.total_tokens:,}"
    return f"{usage.input_tokens:,}+{usage.output_tokens:,}"


def _verdict(builder: TextBuilder, peer: Peer, verdict: Verdict | None) -> list[Part]:
    name = (f"{peer.name} ", "quiet")
    if verdict is None:
        return [name, ("not judged", "quiet")]
    mark = VERDICT[verdict.status]
    value = "" if verdict.value is None else f" {verdict.value:g}"
    return [name, (f"{builder.look.symbol(mark)} {mark.word}{value}", mark.variable)]


def _write_answers(builder: TextBuilder, peers: Sequence[Peer], width: int) -> None:
    answers = [
        (peer, peer.result.response.text)
        for peer in peers
        if peer.result is not None and peer.result.response is not None
    ]
    if not any(text for _, text in answers):
        return
    builder.heading("answers")
    for peer, text in answers:
        name = f"agents:{peer.agent}:answer"
        lead = (_lead(builder, peer, width), "  ")
        builder.long(text or "(no words)", name, before=lead, hang=width + 3, glimpse=GLIMPSE)
