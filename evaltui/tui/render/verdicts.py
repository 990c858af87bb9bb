"""One list of verdicts, whatever file the checks came from."""

from collections.abc import Sequence

from evaltui.core.case import Case
from evaltui.core.measured_number import number
from evaltui.core.repeats import repeated
from evaltui.core.response import Turn
from evaltui.core.result import CaseResult
from evaltui.core.staleness import CASE_CHANGED, DueCase
from evaltui.core.statistics.rates import Stability
from evaltui.core.verdict import Verdict
from evaltui.traces.trace_stage import by_these_names
from evaltui.tui.render.glyphs import STATUS, VERDICT
from evaltui.tui.render.text_builder import Part, TextBuilder
from evaltui.tui.render.verdict_basis import asides, has_basis, write_basis
from evaltui.tui.render.verdict_table import counted, write_verdict_tables
from evaltui.tui.render.words import count

FIRST = "first-gating"


def write_verdicts(
    builder: TextBuilder, case: Case, result: CaseResult, due: DueCase | None = None
) -> None:
    """In the order judged; the first that gates is where reading begins. `due`: what changed
    since, so that a check without a verdict may be one that did not stand in the case then."""
    verdicts = result.verdicts
    write_attempts(builder, result)
    unjudged = not_judged(case, verdicts)
    is_other = due is not None and CASE_CHANGED in due.reasons
    if unjudged and (is_other or first_gating(verdicts) is not None):
        why = "yet" if is_other else "after the first failure"
        builder.write((f"not judged {why}: {', '.join(unjudged)}", "quiet"), hang=2)
    if not verdicts:
        if reason := result.error or ("" if unjudged else "nothing is asserted in this case"):
            builder.write((reason, "quiet"), hang=2)
        return
    turns = result.response.conversation if result.response is not None else ()
    is_of_last = bool(turns) and turns[-1].verdicts == verdicts
    if is_of_last:
        builder.write((f"turn {len(turns)} of {len(turns)}, which decided", "quiet"))
    write_verdict_tables(builder, verdicts, anchor=FIRST)
    for at, turn in enumerate(turns[:-1] if is_of_last else turns, 1):
        _write_earlier_turn(builder, turn, at, len(turns))


def _write_earlier_turn(builder: TextBuilder, turn: Turn, at: int, of: int) -> None:
    """Folded: the verdicts of a turn that did not decide."""
    name = f"verdicts:turn:{at}"
    is_open, triangle = builder.opens(name)
    if at == 1 or builder.folds.is_open(f"verdicts:turn:{at - 1}"):
        builder.blank()
    builder.write(
        (f"{triangle} turn {at} of {of}", builder.look.style("strong", bold=True)),
        (f"  {counted(turn.verdicts) or 'not judged'}", "quiet"),
        fold=name,
        pages=int(is_open),
    )
    if is_open:
        write_verdict_tables(builder, turn.verdicts, within=f"{name}:")


def write_attempts(builder: TextBuilder, result: CaseResult) -> None:
    """How often a repeated case passed, how sure that is, and how each attempt went."""
    known = repeated(result)
    if known is None:
        return
    rate, k = known.rate, known.rate.trials
    style = "case-flaky" if known.stability is Stability.FLAKY else "quiet"
    builder.write(
        (f"{known.stability}: {rate.passes} of {count(k, 'attempt')} passed", style),
        (
            f"  {rate.rate:.0%}, 95% interval {rate.low:.0%} to {rate.high:.0%}"
            f"  pass@{k} {known.any_of_k:.2f}  pass^{k} {known.all_of_k:.2f}",
            "quiet",
        ),
        hang=2,
    )
    if result.attempts:
        marks: list[Part] = [
            (builder.look.symbol(STATUS[attempt.status]), STATUS[attempt.status].variable)
            for attempt in result.attempts
        ]
        builder.write(("attempts ", "quiet"), *marks, ("  first to last", "quiet"), hang=9)


def first_gating(verdicts: Sequence[Verdict]) -> Verdict | None:
    return next((verdict for verdict in verdicts if verdict.gates), None)


def write_verdict(builder: TextBuilder, verdict: Verdict, index: int, *, anchor: str = "") -> None:
    """One that stands alone: glyph, word, label and reason; what it is based on below."""
    mark = VERDICT[verdict.status]
    name = f"verdict:{index}"
    is_open, triangle = builder.opens(name, verdict.gates)
    has_more = has_basis(verdict)
    label = verdict.label or verdict.check
    parts: list[Part] = [
        (f"{triangle if has_more else ' '} ", "quiet"),
        (
            f"{builder.look.symbol(mark)} {mark.word}",
            builder.look.style(mark.variable, bold=verdict.gates),
        ),
        (f"  {label}", "strong"),
    ]
    if verdict.value is not None:
        parts.append((f"  {number(verdict.value)}", "code-number"))
    extras = asides(verdict)
    parts.append((f"  {', '.join(extras)}" if extras else "", "quiet"))
    builder.write(
        *parts,
        hang=4,
        fold=name if has_more else "",
        pages=int(is_open),
        copy=lambda: verdict.reason,
        anchor=anchor,
    )
    style = mark.variable if verdict.gates else "quiet"
    reason = verdict.shown_reason.removeprefix(f"{verdict.check}: ")
    builder.long(reason, f"{name}:reason", style=style, indent=4)
    if is_open:
        write_basis(builder, verdict, name)


def not_judged(case: Case, verdicts: Sequence[Verdict]) -> tuple[str, ...]:
    """What has no verdict, since judging stops at the first failure, or since it is new."""
    judged = {verdict.check for verdict in by_these_names(case, verdicts)}
    wanted = dict.fromkeys(case.body.named_checks)
    return tuple(check for check in wanted if check not in judged)
