"""A run of eval files as the cases and verdicts of an evidence pack."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from os.path import commonpath
from typing import Any

from msgspec.structs import replace

from evaltui.core.agent_name import is_embedded
from evaltui.core.case import Case, CaseKey, TraceCase
from evaltui.core.failure_category import category_of
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.core.statistics.trials import Trials
from evaltui.core.verdict import TIMEOUT, Verdict, VerdictStatus
from evaltui.evidence.asserted import asserted_of
from evaltui.evidence.case_row import AGENT
from evaltui.evidence.verdicts import case_verdicts
from evaltui.traces.response_events import response_events
from evaltui.traces.trace_stage import by_these_names


def dataset_of(suites: Iterable[str]) -> str:
    """What a run was about: its eval file, else the folder of all of them."""
    ids = sorted(set(suites))
    return (ids[0] if len(ids) == 1 else commonpath(ids) or "evals") if ids else "evals"


def trace_of(case: Case | None, result: CaseResult) -> Case:
    """The case with what the agent did; that of a suite of traces as it is."""
    if case is not None and not case.asks_agent:
        return Case(CaseKey(result.key.suite, str(result.key)), case.body)
    message = case.message if case is not None else ""
    metadata: dict[str, Any] = {
        "suite": result.key.suite,
        "case": result.key.case,
        "status": result.status.value,
        "expect": case.expect if case is not None else None,
    }
    if result.trials > 1:
        metadata |= {"trials": result.trials, "passes": result.passes}
    if (usage := result.response.usage if result.response is not None else None) is not None:
        counted = dict(usage.told_tokens)
        counted.pop("total_tokens", None)
        metadata["token_usage"] = {**counted, "cost_usd": result.cost_usd}
    elif is_embedded(result.agent):  # which tells of no cost, since it has none
        metadata["token_usage"] = {"cost_usd": result.judging_usd or 0.0}
    trace = response_events(message, result.response)
    if result.finished_at:
        began = datetime.fromtimestamp(result.finished_at - result.duration_ms / 1000, UTC)
        trace = (replace(trace[0], ts=began.isoformat(timespec="microseconds")), *trace[1:])
    body = TraceCase(message, input=message, trace=trace, metadata=metadata)
    return Case(CaseKey(result.key.suite, str(result.key)), body)


def judges_of(case: Case | None, result: CaseResult) -> tuple[str, ...]:
    """Who judges the case, whether it came to that or not: a verdict that gates ends the rest.
    Of one that is not known as it was run, who judged it."""
    verdicts = result.verdicts if case is None else by_these_names(case, result.verdicts)
    found = [one.check for one in verdicts if one.check != TIMEOUT]
    named = () if case is None else case.body.named_checks
    return tuple(dict.fromkeys([AGENT, *named, *found]))


def verdicts_of(case: Case | None, result: CaseResult, group: str = "") -> dict[str, Any]:
    """As a pack holds them, one of each check: it holds when all that it says of the case does.

    `case` as it was run, `None` where it is not known; `group`: its own, empty without one.
    """
    by_check: dict[str, list[Verdict]] = {}
    for one in result.verdicts if case is None else by_these_names(case, result.verdicts):
        by_check.setdefault(one.check, []).append(one)
    late = by_check.pop(TIMEOUT, ())
    found = [_of_agent(result, late), *map(_together, by_check.values())]
    asserted = None if case is None else asserted_of(case, result)
    written = case_verdicts(str(result.key), found, group, asserted)
    judged, passed = result.trials_judged, written["passed"]
    if judged != Trials(int(passed), int(not passed)):
        written["attempts"] = {"passes": judged.passes, "failures": judged.failures}
    if result.planned is not None:
        planned = result.planned.judged
        written["planned"] = {"passes": planned.passes, "failures": planned.failures}
        written["erred"] = result.planned.erred
    return written


def _of_agent(result: CaseResult, late: Sequence[Verdict]) -> Verdict:
    """Whatever else does not pass fails here, so that no case passes that did not."""
    is_decided = any(one.gates for one in result.verdicts if one.check != TIMEOUT)
    if result.status is CaseStatus.PASSED or (is_decided and not late):
        return Verdict(AGENT, VerdictStatus.PASSED, "the agent answered", value=1.0)
    category = category_of(result.category, "timeout" if late else "agent_error")
    reason = result.error or "there is no verdict"
    return Verdict(AGENT, VerdictStatus.FAILED, reason, value=0.0, category=category)


def _together(verdicts: Sequence[Verdict]) -> Verdict:
    """Score: the lowest value, where there is one, else the share of those that hold."""
    counted = [one for one in verdicts if not one.says_nothing]
    gating = [one for one in counted if one.gates]
    first = (gating or counted or verdicts)[0]
    values = [float(one.value) for one in counted if one.value is not None]
    share = 1 - len(gating) / len(counted) if counted else 1.0
    rows: list[dict[str, Any]] = [
        {"label": one.label or one.check, "status": one.status.value, "reason": one.reason,
         "evidence": one.evidence}
        for one in verdicts
    ]  # fmt: skip
    evidence: Mapping[str, Any] = {"results": rows}
    return Verdict(
        first.check,
        first.status if counted else VerdictStatus.SKIPPED,
        first.reason,
        kind=first.kind,
        value=min(values) if values else share,
        evidence=evidence,
        hard=any(one.hard for one in gating or verdicts),
        category=first.category,
    )
