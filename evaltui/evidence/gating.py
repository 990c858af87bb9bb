"""`gate`: whether a comparison lets a release pass. What it cannot know does not pass."""

from collections.abc import Callable, Collection, Iterator, Mapping
from math import inf
from pathlib import Path
from typing import Any

from msgspec import Struct

from evaltui.core.did_you_mean import did_you_mean
from evaltui.core.errors import UserError
from evaltui.evidence.comparing import RATES
from evaltui.evidence.run_config import now
from evaltui.files import read_file
from evaltui.traces.reading import decode_json

NOISE = 1e-9
"""Differences of rates are off by so much, though not by more."""


class Threshold(Struct, frozen=True):
    """A bound, which may be reached, and the number of a report that it is held against."""

    metric: str
    value: Callable[[Mapping[str, Any]], float]
    is_least: bool = False
    digits: int = 4
    """Of the numbers in the reason."""

    def breaks(self, report: Mapping[str, Any], name: str, bound: float) -> str:
        """What is wrong; empty when it holds. Raises _Unknown for a number that is not told."""
        found = self.value(report)
        is_broken = found < bound - NOISE if self.is_least else found > bound + NOISE
        if not is_broken:
            return ""
        beyond = "is below" if self.is_least else "exceeds"
        digits = self.digits
        return f"{self.metric} {found:.{digits}f} {beyond} {name} {bound:.{digits}f}"


class _Unknown(Exception):
    pass


def _rate(name: str, side: str) -> Callable[[Mapping[str, Any]], float]:
    def value(report: Mapping[str, Any]) -> float:
        metrics = report.get("metrics")
        metric = metrics.get(name) if isinstance(metrics, Mapping) else None
        found = metric.get(side) if isinstance(metric, Mapping) else None
        if isinstance(found, bool) or not isinstance(found, int | float) or not 0 <= found <= 1:
            raise _Unknown(f"the {side}'s {name} is not known")
        return found

    return value


def _change(name: str, sign: int) -> Callable[[Mapping[str, Any]], float]:
    before, after = _rate(name, "baseline"), _rate(name, "candidate")
    return lambda report: sign * (after(report) - before(report))


def _count(key: str, is_counted: Callable[[Any], bool]) -> Callable[[Mapping[str, Any]], float]:
    def value(report: Mapping[str, Any]) -> float:
        found = report.get(key)
        if not isinstance(found, list):
            raise _Unknown(f"`{key}` is not in the report")
        if report.get("cases_compared") is False:
            raise _Unknown("a side tells nothing of its cases")
        return sum(map(is_counted, found))

    return value


def _measured(name: str, side: str) -> Callable[[Mapping[str, Any]], float]:
    """A measurement that every case of the side tells: of some cases it says too little."""

    def value(report: Mapping[str, Any]) -> float:
        rows, overview = report.get("measurements"), report.get("overview")
        row = rows.get(name) if isinstance(rows, Mapping) else None
        row = row if isinstance(row, Mapping) else {}
        found, known = row.get(side), row.get(f"{side}_cases")
        if isinstance(found, bool) or not isinstance(found, int | float) or not 0 <= found < inf:
            raise _Unknown(f"the {side}'s {name} is not known")
        total = overview.get(f"total_{side}_cases") if isinstance(overview, Mapping) else None
        if type(known) is not int or known != total:
            raise _Unknown(f"{known} of the {side}'s {total} cases tell their {name}")
        return found

    return value


def _growth(name: str) -> Callable[[Mapping[str, Any]], float]:
    """How much more it is, as a part of what it was: 0.1 is a tenth."""
    before, after = _measured(name, "baseline"), _measured(name, "candidate")

    def value(report: Mapping[str, Any]) -> float:
        was, is_ = before(report), after(report)
        if not was:
            return inf if is_ else 0.0
        return is_ / was - 1

    return value


def _is_regressed(case: Any) -> bool:
    return not isinstance(case, Mapping) or case.get("regressed") is not False


