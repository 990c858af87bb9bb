"""What was asserted of a case, as fingerprints that two runs can be compared by."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import TypeAlias

from evaltui.core.agent_name import JUDGE
from evaltui.core.case import Case
from evaltui.core.case_body import EvaluatorUse
from evaltui.core.fingerprint import answer_fingerprint, fingerprint
from evaltui.core.json_value import Json
from evaltui.core.result import CaseResult
from evaltui.core.verdict import EVALUATOR, Kind, Verdict, VerdictStatus
from evaltui.evidence.case_row import MAX_TURNS, MULTISET, STUBS, TIME_LIMIT, TRIALS, Asserted
from evaltui.expectations.assertion import Assertion
from evaltui.expectations.contract import contract_plan
from evaltui.expectations.mentions import asserted
from evaltui.expectations.tokens import tokens_below
from evaltui.traces.judges import JUDGES
from evaltui.traces.judges.replay_contract import ReplayContract
from evaltui.traces.reading import trace_body
from evaltui.traces.trace_stage import by_these_names
from evaltui.traces.user_messages import question_of

Demand: TypeAlias = tuple[str, Json]
_JUDGED = "judged"
INPUT, QUESTION = "input", "question"
"""What is told beside the judges, of the case and of its trace: another question under the same id
is another case. Of a model that judges `JUDGE` tells how it is set."""


def asserted_of_trace(
    case: Case, judged: Iterable[tuple[str, bool]], measured: Collection[str] = ()
) -> Asserted:
    """`judged`: each judge that was asked, and whether it skipped the case. `measured`: those that
    only measured, which asserts nothing.

    Of a judge of somebody else's no more is known than whether it judged.
    """
    body, found = trace_body(case), list[Demand]()
    for name, is_skipped in judged:
        if (judge := JUDGES.get(name)) is not None:
            found += ((name, one) for one in judge.demands(body))
        elif name != ReplayContract.name and not name.startswith(EVALUATOR) and not is_skipped:
            found.append((name, _JUDGED))
    found += _of_evaluators(body.evaluators, measured, EVALUATOR)
    if body.input is not None:
        found.append((INPUT, body.input))
    if (asked := question_of(body)) is not None:
        found.append((QUESTION, asked))
    return _prints(found)


def judged_by(verdicts: Iterable[Verdict]) -> Iterator[tuple[str, bool]]:
    return ((one.check, one.status is VerdictStatus.SKIPPED) for one in verdicts)


def measured_by(verdicts: Iterable[Verdict]) -> frozenset[str]:
    return frozenset(one.check for one in verdicts if one.kind is Kind.METRIC)


def asserted_of(case: Case, result: CaseResult, *, most_trials: int | None = None) -> Asserted:
    """Of a case of an eval file, with the settings that decide who passes. What was skipped for
    want of a live value was not asserted, nor was what only measured. A check that it did not come
    to is taken for one that decides. `most_trials`: those made beyond them are proof, and need not
    be made again."""
    body, verdicts = case.body, by_these_names(case, result.verdicts)
    measured = measured_by(verdicts)
    if not case.asks_agent:
        names = dict.fromkeys(one.check for one in verdicts if one.check in JUDGES)
        return asserted_of_trace(case, [(name, False) for name in names], measured)
    # A conversation is asked for by more than one message.
    asked = answer_fingerprint(case) if body.is_conversation else body.message
    rest = _of_evaluators(body.evaluators, measured)
    by_model = [one for one in body.of_model() if one[0] not in measured]
    if by_model and (settings := result.inputs.checks.get(JUDGE)):
        by_model.append((JUDGE, settings))
    held = [*_of_expect(case, result), *by_model, *rest]
    return _prints([(INPUT, asked), *held, *_of_settings(case, result, most_trials)])


def _of_settings(case: Case, result: CaseResult, most_trials: int | None) -> Iterator[Demand]:
    """What lets more answers pass where it is another: of a result of before it may be unknown."""
    body, inputs = case.body, result.inputs
    if (limit := inputs.settings.get("timeoutMs")) is not None:
        yield TIME_LIMIT, limit
    # One demand for each attempt after the first: any of them may fail the case.
    trials = inputs.settings.get("trials", 1)
    for attempt in range(2, (trials if most_trials is None else min(trials, most_trials)) + 1):
        yield TRIALS, attempt
    if body.is_conversation:  # of which all this is part of what is asked
        return
    yield STUBS, body.stubs
    yield MAX_TURNS, body.max_turns
    may_count = any(assertion.may_count_repeats for assertion, _ in asserted(body.expect))
    if may_count and inputs.checks.get(MULTISET) == "on":
        yield MULTISET, True


def _of_expect(case: Case, result: CaseResult) -> Iterator[Demand]:
    body = case.body
    if not body.has_expect:
        return
    said = {(one.check, one.label): one for one in result.verdicts}
    for stage in contract_plan(case) if body.expect is not None else ():
        for check in stage:
            if isinstance(check, Assertion):
                verdict = said.get((check.name, check.label))
                if verdict is None or not check.is_emptied(verdict):
                    yield from _with_seeds(check, result.inputs.seed)


def _with_seeds(check: Assertion, seeds: Mapping[str, str]) -> Iterator[Demand]:
    """Its demands; those that name seed values also with what these were. Live values are others
    each time: of them no more counts than that there were any."""
    for one in check.demands():
        yield check.name, one
        paths = {token.path for token in tokens_below(one) if token.source == "seed"}
        if known := {path: seeds[path] for path in sorted(paths & seeds.keys())}:
            yield check.name, [one, known]


def _of_evaluators(
    uses: Iterable[EvaluatorUse], measured: Collection[str], prefix: str = ""
) -> Iterator[Demand]:
    named = ((f"{prefix}{use.type}", use.config) for use in uses)
    return (one for one in named if one[0] not in measured)


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
