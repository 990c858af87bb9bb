"""Two runs side by side: figures, judges, kinds of failure, cases, and what happened in each."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from evaltui.core.trace import Event
from evaltui.evidence.compared.lost_checks import may_assert_less
from evaltui.evidence.compared.measured_words import measured_rows
from evaltui.evidence.judge_code import code_warnings
from evaltui.traces.alignment import Step, align
from evaltui.tui.render.clip import clip, fit
from evaltui.tui.render.events import glimpse, said_of
from evaltui.tui.render.glyphs import FAILED, IMPROVED, PASSED, REGRESSED, Mark
from evaltui.tui.render.text_builder import Part, TextBuilder
from evaltui.tui.render.words import count

Trajectories: TypeAlias = Callable[[str], tuple[Sequence[Event], Sequence[Event]] | None]
"""Of a case of both runs; `None` where one of them does not have it any more."""
SIDE_BY_SIDE = 90
"""Cells from which two trajectories stand beside each other."""
MOST_CASES = 500
_RATES = {"pass_rate": "cases that passed", "hard_fail_rate": "cases that failed hard"}


def write_comparison(
    builder: TextBuilder, report: Mapping[str, Any], trajectories: Trajectories
) -> None:
    """`report` is what `compare` makes; a case unfolds to its two trajectories."""
    arrow = builder.look.symbols.arrow
    strong = builder.look.style("strong", bold=True)
    runs = f"{report['baseline_run_id']} {arrow} {report['candidate_run_id']}"
    builder.write((runs, strong), (f"  {report['dataset_id']}", "quiet"), hang=2)
    _write_compatibility(builder, report["compatibility"])
    _write_lost_checks(builder, report["lost_checks"])
    if unknown := may_assert_less(
        report["unknown_checks"], are_cases_known=report["cases_compared"]
    ):
        builder.write((f"{builder.look.symbol(FAILED)} {unknown}", "severity-error"), hang=2)
    for warning in code_warnings(report["changed_code"]):
        builder.write((warning, "severity-warning"), hang=2)
    _write_overview(builder, report)
    if report["judges_compared"]:
        _write_judges(builder, report["top_regressed_judges"])
        _write_clusters(builder, report["failure_clusters"]["delta_ranked"])
    else:
        builder.heading("Judges and kinds of failure")
        builder.write(("one of the two says only which cases passed", "quiet"), hang=2)
    _write_cases(builder, report["case_regressions"], trajectories)


def _write_compatibility(builder: TextBuilder, checked: Mapping[str, Any]) -> None:
    failed = [str(one["name"]).replace("_", " ") for one in checked["checks"] if not one["passed"]]
    if failed:
        sign = builder.look.symbol(FAILED)
        said = f"{sign} not the same in both, so that no gate lets it pass: {', '.join(failed)}"
        builder.write((said, "severity-error"), hang=2)


def _write_lost_checks(builder: TextBuilder, lost: Sequence[Mapping[str, Any]]) -> None:
    """Cases that assert less than in the baseline: whether they pass says less too."""
    for one in lost[:MOST_CASES]:
        said = f"{one['case_id']} asserts less, or other things: {', '.join(one['judges'])}"
        builder.write((f"{builder.look.symbol(FAILED)} {said}", "severity-error"), hang=2)


def _write_overview(builder: TextBuilder, report: Mapping[str, Any]) -> None:
    builder.heading("Overview")
    arrow = builder.look.symbols.arrow
    for name, words in _RATES.items():
        metric = report["metrics"][name]
        is_worse = _is_worse(metric["delta"], is_bad=name == "hard_fail_rate")
        style = "case-failed" if is_worse else "foreground"
        moved = f"{_percent(metric['baseline'])} {arrow} {_percent(metric['candidate'])}"
        change = _change(metric["delta"])
        builder.write((f"{words:<24}", "quiet"), (moved, style), (f"  {change}", "quiet"), hang=2)
    for row in measured_rows(report):
        style = "case-failed" if row.is_worse else "foreground"
        moved = f"{row.before} {arrow} {row.after}"
        parts = (f"{row.name:<24}", "quiet"), (moved, style), (f"  {row.change}", "quiet")
        builder.write(*parts, hang=2)
    for said in (report["paired"] or {}).get("text", ()):
        builder.write(said, hang=2)
    overview = report["overview"]
    total = f"{overview['total_baseline_cases']} {arrow} {overview['total_candidate_cases']}"
    for words, value in (
        ("cases", total),
        ("worse", overview["regressed_cases"]),
        ("better", overview["improved_cases"]),
        ("newly failing hard", overview["new_hard_fail_cases"]),
        ("risk", overview["risk_level"]),
    ):
        builder.write((f"{words:<24}", "quiet"), str(value), hang=2)


def _write_judges(builder: TextBuilder, judges: Sequence[Mapping[str, Any]]) -> None:
    builder.heading("Judges that got worse")
    if not judges:
        builder.write(("none", "quiet"))
    arrow = builder.look.symbols.arrow
    for one in judges:
        moved = f"{_percent(one['baseline'])} {arrow} {_percent(one['candidate'])}"
        change = f"  {_change(one['delta'])}"
        name = fit(str(one["judge_id"]), 24, builder.look.symbols.cut)
        builder.write((name, "strong"), (moved, "case-failed"), (change, "quiet"), hang=2)


def _write_clusters(builder: TextBuilder, clusters: Sequence[Mapping[str, Any]]) -> None:
    builder.heading("Kinds of failure")
    moved = [one for one in clusters if one["delta"]]
    if not moved:
        builder.write(("none became more or less frequent", "quiet"))
    for one in moved:
        style = "case-failed" if one["delta"] > 0 else "case-passed"
        numbers = f"{one['delta']:+d}"
        said = f"  {one['baseline_count']} {builder.look.symbols.arrow} {one['candidate_count']}  "
        builder.write((f"{numbers:>4}", style), (said, "quiet"), str(one["cluster"]), hang=6)


def _write_cases(
    builder: TextBuilder, cases: Sequence[Mapping[str, Any]], trajectories: Trajectories
) -> None:
    builder.heading(f"Cases that changed  {len(cases):,}")
    if not cases:
        builder.write(("none: every case passes or fails as before", "quiet"), hang=2)
    ordered = sorted(cases, key=lambda one: not one["regressed"])
    for one in ordered[:MOST_CASES]:
        id_ = str(one["case_id"])
        name = f"case:{id_}"
        is_open, triangle = builder.opens(name)
        mark = REGRESSED if one["regressed"] else IMPROVED if one["improved"] else PASSED
        moved = f"  {_verdict(one, 'baseline')} {builder.look.symbols.arrow} "
        moved += _verdict(one, "candidate")
        parts: tuple[Part, ...] = (
            (f"{triangle} ", "quiet"),
            _sign(builder, mark),
            (f" {id_}", "strong"),
            (moved, mark.variable),
        )
        builder.write(*parts, hang=4, fold=name, pages=int(is_open), anchor=name)
        if is_open:
            both = trajectories(id_)
            if both is None:
                builder.write(("its events are not kept in both runs", "quiet"), indent=4)
            else:
                write_steps(builder, align(*both))
    if len(ordered) > MOST_CASES:
        builder.write((f"and {count(len(ordered) - MOST_CASES, 'more case')}", "quiet"))


def write_steps(builder: TextBuilder, steps: Sequence[Step]) -> None:
    """What is the same stands quietly; a step of one side alone, or another one, stands out."""
    number = len(str(len(steps)))
    for at, step in enumerate(steps):
        before, after = step.before, step.after
        if builder.width >= SIDE_BY_SIDE:
            _write_beside(builder, step, at, number)
            continue
        if step.is_same and after is not None:
            _write_one(builder, f"  {at:>{number}}", after, "quiet")
            continue
        if before is not None:
            _write_one(builder, f"- {at:>{number}}", before, "diff-removed")
        if after is not None:
            _write_one(builder, f"+ {at:>{number}}", after, "diff-added")


def _write_beside(builder: TextBuilder, step: Step, at: int, number: int) -> None:
    cut = builder.look.symbols.cut
    column = (builder.width - 4 - number - 3) // 2
    left = fit(event_line(step.before), column, cut)
    right = clip(event_line(step.after), column, cut)
    same = step.is_same
    sign = " " if same else "-" if step.after is None else "+" if step.before is None else "~"
    builder.write(
        (f"  {sign} {at:>{number}} ", "quiet"),
        (left, "quiet" if same else "diff-removed"),
        " ",
        (right, "quiet" if same else "diff-added"),
    )


def _write_one(builder: TextBuilder, before: str, event: Event, style: str) -> None:
    room = builder.width - len(before) - 3
    text = clip(event_line(event), room, builder.look.symbols.cut)
    builder.write((f"  {before} ", "quiet"), (text, style))


def event_line(event: Event | None) -> str:
    """`agent find_order {"id": 1}`, on one line; empty without one."""
    if event is None:
        return ""
    what = event.tool or ("" if event.type == "message" else event.type)
    kind = {"tool_call": "calls ", "tool_result": "returns "}.get(event.type, "")
    who = event.actor if event.type != "tool_result" else ""
    return glimpse(" ".join(f"{who} {kind}{what} {glimpse(said_of(event))}".split()))


def _sign(builder: TextBuilder, mark: Mark) -> Part:
    return builder.look.symbol(mark), mark.variable


def _verdict(case: Mapping[str, Any], side: str) -> str:
    passed = case[f"{side}_passed"]
    if passed is None:
        return "not there"
    if passed:
        return "passed"
    return "failed hard" if case[f"{side}_hard_failed"] else "failed"


def _percent(value: object) -> str:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return f"{value:.1%}" if is_number else "not told"


def _change(delta: object) -> str:
    if not isinstance(delta, int | float):
        return ""
    return f"{delta * 100:+.1f} points" if delta else "as before"


def _is_worse(delta: object, *, is_bad: bool) -> bool:
    return isinstance(delta, int | float) and (delta > 0 if is_bad else delta < 0)
