"""A case's metrics over its past runs: a small line and figures for each."""

from collections.abc import Mapping, Sequence

from evaltui.core.measured_number import number
from evaltui.tui.render.clip import fit, width_of
from evaltui.tui.render.sparkline import trend_line
from evaltui.tui.render.text_builder import Part, TextBuilder
from evaltui.tui.render.words import count

Measured = Mapping[str, float] | None
"""By metric; `None` where nobody knows whether anything was measured."""


def write_metric_trends(builder: TextBuilder, past: Sequence[Measured]) -> None:
    """`past` is oldest first; nothing is written where nothing was measured.

    The line goes from the least to the greatest value. A run without a value is a gap, and is told.
    """
    names = list(dict.fromkeys(name for one in past[::-1] if one for name in one))
    if not names:
        return
    builder.heading("metrics")
    column = min(max(map(width_of, names)), max(12, builder.width // 3))
    for name in names:
        values = [one.get(name) if one is not None else None for one in past]
        known = [value for value in values if value is not None]
        line = trend_line(values, builder.look.is_ascii)
        title = fit(name, column, builder.look.symbols.cut)
        parts: list[Part] = [(f"{title}  ", "strong"), (line, "code-number"), f"  {_said(known)}"]
        if gaps := _gaps(name, past):
            parts.append((f"  {gaps}", "quiet"))
        builder.write(*parts, hang=2)


def _said(known: Sequence[float]) -> str:
    if len(known) == 1:
        return f"{number(known[0])}, measured once"
    first, last, low, high = map(number, (known[0], known[-1], min(known), max(known)))
    return f"first {first}  last {last}  min {low}  max {high}"


def _gaps(name: str, past: Sequence[Measured]) -> str:
    unknown = sum(one is None for one in past)
    missing = sum(one is not None and name not in one for one in past)
    said = []
    if missing:
        is_last = past[-1] is not None and name not in past[-1]
        said.append(f"not measured in {missing} of {count(len(past), 'run')}")
        said[-1] += ", nor in the last" if is_last and missing > 1 else ", the last" * is_last
    if unknown:
        said.append(f"not kept of {count(unknown, 'earlier run')}")
    return "; ".join(said)
