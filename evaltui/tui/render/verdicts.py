"""One list of verdicts, whatever file the checks came from."""

from collections.abc import Mapping, Sequence

from evaltui.core.case import Case, RubricCase
from evaltui.core.json_value import Json
from evaltui.core.repeats import repeated
from evaltui.core.result import CaseResult
from evaltui.core.statistics import Stability
from evaltui.core.text_diff import is_alike
from evaltui.core.verdict import RUBRIC, Kind, Verdict, VerdictStatus
from evaltui.tui.render.difference import write_difference
from evaltui.tui.render.glyphs import STATUS, VERDICT
from evaltui.tui.render.text_builder import Part, TextBuilder
from evaltui.tui.render.values import inline, paint_json, pretty
from evaltui.tui.render.words import count, duration, money

FIRST = "first-gating"


def write_verdicts(builder: TextBuilder, case: Case, result: CaseResult) -> None:
    """In the order judged; the first that gates is where reading begins."""
    verdicts = result.verdicts
    write_attempts(builder, result)
    if not verdicts:
        reason = result.error or "nothing is asserted in this case"
        builder.write((reason, "quiet"), hang=2)
        return
    numbers = [(status.value, sum(v.status is status for v in verdicts)) for status in _ORDER]
    said = ", ".join(f"{number} {word}" for word, number in numbers if number)
    builder.write((f"{count(len(verdicts), 'verdict')}: {said}", "quiet"))
    first = first_gating(verdicts)
    unjudged = not_judged(case, verdicts)
    if unjudged and first is not None:
        said = f"not judged after the first failure: {', '.join(unjudged)}"
        builder.write((said, "quiet"), hang=2)
    metrics = [verdict.kind is Kind.METRIC for verdict in verdicts]
    for index, verdict in enumerate(verdicts):
        if not metrics[index]:
            write_verdict(builder, verdict, index, anchor=FIRST if verdict is first else "")
    if any(metrics):
        builder.write(("Metrics", "strong"))
    for index, verdict in enumerate(verdicts):
        if metrics[index]:
            write_verdict(builder, verdict, index)


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


def write_verdict(
    builder: TextBuilder, verdict: Verdict, index: int, *, anchor: str = "", within: str = ""
) -> None:
    """Glyph, word, label and reason; evidence below, open where the verdict gates.

    `within`: what its fold is named with, where verdicts stand in several lists.
    """
    mark = VERDICT[verdict.status]
    name = f"{within}verdict:{index}"
    is_open, triangle = builder.opens(name, verdict.gates)
    has_more = bool(verdict.evidence or verdict.category or verdict.skipped_tokens)
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
        parts.append((f"  {verdict.value:g}", "code-number"))
    extras = [] if verdict.kind is Kind.ASSERTION else ["metric, does not gate"]
    if verdict.kind is Kind.ASSERTION and not verdict.hard:
        extras.append("soft")
    if verdict.duration_ms >= 1:
        extras.append(duration(verdict.duration_ms))
    if verdict.cost_usd is not None:
        extras.append(f"judged for {money(verdict.cost_usd)}")
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
    reason = verdict.reason.removeprefix(f"{verdict.check}: ")
    builder.long(reason, f"{name}:reason", style=style, indent=4)
    if is_open and has_more:
        write_evidence(builder, verdict.evidence, name)
        if verdict.skipped_tokens:
            builder.write((f"not checked: {', '.join(verdict.skipped_tokens)}", "quiet"), indent=4)
        if verdict.category:
            builder.write((f"category {verdict.category}", "quiet"), indent=4)


def write_evidence(builder: TextBuilder, evidence: Mapping[str, Json], name: str) -> None:
    """Expected against actual, then whatever else the check recorded."""
    rest = dict(evidence)
    if {"expected", "actual"} <= rest.keys():
        expected, actual = rest.pop("expected"), rest.pop("actual")
        if isinstance(expected, str) and isinstance(actual, str) and is_alike(expected, actual):
            write_difference(builder, inline(expected), inline(actual), name, indent=4)
        else:
            for word, value in (("expected", expected), ("actual", actual)):
                _write_value(builder, word, value, f"{name}:{word}")
    for key, value in rest.items():
        _write_value(builder, key, value, f"{name}:{key}")


def _write_value(builder: TextBuilder, word: str, value: Json, name: str) -> None:
    text = inline(value)
    if len(text) > builder.width and not isinstance(value, str):
        text = pretty(value)
    before: tuple[Part, ...] = ((f"{word:<8} ", "quiet"),)
    builder.long(text, name, before=before, paint=paint_json, indent=4, hang=9)


def not_judged(case: Case, verdicts: Sequence[Verdict]) -> tuple[str, ...]:
    """What has no verdict, since judging stops at the first failure."""
    judged = {verdict.check for verdict in verdicts}
    dimensions = case.body.dimensions if isinstance(case.body, RubricCase) else ()
    wanted = (
        *(case.expect or ()),
        *(use.type for use in case.body.evaluators),
        *(f"{RUBRIC}{one.dimension}" for one in dimensions),
    )
    return tuple(check for check in dict.fromkeys(wanted) if check not in judged)


_ORDER = (
    VerdictStatus.FAILED,
    VerdictStatus.ERROR,
    VerdictStatus.PASSED,
    VerdictStatus.SKIPPED,
)
