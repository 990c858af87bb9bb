"""Contradictions within a `compare` report, which show that it was edited by hand."""

from collections import Counter
from collections.abc import Iterator

from msgspec.structs import asdict

from evaltui.core.reported_number import NOISE
from evaltui.evidence.compared.compare_report import CaseChange, CompareReport, Metric
from evaltui.evidence.compared.comparing import moved, regressions_of

_MOST_NAMED = 5


def contradictions(report: CompareReport) -> Iterator[str]:
    """As sentences; of what a report does not tell nothing is said."""
    yield from _compatibility(report)
    for name, metric in (*report.judge_metrics.items(), *report.metrics.items()):
        yield from _delta(name, metric)
    yield from _aggregate(report)
    if (rows := report.case_regressions) is not None:
        yield from _twice([one.case_id for one in rows])
        for row in rows:
            yield from _row(row)
        yield from _counts(report, rows)
        yield from _hard_ids(report, rows)
        yield from _rates(report, rows)
        yield from _sentences(report, rows)


def _compatibility(report: CompareReport) -> Iterator[str]:
    reported = report.compatibility
    wrong = [one.name for one in reported.checks if not one.passed] if reported is not None else []
    if reported is not None and reported.passed and wrong:
        yield f"the runs are said to be alike, though these checks failed: {_named(wrong)}"


def _delta(name: str, metric: Metric) -> Iterator[str]:
    was, is_, delta = metric.baseline, metric.candidate, metric.delta
    if was is None or is_ is None or delta is None:
        return
    if not _is_same(is_ - was, delta):
        yield f"`{name}` went from {was:g} to {is_:g}, and its `delta` is {delta:g}"


def _aggregate(report: CompareReport) -> Iterator[str]:
    reported, metrics = report.aggregate_result, report.metrics
    rate, hard = (metrics.get(name, Metric()) for name in ("pass_rate", "hard_fail_rate"))
    for name, one, other in (
        ("pass_rate", reported.pass_rate, rate.candidate),
        ("hard_fail_rate", reported.hard_fail_rate, hard.candidate),
        ("regression_delta", reported.regression_delta, rate.delta),
    ):
        if one is not None and other is not None and not _is_same(one, other):
            yield f"`aggregate_result.{name}` is {one:g}, and `metrics` tell {other:g}"


def _twice(ids: list[str]) -> Iterator[str]:
    if several := [id_ for id_, count in Counter(ids).items() if count > 1 and id_]:
        yield f"`case_regressions` tells twice of {_named(several)}"


def _row(row: CaseChange) -> Iterator[str]:
    passed = row.baseline_passed, row.candidate_passed
    hard = row.baseline_hard_failed, row.candidate_hard_failed
    if None in (*passed, *hard):
        return
    worse, better = moved(passed, hard)
    is_reported = row.improved is not None
    if row.regressed != worse or (is_reported and row.improved != better):
        yield f"`{row.case_id}` is not as much worse or better as its verdicts say"


def _counts(report: CompareReport, rows: tuple[CaseChange, ...]) -> Iterator[str]:
    new, resolved = report.new_hard_fail_case_ids, report.resolved_hard_fail_case_ids
    reported = report.overview
    for name, count, found in (
        ("regressed_cases", reported.regressed_cases, sum(one.regressed for one in rows)),
        ("improved_cases", reported.improved_cases, sum(one.improved or False for one in rows)),
        ("new_hard_fail_cases", reported.new_hard_fail_cases, None if new is None else len(new)),
        (
            "resolved_hard_fail_cases",
            reported.resolved_hard_fail_cases,
            None if resolved is None else len(resolved),
        ),
    ):
        if None not in (count, found) and count != found:
            yield f"`overview.{name}` is {count}, and the report lists {found}"


def _hard_ids(report: CompareReport, rows: tuple[CaseChange, ...]) -> Iterator[str]:
    for key, ids, change in (
        ("new_hard_fail_case_ids", report.new_hard_fail_case_ids, (False, True)),
        ("resolved_hard_fail_case_ids", report.resolved_hard_fail_case_ids, (True, False)),
    ):
        both = {one.case_id: (one.baseline_hard_failed, one.candidate_hard_failed) for one in rows}
        known = {id_: hard for id_, hard in both.items() if None not in hard}
        found, listed = {id_ for id_, hard in known.items() if hard == change}, {*(ids or ())}
        other = found - listed | {id_ for id_ in listed if known.get(id_, change) != change}
        other |= listed - {*both}
        if ids is not None and other:
            yield f"`{key}` and `case_regressions` differ in {_named(sorted(other))}"


def _rates(report: CompareReport, rows: tuple[CaseChange, ...]) -> Iterator[str]:
    """Every case whose verdict changed is listed, so that the rates change by those alone."""
    totals = report.overview.total_baseline_cases, report.overview.total_candidate_cases
    if not report.cases_compared or None in totals:
        return
    before, after = (total or 0 for total in totals)
    for name, sides in (
        ("pass_rate", [(one.baseline_passed, one.candidate_passed) for one in rows]),
        ("hard_fail_rate", [(one.baseline_hard_failed, one.candidate_hard_failed) for one in rows]),
    ):
        metric = report.metrics.get(name, Metric())
        if metric.baseline is None or metric.candidate is None:
            continue
        if any(None in one for one in sides):
            continue  # one that a side has not, or does not tell
        changed = sum((is_ or 0) - (was or 0) for was, is_ in sides)
        by_rate = metric.candidate * after - metric.baseline * before
        if abs(by_rate - changed) > NOISE * max(1, before, after):
            yield f"by `{name}` {by_rate:+g} cases changed, by `case_regressions` {changed:+d}"


def _sentences(report: CompareReport, rows: tuple[CaseChange, ...]) -> Iterator[str]:
    if report.regressions is None:
        return
    metrics, judges = (
        {name: {"delta": one.delta} for name, one in part.items()}
        for part in (report.metrics, report.judge_metrics)
    )
    for name in ("pass_rate", "hard_fail_rate"):
        metrics.setdefault(name, {"delta": None})
    worse = [one.case_id for one in rows if one.regressed]
    drops = [asdict(one) for one in report.score_regressions or ()]
    reported, found = {*report.regressions}, {*regressions_of(metrics, judges, worse, drops)}
    if other := sorted(reported ^ found):
        yield f"`regressions` and the rest of the report differ in {_named(other)}"


def _is_same(one: float, other: float) -> bool:
    return abs(one - other) <= NOISE


def _named(names: list[str]) -> str:
    more = f" and {len(names) - _MOST_NAMED} more" if names[_MOST_NAMED:] else ""
    return ", ".join(f"`{one}`" for one in names[:_MOST_NAMED]) + more
