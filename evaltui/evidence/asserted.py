"""What was asserted of a case, as fingerprints that two runs can be compared by."""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import TypeAlias

from evaltui.core.case import Case, EvaluatorUse, RubricCase, ScenarioCase, TraceCase
from evaltui.core.fingerprint import answer_fingerprint, fingerprint
from evaltui.core.json_value import Json
from evaltui.core.result import CaseResult
from evaltui.core.verdict import CRITERIA, RUBRIC, Verdict, VerdictStatus
from evaltui.evidence.case_row import Asserted
from evaltui.expectations.assertion import Assertion
from evaltui.expectations.contract import contract_plan
from evaltui.traces.judge_row import EVALUATOR
from evaltui.traces.judges import JUDGES
from evaltui.traces.judges.replay_contract import ReplayContract
from evaltui.traces.reading import trace_body
from evaltui.traces.user_messages import question_of

Demand: TypeAlias = tuple[str, Json]
_JUDGED = "judged"
INPUT, QUESTION = "input", "question"
"""What is told beside the judges, of the case and of its trace: another question under the same id
is another case."""


def asserted_of_trace(case: Case, judged: Iterable[tuple[str, bool]]) -> Asserted:
    """`judged`: each judge that was asked, and whether it skipped the case.

    Of a judge of somebody else's no more is known than whether it judged.
    """
    body, found = trace_body(case), list[Demand]()
    for name, is_skipped in judged:
        if (judge := JUDGES.get(name)) is not None:
            found += ((name, one) for one in judge.demands(body))
        elif name != ReplayContract.name and not name.startswith(EVALUATOR) and not is_skipped:
            found.append((name, _JUDGED))
    found += _of_evaluators(body.evaluators, EVALUATOR)
    if body.input is not None:
        found.append((INPUT, body.input))
    if (asked := question_of(body)) is not None:
        found.append((QUESTION, asked))
    return _prints(found)


def judged_by(verdicts: Iterable[Verdict]) -> Iterator[tuple[str, bool]]:
    return ((one.check, one.status is VerdictStatus.SKIPPED) for one in verdicts)


def asserted_of(case: Case, result: CaseResult) -> Asserted:
    """Of a case of an eval file; what was skipped for want of a live value was not asserted."""
    body = case.body
    if isinstance(body, TraceCase):
        names = dict.fromkeys(one.check for one in result.verdicts if one.check in JUDGES)
        return asserted_of_trace(case, [(name, False) for name in names])
    # A conversation is asked for by more than one message.
    asked = answer_fingerprint(case) if isinstance(body, ScenarioCase) else body.message
    rest = _of_evaluators(body.evaluators)
    return _prints([(INPUT, asked), *_of_kind(case, result), *rest])


def _of_kind(case: Case, result: CaseResult) -> Iterator[Demand]:
    body = case.body
    if isinstance(body, ScenarioCase):
        if body.has_criteria:
            criteria: list[Json] = [body.success_criteria, body.failure_criteria]
            yield CRITERIA, [*criteria, body.failure_criteria_mode.value]
        return
    unheld = {
        (one.check, one.label)
        for one in result.verdicts
        if one.status is VerdictStatus.SKIPPED and one.skipped_tokens
    }
    for stage in contract_plan(case) if body.expect is not None else ():
        for check in stage:
            if isinstance(check, Assertion) and (check.name, check.label) not in unheld:
                yield from ((check.name, one) for one in check.demands())
    if isinstance(body, RubricCase):
        for one in body.dimensions:
            yield f"{RUBRIC}{one.dimension}", [one.max_score, one.criteria]


def _of_evaluators(uses: Iterable[EvaluatorUse], prefix: str = "") -> Iterator[Demand]:
    return ((f"{prefix}{use.type}", use.config) for use in uses)


def _prints(demands: Iterable[Demand]) -> Asserted:
    found: dict[str, set[str]] = {}
    for name, demand in demands:
        made = _of_text(demand) if isinstance(demand, str) else fingerprint(demand)
        found.setdefault(name, set()).add(made)
    return {name: sorted(found[name]) for name in sorted(found)}


@lru_cache(1024)
def _of_text(demand: str) -> str:
    """Most cases of a suite name the same tools and patterns."""
    return fingerprint(demand)
