"""The last runs of one case: verdicts, latency, what went wrong."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from evaltui.core.baseline import BaselineCase
from evaltui.core.measured_number import number
from evaltui.core.result import judged_trials
from evaltui.core.statistics.rates import Stability, pass_rate, stability
from evaltui.core.statistics.trials import Trials
from evaltui.tui.render.clip import fit, width_of
from evaltui.tui.render.glyphs import baseline_mark, result_mark
from evaltui.tui.render.look import Look
from evaltui.tui.render.sparkline import sparkline, trend_line
from evaltui.tui.render.text_builder import Part, TextBuilder
from evaltui.tui.render.words import ago, count, duration

if TYPE_CHECKING:
    from evaltui.disk.history.history_queries import HistoryEntry

BAR = 12
"""Cells of the longest latency bar."""


def write_history(
    builder: TextBuilder,
    past: "Sequence[HistoryEntry]",
    now: float,
    baseline: BaselineCase | None,
    evidence: Sequence[Part] = (),
) -> None:
    """`past` is newest first, `now` seconds since the epoch."""
    if baseline is not None:
        mark = baseline_mark(baseline)
        is_several = baseline.words != mark.word
        said = (baseline.words, "strong") if is_several else builder.mark(mark)
        builder.write("pinned baseline: ", said)
    if evidence:
        builder.write(*evidence, hang=9)
    if not past:
        builder.empty_state("This case has no finished run.", "`r` runs it.")
        return
    oldest_first = past[::-1]
    marks = map(result_mark, oldest_first[-builder.width + 8 :])
    strip: list[Part] = [(builder.look.symbol(mark), mark.variable) for mark in marks]
    builder.write(("verdicts ", "quiet"), *strip, ("  oldest to newest", "quiet"), hang=9)
    answers = _answers(past)
    times = [run.duration_ms for run in answers[::-1]]
    builder.write(("latency  ", "quiet"), (_latency(times, builder.look), "quiet"), hang=9)
    builder.write((f"passed   {_share(answers)}", "quiet"), hang=9)
    write_metric_trends(builder, [run.metrics for run in answers[::-1]])
    builder.blank()
    longest = max(run.duration_ms or 0.0 for run in answers)
    widest = 1 + max(7, *(len(result_mark(run).word) for run in past))
    for index, run in enumerate(past):
        _write_run(builder, run, index, now, longest, widest)


def _latency(times: Sequence[float | None], look: Look) -> str:
    """Oldest first; `None` of those that nobody told."""
    told = [one for one in times if one is not None]
    if not told:
        return "no time told"
    spread = dict.fromkeys((duration(min(told)), duration(max(told))))
    return f"{sparkline(times, look.is_ascii)}  {'-'.join(spread)}"


def _judged(run: "HistoryEntry") -> Trials:
    if run.is_nothing_asserted:
        return Trials()
    return judged_trials(run.status, run.passes, run.trials)


def _share(answers: "Sequence[HistoryEntry]") -> str:
    judged = sum(map(_judged, answers), Trials())
    if not judged.count:
        is_idle = all(run.is_nothing_asserted for run in answers)
        return "nothing was asserted" if is_idle else "no attempt could be judged"
    rate = pass_rate(judged.passes, judged.count)
    return (
        f"{judged.passes} of {count(judged.count, 'attempt')} ({rate.rate:.0%}, "
        f"95% interval {rate.low:.0%} to {rate.high:.0%})"
    )


def _answers(past: "Sequence[HistoryEntry]") -> "Sequence[HistoryEntry]":
    """The last judgement of each answer, newest first: judged again, it is no other attempt."""
    newer = (None, *past)
    return [
        run
        for run, after in zip(past, newer, strict=False)
        if after is None or not after.is_rejudging
    ]


def _write_run(
    builder: TextBuilder,
    run: "HistoryEntry",
    index: int,
    now: float,
    longest: float,
    widest: int,
) -> None:
    """`longest` in ms; `widest` in columns, of the words of all runs."""
    mark = result_mark(run)
    symbols = builder.look.symbols
    cells = round(BAR * (run.duration_ms or 0.0) / longest) if longest > 0 else 0
    bar = (symbols.bar_full * cells).ljust(BAR)
    attempts = _attempts(run) if run.trials > 1 else ""
    if run.is_rejudging:
        attempts = f"{attempts}, judged again"
    when = ago(now - run.finished_at) if run.finished_at else "time unknown"
    builder.write(
        (f"#{run.number:<5}", "quiet"),
        (f"{builder.look.symbol(mark)} {mark.word:<{widest}}", mark.variable),
        (bar, "quiet"),
        (f" {_time(run):>6}  {when}{attempts}", "quiet"),
        hang=6,
    )
    if run.error:
        builder.long(run.error, f"past:{index}", style="quiet", indent=6, glimpse=240)


def _time(run: "HistoryEntry") -> str:
    return "" if run.duration_ms is None else duration(run.duration_ms)


def _attempts(run: "HistoryEntry") -> str:
    judged = _judged(run)
    if run.is_nothing_asserted:
        return f"  {run.trials} attempts"
    if not judged.count:
        return f"  none of {run.trials} attempts could be judged"
    rate = pass_rate(judged.passes, judged.count)
    flaky = ", flaky" if stability(judged.passes, judged.count) is Stability.FLAKY else ""
    return f"  {judged} attempts passed ({rate.low:.0%} to {rate.high:.0%}){flaky}"


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
