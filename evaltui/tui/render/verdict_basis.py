"""What a verdict is based on: evidence, category, what was not checked; shown when unfolded."""

from collections.abc import Mapping

from evaltui.core.json_value import Json
from evaltui.core.measured_number import dollars
from evaltui.core.text_diff import is_alike
from evaltui.core.verdict import Kind, Verdict
from evaltui.tui.render.difference import write_difference
from evaltui.tui.render.text_builder import Part, TextBuilder
from evaltui.tui.render.values import inline, paint_json, pretty
from evaltui.tui.render.words import duration


def has_basis(verdict: Verdict) -> bool:
    """Whether there is anything to unfold."""
    return bool(verdict.evidence or verdict.category or verdict.skipped_tokens)


def asides(verdict: Verdict) -> list[str]:
    """What is said beside the reason: how it counts, what it took and cost."""
    said = ["soft"] if verdict.kind is Kind.ASSERTION and not verdict.hard else []
    if verdict.duration_ms >= 1:
        said.append(duration(verdict.duration_ms))
    if verdict.cost_usd is not None:
        said.append(f"judged for {dollars(verdict.cost_usd)}")
    return said


def write_basis(builder: TextBuilder, verdict: Verdict, name: str) -> None:
    """Expected against actual, then whatever else the check recorded."""
    _write_evidence(builder, verdict.evidence, name)
    if verdict.skipped_tokens:
        builder.write((f"not checked: {', '.join(verdict.skipped_tokens)}", "quiet"), indent=4)
    if verdict.category:
        builder.write((f"category {verdict.category}", "quiet"), indent=4)


def _write_evidence(builder: TextBuilder, evidence: Mapping[str, Json], name: str) -> None:
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