THRESHOLDS: Mapping[str, Threshold] = {
    "min_pass_rate": Threshold(
        "candidate pass_rate", _rate("pass_rate", "candidate"), is_least=True
    ),
    "max_hard_fail_rate": Threshold(
        "candidate hard_fail_rate", _rate("hard_fail_rate", "candidate")
    ),
    "max_pass_rate_drop": Threshold("pass_rate drop", _change("pass_rate", -1)),
    "max_hard_fail_increase": Threshold("hard_fail_rate increase", _change("hard_fail_rate", 1)),
    "max_regressed_cases": Threshold(
        "regressed cases", _count("case_regressions", _is_regressed), digits=0
    ),
    "max_new_hard_fail_cases": Threshold(
        "new hard-fail cases", _count("new_hard_fail_case_ids", lambda _: True), digits=0
    ),
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
    found = decode_json(read_file(path), str(path))
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

    `waived` are cases that are not counted among those that became worse.

    Raises UserError without thresholds, and for one that is no number of at least 0.
    """
    if not thresholds:
        hint = f"Give one, or write them into a file: {', '.join(THRESHOLDS)}."
        raise UserError("There is no threshold to hold the release against.", hint)
    for name, bound in thresholds.items():
        if isinstance(bound, bool) or not isinstance(bound, int | float) or not 0 <= bound < inf:
            raise UserError(f"`{name}` is no number of at least 0.", "Correct the threshold.")
    known = _without(report, waived) if isinstance(report, Mapping) else {}
    failures = [*_refusals(known), *_broken(known, thresholds)]
    failures = list(dict.fromkeys(failures))
    metrics = {name: _or_none(_rate(name, "candidate"), known) for name in RATES}
    return {
        "generated_at": now(),
        "baseline_run_id": known.get("baseline_run_id"),
        "candidate_run_id": known.get("candidate_run_id"),
        "passed": not failures,
        "failures": failures,
        "thresholds": {name: thresholds.get(name) for name in THRESHOLDS},
        "regressed_cases_considered": _or_none(THRESHOLDS["max_regressed_cases"].value, known),
        "new_hard_fail_cases_considered": _or_none(
            THRESHOLDS["max_new_hard_fail_cases"].value, known
        ),
        "waived_case_ids": sorted(waived),
        "aggregate_result": {
            **metrics,
            "regression_delta": _or_none(_change("pass_rate", 1), known),
            "gate_status": "failed" if failures else "passed",
        },
    }


def _without(report: Mapping[str, Any], waived: Collection[str]) -> Mapping[str, Any]:
    """The report without these cases in what is counted; rates are what they are."""
    if not waived:
        return report
    kept = dict(report)
    if isinstance(rows := report.get("case_regressions"), list):
        kept["case_regressions"] = [one for one in rows if _case_id(one) not in waived]
    if isinstance(ids := report.get("new_hard_fail_case_ids"), list):
        kept["new_hard_fail_case_ids"] = [one for one in ids if str(one) not in waived]
    return kept


def _case_id(row: Any) -> str:
    return str(row.get("case_id")) if isinstance(row, Mapping) else ""


def _refusals(report: Mapping[str, Any]) -> Iterator[str]:
    """Why a report says nothing about a release, whatever the thresholds."""
    checked = report.get("compatibility")
    if not isinstance(checked, Mapping):
        yield "the report does not say whether the runs can be compared"
        return
    if checked.get("passed") is not True:
        failures = checked.get("failures")
        named = failures if isinstance(failures, list) and failures else ["unknown checks failed"]
        yield f"the runs cannot be compared: {', '.join(map(str, named))}"
    overview = report.get("overview")
    if isinstance(overview, Mapping) and overview.get("total_candidate_cases") == 0:
        yield "the candidate has no case"
    names = [_name(one) for one in checked.get("checks") or ()]
    if "judges_match" not in names:
        rates = report.get("judge_metrics")
        rows = rates.values() if isinstance(rates, Mapping) else ()
        gone = [_name(row) for row in rows if _lost(row)]
        if gone:
            yield f"judges of the baseline are missing: {', '.join(map(str, gone))}"


def _lost(row: Any) -> bool:
    """A judge that another program's report, which does not compare judges, has only before."""
    is_row = isinstance(row, Mapping)
    return is_row and bool(row.get("baseline")) and row.get("candidate") is None


def _name(row: Any) -> Any:
    return row.get("name") if isinstance(row, Mapping) else None


def _broken(report: Mapping[str, Any], thresholds: Mapping[str, float]) -> Iterator[str]:
    for name, bound in thresholds.items():
        try:
            wrong = THRESHOLDS[name].breaks(report, name, bound)
        except _Unknown as unknown:
            wrong = f"{name} cannot be held: {unknown}"
        if wrong:
            yield wrong


def _or_none(value: Callable[[Mapping[str, Any]], float], report: Mapping[str, Any]) -> Any:
    try:
        return value(report)
    except _Unknown:
        return None
