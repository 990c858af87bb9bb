"""`gate`: whether a comparison lets a release pass. Anything unknown does not pass."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from math import inf
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, TypeAlias, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from evaltui.core.did_you_mean import did_you_mean
from evaltui.core.errors import UserError
from evaltui.core.reported_number import NOISE, amount, told_apart
from evaltui.evidence.compared.compare_report import CompareReport, Measured, Metric, report_of
from evaltui.evidence.compared.comparing import RATES
from evaltui.evidence.compared.contradictions import contradictions
from evaltui.evidence.compared.lost_checks import less_asserted, may_assert_less
from evaltui.evidence.judge_code import code_warnings
from evaltui.files import read_file
from evaltui.traces.mistakes import SuiteMistake
from evaltui.traces.reading import decode_once
from evaltui.traces.wire import now

T = TypeVar("T")
Side: TypeAlias = Literal["baseline", "candidate"]
NOTHING: Mapping[str, Any] = MappingProxyType({})


Value: TypeAlias = Callable[[CompareReport], float]
"""A number of a report. Raises _Unknown for one that it does not tell."""


class Threshold(Struct, frozen=True):
    """A bound, which may be reached, and the number of a report that it is held against."""

    metric: str
    value: Value
    is_least: bool = False
    digits: int = 4
    """Of the numbers in the reason, at least."""
    most: float = inf
    """What a bound of it may be at most."""
    counts: bool = False
    """Whether a bound of it is a whole number."""

    def breaks(self, report: CompareReport, name: str, bound: float) -> str:
        """What is wrong; empty when it holds. Raises _Unknown for a number that is not told."""
        found = self.value(report)
        is_broken = found < bound - NOISE if self.is_least else found > bound + NOISE
        if not is_broken:
            return ""
        beyond = "is below" if self.is_least else "exceeds"
        is_, limit = told_apart(found, bound, self.digits)
        return f"{self.metric} {is_} {beyond} {name} {limit}"


class _Unknown(Exception):
    pass


def _rate(name: str, side: Side) -> Value:
    def value(report: CompareReport) -> float:
        metric = report.metrics.get(name)
        found = None if metric is None else amount(_of(metric, side))
        if found is None or found > 1:
            raise _Unknown(f"the {side}'s {name} is not known")
        return found

    return value


def _change(name: str, sign: int) -> Value:
    before, after = _rate(name, "baseline"), _rate(name, "candidate")
    return lambda report: sign * (after(report) - before(report))


def _regressed(report: CompareReport) -> int:
    return sum(
        one.regressed for one in _required(report, "case_regressions", report.case_regressions)
    )


def _newly_hard(report: CompareReport) -> int:
    return len(_required(report, "new_hard_fail_case_ids", report.new_hard_fail_case_ids))


def _required(report: CompareReport, key: str, found: tuple[T, ...] | None) -> tuple[T, ...]:
    if found is None:
        raise _Unknown(f"`{key}` is not in the report")
    if not report.cases_compared:
        raise _Unknown("one side says nothing about its cases")
    return found


def _measured(name: str, side: Side) -> Value:
    """A measurement that every case of the side tells: of some cases it says too little."""

    def value(report: CompareReport) -> float:
        row = report.measurements.get(name, Measured())
        found = amount(_of(row, side))
        if found is None:
            raise _Unknown(f"the {side}'s {name} is not known")
        whole = report.overview
        known, total = (
            (row.baseline_cases, whole.total_baseline_cases)
            if side == "baseline"
            else (row.candidate_cases, whole.total_candidate_cases)
        )
        if known is None or known != total:
            raise _Unknown(f"{known} of the {side}'s {total} cases report their {name}")
        return found

    return value


def _of(metric: Metric, side: Side) -> float | None:
    return metric.baseline if side == "baseline" else metric.candidate


def _growth(name: str) -> Value:
    """How much more it is, as a part of what it was: 0.1 is a tenth."""
    before, after = _measured(name, "baseline"), _measured(name, "candidate")

    def value(report: CompareReport) -> float:
        was, is_ = before(report), after(report)
        if not was:
            return inf if is_ else 0.0
        return is_ / was - 1

    return value


THRESHOLDS: Mapping[str, Threshold] = {
    "min_pass_rate": Threshold(
        "candidate pass_rate", _rate("pass_rate", "candidate"), is_least=True, most=1
    ),
    "max_hard_fail_rate": Threshold(
        "candidate hard_fail_rate", _rate("hard_fail_rate", "candidate"), most=1
    ),
    "max_pass_rate_drop": Threshold("pass_rate drop", _change("pass_rate", -1), most=1),
    "max_hard_fail_increase": Threshold(
        "hard_fail_rate increase", _change("hard_fail_rate", 1), most=1
    ),
    "max_regressed_cases": Threshold("regressed cases", _regressed, digits=0, counts=True),
    "max_new_hard_fail_cases": Threshold("new hard-fail cases", _newly_hard, digits=0, counts=True),
    "max_mean_latency_ms": Threshold(
        "mean latency in ms", _measured("mean_latency_ms", "candidate"), digits=1
    ),
    "max_p95_latency_ms": Threshold(
        "95th percentile of latency in ms", _measured("p95_latency_ms", "candidate"), digits=1
    ),
    "max_latency_increase": Threshold("increase of mean latency", _growth("mean_latency_ms")),
    "max_mean_cost_usd": Threshold("mean cost in USD", _measured("mean_cost_usd", "candidate")),
    "max_total_cost_usd": Threshold("cost in USD", _measured("total_cost_usd", "candidate")),
    "max_cost_increase": Threshold("increase of mean cost", _growth("mean_cost_usd")),
}


def read_thresholds(path: Path) -> dict[str, float]:
    """Those of a file such as `config/gate.json`; `null` is none. Raises OSError, UserError."""
    found = decode_once(read_file(path), str(path))
    if not isinstance(found, dict):
        raise UserError(f"`{path}` holds no object.", "Write `{…}` with thresholds.")
    for name in found:
        if name not in THRESHOLDS:
            hint = did_you_mean(name, THRESHOLDS) or f"There are {', '.join(THRESHOLDS)}."
            raise UserError(f"`{path}`: there is no threshold `{name}`.", hint)
    return {name: value for name, value in found.items() if value is not None}


def gate(
    report: Any, thresholds: Mapping[str, Any], waived: Collection[str] = ()
) -> dict[str, Any]:
    """The decision as its file holds it; every threshold that breaks, or cannot be held, is named.

    `report`: read, or as plain values; a damaged one does not pass. `waived` are cases that are
    not counted among those that became worse.

    Raises UserError without thresholds, and as `checked`.
    """
    if not thresholds:
        hint = f"Give one, or write them into a file: {', '.join(THRESHOLDS)}."
        raise UserError("There is no threshold to check the release with.", hint)
    thresholds = checked(thresholds)
    try:
        known = report if isinstance(report, CompareReport) else report_of(report, CompareReport)
    except SuiteMistake as mistake:
        return refused([str(mistake)], thresholds)
    wrong = [f"the report contradicts itself: {one}" for one in contradictions(known)]
    known = _without(known, waived)
    failures = [*wrong, *_refusals(known), *_broken(known, thresholds)]
    return _decision(known, list(dict.fromkeys(failures)), thresholds, waived)


def checked(thresholds: Mapping[str, Any]) -> dict[str, float]:
    """The same, of flags or of a file, as numbers; how many cases as a whole one.

    Raises UserError for a bound that is no number of at least 0, a rate above 1, or half a case.
    """
    found: dict[str, float] = {}
    for name, bound in thresholds.items():
        number, threshold = amount(bound), THRESHOLDS[name]
        if number is None:
            raise UserError(f"`{name}` is not a number of at least 0.", "Correct the threshold.")
        if number > threshold.most:
            what = f"`{name}` is a rate, and none is above {threshold.most}."
            raise UserError(what, "0.05 is 5 %.")
        if threshold.counts and not number.is_integer():
            raise UserError(f"`{name}` counts cases, and {bound} is no whole number.", "E.g. 2.")
        found[name] = int(number) if threshold.counts else bound
    return found


def refused(why: Sequence[str], thresholds: Mapping[str, Any] = NOTHING) -> dict[str, Any]:
    """The decision where nothing can be held against anything."""
    return _decision(CompareReport(), [*why], thresholds, ())


def _decision(
    known: CompareReport,
    failures: list[str],
    thresholds: Mapping[str, Any],
    waived: Collection[str],
) -> dict[str, Any]:
    metrics = {name: _or_none(_rate(name, "candidate"), known) for name in RATES}
    return {
        "generated_at": now(),
        "baseline_run_id": known.baseline_run_id,
        "candidate_run_id": known.candidate_run_id,
        "compare_generated_at": known.generated_at,
        "passed": not failures,
        "failures": failures,
        "warnings": code_warnings(known.changed_code),
        "thresholds": {name: thresholds.get(name) for name in THRESHOLDS},
        "regressed_cases_considered": _or_none(_regressed, known),
        "new_hard_fail_cases_considered": _or_none(_newly_hard, known),
        "waived_case_ids": sorted(waived),
        "aggregate_result": {
            **metrics,
            "regression_delta": _or_none(_change("pass_rate", 1), known),
            "gate_status": "failed" if failures else "passed",
        },
    }


def _without(report: CompareReport, waived: Collection[str]) -> CompareReport:
    """The report without these cases in what counts against it; rates are what they are."""
    rows, ids = report.case_regressions, report.new_hard_fail_case_ids
    return replace(
        report,
        case_regressions=rows and tuple(one for one in rows if one.case_id not in waived),
        new_hard_fail_case_ids=ids and tuple(one for one in ids if one not in waived),
        lost_checks=tuple(one for one in report.lost_checks if one.case_id not in waived),
        unknown_checks=tuple(one for one in report.unknown_checks if one not in waived),
    )


def _refusals(report: CompareReport) -> Iterator[str]:
    """Why a report says nothing about a release, whatever the thresholds."""
    checked = report.compatibility
    if checked is None:
        yield "the report does not say whether the runs can be compared"
        return
    if not checked.passed:
        named = checked.failures or ("unknown checks failed",)
        yield f"the runs cannot be compared: {', '.join(named)}"
    if report.overview.total_candidate_cases == 0:
        yield "the candidate has no case"
    # Also of a judge that was asked: its checks may have been taken out of the suite.
    rows = report.judge_metrics.items()
    gone = [name for name, one in rows if one.baseline is not None and one.candidate is None]
    unreached = {name for one in report.unreached_checks for name in one.judges}
    gone = [name for name in gone if name not in unreached]
    if gone:
        yield f"judges of the baseline judged nothing: {', '.join(gone)}"
    yield from less_asserted((one.case_id, one.judges) for one in report.lost_checks)
    if unknown := may_assert_less(report.unknown_checks, are_cases_known=report.cases_compared):
        yield unknown


def _broken(report: CompareReport, thresholds: Mapping[str, float]) -> Iterator[str]:
    for name, bound in thresholds.items():
        try:
            wrong = THRESHOLDS[name].breaks(report, name, bound)
        except _Unknown as unknown:
            wrong = f"{name} cannot be checked: {unknown}"
        if wrong:
            yield wrong


def _or_none(value: Value, report: CompareReport) -> float | None:
    try:
        return value(report)
    except _Unknown:
        return None
