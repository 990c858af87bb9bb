"""Verdicts in two tables: assertions, which decide, and metrics, which only measure."""

from collections.abc import Sequence

from evaltui.core.measured_number import number
from evaltui.core.verdict import Kind, Verdict, VerdictStatus
from evaltui.expectations import ASSERTIONS
from evaltui.tui.render.clip import fit, width_of
from evaltui.tui.render.glyphs import VERDICT
from evaltui.tui.render.text_builder import COLUMN, Part, TextBuilder
from evaltui.tui.render.verdict_basis import asides, has_basis, write_basis

NONE = "-"
"""What stands for a score or value that nobody gave."""
_ORDER = (
    VerdictStatus.FAILED,
    VerdictStatus.ERROR,
    VerdictStatus.PASSED,
    VerdictStatus.SKIPPED,
)


def write_verdict_tables(
    builder: TextBuilder, verdicts: Sequence[Verdict], *, within: str = "", anchor: str = ""
) -> None:
    """Each in the order judged, hidden where it has no rows; a row unfolds to what it is based on.

    `within`: what folds are named with, where verdicts stand in several lists; `anchor`: that of
    the first that gates.
    """
    numbered = tuple(enumerate(verdicts))
    assertions = tuple(one for one in numbered if one[1].kind is Kind.ASSERTION)
    metrics = tuple(one for one in numbered if one[1].kind is Kind.METRIC)
    if assertions:
        _write_title(builder, "Assertions", counted([one for _, one in assertions]))
        _write_rows(builder, assertions, within, anchor)
    if metrics:
        _write_title(builder, "Metrics", "measured only: none decides the verdict")
        _write_rows(builder, metrics, within, "")


def counted(verdicts: Sequence[Verdict]) -> str:
    """How many of each status, the worst first, and what was only measured; empty for none."""
    others = [one for one in verdicts if not _is_measured(one)]
    numbers = [(status.value, sum(one.status is status for one in others)) for status in _ORDER]
    numbers.append(("measured", len(verdicts) - len(others)))
    return ", ".join(f"{amount} {word}" for word, amount in numbers if amount)


def _is_measured(verdict: Verdict) -> bool:
    """Of a metric what it says of success decides nothing; that it was skipped or broke counts."""
    is_made = verdict.status in (VerdictStatus.PASSED, VerdictStatus.FAILED)
    return verdict.kind is Kind.METRIC and is_made


def _write_title(builder: TextBuilder, title: str, said: str) -> None:
    builder.blank()
    style = builder.look.style("strong", bold=True)
    builder.write((title, style), (f"  {said}", "quiet"), hang=2)


def _write_rows(
    builder: TextBuilder, rows: Sequence[tuple[int, Verdict]], within: str, anchor: str
) -> None:
    columns = _Columns(builder, [verdict for _, verdict in rows])
    if columns.is_wide:
        builder.write((columns.heading(), "quiet"))
    for index, verdict in rows:
        is_first = bool(anchor) and verdict.gates
        _write_row(builder, verdict, f"{within}verdict:{index}", columns, anchor * is_first)
        anchor = "" if is_first else anchor


class _Columns:
    """Widths of name, result and score, alike for all rows of one table."""

    def __init__(self, builder: TextBuilder, verdicts: Sequence[Verdict]) -> None:
        self._look = builder.look
        self.is_metrics = verdicts[0].kind is Kind.METRIC
        is_contract = all(verdict.check in ASSERTIONS for verdict in verdicts)
        self._names = "Metric" if self.is_metrics else "Assertion" if is_contract else "Evaluator"
        values = [_value(verdict) for verdict in verdicts]
        has_values = self.is_metrics or any(verdict.value is not None for verdict in verdicts)
        self._value = max(5, *map(len, values)) if has_values else 0
        self._result = 0 if self.is_metrics else max(map(len, map(self._said, verdicts)))
        widest = max(width_of(_label(verdict)) for verdict in verdicts)
        besides = 4 + sum(width + 2 for width in (self._result, self._value) if width)
        self._name = min(max(widest, len(self._names)), max(12, builder.width // 3))
        self.width = self._name + besides
        self.is_wide = builder.width - self.width >= COLUMN
        if not self.is_wide:  # the reason leaves its room to the name
            self._name = min(widest, max(12, builder.width - besides))

    def heading(self) -> str:
        said = f"  {self._names:<{self._name}}  "
        if self._result:
            said += f"{'Result':<{self._result}}  "
        if self._value:
            said += f"{'Value' if self.is_metrics else 'Score':>{self._value}}  "
        return f"{said}Reason"

    def parts(self, verdict: Verdict, triangle: str) -> tuple[Part, ...]:
        mark = VERDICT[verdict.status]
        name = fit(_label(verdict), self._name, self._look.symbols.cut)
        parts: list[Part] = [(f"{triangle} ", "quiet"), (name, "strong"), "  "]
        if self._result:
            style = self._look.style(mark.variable, bold=verdict.gates)
            parts += [(f"{self._said(verdict):<{self._result}}", style), "  "]
        if self._value:
            style = self._look.style("quiet" if verdict.value is None else "code-number")
            parts += [(f"{_value(verdict):>{self._value}}", style), "  "]
        return tuple(parts)

    def _said(self, verdict: Verdict) -> str:
        mark = VERDICT[verdict.status]
        return f"{self._look.symbol(mark)} {mark.word}"


def _write_row(
    builder: TextBuilder, verdict: Verdict, name: str, columns: _Columns, anchor: str
) -> None:
    is_open, triangle = builder.opens(name, verdict.gates)
    has_more = has_basis(verdict)
    before = columns.parts(verdict, triangle if has_more else " ")
    mark = VERDICT[verdict.status]
    if columns.is_metrics and verdict.status is not VerdictStatus.PASSED:
        before = (*before, (f"{builder.look.symbol(mark)} {mark.word}  ", mark.variable))
    said = asides(verdict)
    after: tuple[Part, ...] = ((f"  {', '.join(said)}", "quiet"),) if said else ()
    style = mark.variable if verdict.gates else "quiet"
    reason = verdict.shown_reason.removeprefix(f"{verdict.check}: ")
    fold, pages = name if has_more else "", int(is_open)
    if columns.is_wide:
        builder.long(
            reason,
            f"{name}:reason",
            before=before,
            after=after,
            style=style,
            hang=columns.width,
            anchor=anchor,
            fold=fold,
            pages=pages,
        )
    else:
        builder.write(
            *before,
            *after,
            hang=4,
            fold=fold,
            pages=pages,
            copy=lambda: verdict.reason,
            anchor=anchor,
        )
        builder.long(reason, f"{name}:reason", style=style, indent=4)
    if is_open:
        write_basis(builder, verdict, name)


def _label(verdict: Verdict) -> str:
    return verdict.label or verdict.check


def _value(verdict: Verdict) -> str:
    return NONE if verdict.value is None else number(verdict.value)
