"""What a result and its verdicts count as."""

import pytest
from msgspec.structs import replace

from evaltui.core.case import CaseKey
from evaltui.core.json_value import JsonObject
from evaltui.core.response import AgentResponse, Turn, Usage
from evaltui.core.result import LATE, CaseResult, CaseStatus, TrialResult, judged_trials
from evaltui.core.statistics.trials import Trials
from evaltui.core.verdict import Kind, Verdict, VerdictStatus
from evaltui.runner.trials import aggregate_trials, with_another


@pytest.mark.parametrize(
    ("status", "run", "is_nothing"),
    [
        (CaseStatus.PASSED, 0, True),
        (CaseStatus.PASSED, 1, False),
        (CaseStatus.FAILED, 0, False),
        (CaseStatus.ERROR, 0, False),
        (CaseStatus.SKIPPED, 0, True),
        (CaseStatus.SKIPPED, 1, True),
    ],
)
def test_a_pass_without_an_assertion_held_nothing(
    status: CaseStatus, run: int, is_nothing: bool
) -> None:
    result = CaseResult(CaseKey("s", "c"), "r", "a", status, assertions_run=run)
    assert result.is_nothing_asserted is is_nothing


@pytest.mark.parametrize(
    ("status", "run", "shown"),
    [
        (CaseStatus.PASSED, 1, CaseStatus.PASSED),
        (CaseStatus.PASSED, 0, CaseStatus.SKIPPED),
        (CaseStatus.FAILED, 0, CaseStatus.FAILED),
        (CaseStatus.ERROR, 0, CaseStatus.ERROR),
    ],
)
def test_a_pass_of_nothing_is_shown_as_none(
    status: CaseStatus, run: int, shown: CaseStatus
) -> None:
    result = CaseResult(CaseKey("s", "c"), "r", "a", status, assertions_run=run)
    assert result.shown_status is shown


@pytest.mark.parametrize("status", VerdictStatus)
def test_a_failed_or_broken_assertion_decides_and_a_metric_never_does(
    status: VerdictStatus,
) -> None:
    decides = status in (VerdictStatus.FAILED, VerdictStatus.ERROR)
    assert Verdict("c", status, "why").gates is decides
    assert not Verdict("c", status, "why", kind=Kind.METRIC).gates


@pytest.mark.parametrize(
    ("status", "passes", "trials", "judged"),
    [
        (CaseStatus.PASSED, 1, 1, "1/1"),
        (CaseStatus.PASSED, 0, 1, "1/1"),
        (CaseStatus.PASSED, 3, 3, "3/3"),
        (CaseStatus.FAILED, 0, 1, "0/1"),
        (CaseStatus.FAILED, 2, 3, "2/3"),
        (CaseStatus.ERROR, 0, 1, "0/0"),
        (CaseStatus.ERROR, 0, 3, "0/0"),
        (CaseStatus.ERROR, 1, 1, "1/1"),
        (CaseStatus.ERROR, 2, 2, "2/2"),
        (CaseStatus.SKIPPED, 0, 1, "0/0"),
    ],
)
def test_of_attempts_kept_in_numbers_errors_are_none(
    status: CaseStatus, passes: int, trials: int, judged: str
) -> None:
    made = CaseResult(
        CaseKey("s", "c"), "r", "a", status, passes=passes, trials=trials, assertions_run=1
    )
    assert str(made.trials_judged) == str(judged_trials(status, passes, trials)) == judged
    tried = [TrialResult(n, CaseStatus.PASSED) for n in range(passes)]
    tried += [TrialResult(9, CaseStatus.ERROR)] * (status is CaseStatus.ERROR)
    if status is CaseStatus.ERROR:
        assert replace(made, attempts=tuple(tried)).trials_judged == made.trials_judged


def test_judging_cost_what_its_verdicts_did_of_which_some_cost_nothing() -> None:
    free, paid = Verdict("c", VerdictStatus.PASSED, "why"), 0.25
    judged = [free, replace(free, cost_usd=paid), replace(free, cost_usd=paid)]
    result = CaseResult(CaseKey("s", "c"), "r", "a", CaseStatus.PASSED, verdicts=tuple(judged))
    assert result.judging_usd == 2 * paid
    assert replace(result, verdicts=(free,)).judging_usd is None, "not a price of 0"
    assert replace(result, response=AgentResponse("")).cost_usd == 2 * paid


@pytest.mark.parametrize(
    ("response", "known", "cost"),
    [
        (None, 0.5, 0.5),
        (None, None, None),
        (AgentResponse("", usage=Usage(cost_usd=0.25)), 0.5, 0.25),
        (AgentResponse("", usage=Usage()), 0.5, None),
        (AgentResponse(""), 0.5, None),
    ],
)
def test_what_it_cost_is_said_by_its_answer_where_that_is_at_hand(
    response: AgentResponse | None, known: float | None, cost: float | None
) -> None:
    result = CaseResult(
        CaseKey("s", "c"), "r", "a", CaseStatus.PASSED, response=response, known_cost_usd=known
    )
    assert result.cost_usd == cost


@pytest.mark.parametrize(
    ("status", "explanation", "overlaps"),
    [
        (CaseStatus.PASSED, None, ("known",)),
        (CaseStatus.PASSED, {"warnings": ["told"]}, ("told",)),
        (CaseStatus.PASSED, {"warnings": "no list"}, ()),
        (CaseStatus.ERROR, None, ()),
        (CaseStatus.ERROR, {"warnings": ["told"]}, ()),
    ],
)
def test_which_tools_overlap_is_said_by_its_answer_where_that_is_at_hand(
    status: CaseStatus, explanation: JsonObject | None, overlaps: tuple[str, ...]
) -> None:
    response = None if explanation is None else AgentResponse("", explanation=explanation)
    key, known = CaseKey("s", "c"), ("known",)
    result = CaseResult(key, "r", "a", status, response=response, known_overlaps=known)
    assert result.overlaps == overlaps


@pytest.mark.parametrize("count", [1, 2])
def test_one_whose_last_repair_erred_is_no_trial(count: int) -> None:
    statuses = [CaseStatus.FAILED] * count + [CaseStatus.ERROR]
    attempts = tuple(TrialResult(number, status) for number, status in enumerate(statuses))
    result = CaseResult(CaseKey("s", "c"), "r", "a", CaseStatus.ERROR, attempts=attempts)
    assert result.trials_judged == result.trials_made == Trials()
    tried = replace(result, status=CaseStatus.FAILED, attempts=attempts[-2:])
    assert tried.trials_judged == Trials(0, 1), "of two trials the failure counts"


def test_a_check_that_was_too_slow_is_no_late_answer() -> None:
    late = CaseResult(CaseKey("s", "c"), "r", "a", CaseStatus.FAILED, category=LATE)
    assert (late.is_late, late.made_late) == (True, 1)
    judged = replace(late, assertions_run=1)
    assert (judged.is_late, judged.made_late) == (False, 0)


@pytest.mark.parametrize("last", [CaseStatus.PASSED, CaseStatus.FAILED])
def test_one_that_was_repaired_is_one_trial_whatever_went_before(last: CaseStatus) -> None:
    attempts = tuple(
        TrialResult(number, status) for number, status in enumerate((CaseStatus.FAILED, last))
    )
    passes = int(last is CaseStatus.PASSED)
    result = CaseResult(
        *(CaseKey("s", "c"), "r", "a", last), assertions_run=1, passes=passes, attempts=attempts
    )
    assert result.trials_judged == result.trials_made == Trials(passes, 1 - passes)
    again = with_another(result, replace(result, attempts=()))
    assert (again.passes, again.trials, len(again.attempts)) == (2 * passes, 2, 2)


def of_attempts(*attempts: TrialResult, erred: int = 0) -> CaseResult:
    return CaseResult(
        *(CaseKey("s", "c"), "r", "a", CaseStatus.FAILED),
        assertions_run=1,
        trials=len(attempts),
        attempts=attempts,
        erred=erred,
    )


def test_only_attempts_that_are_new_are_made_and_the_time_limit_makes_some_of_their_failures() -> (
    None
):
    made = of_attempts(
        TrialResult(0, CaseStatus.PASSED, was_counted=True),
        TrialResult(1, CaseStatus.FAILED, was_counted=True, is_late=True),
        TrialResult(2, CaseStatus.PASSED),
        TrialResult(3, CaseStatus.FAILED, is_late=True),
        TrialResult(4, CaseStatus.FAILED),
    )
    assert (made.trials_judged, made.trials_made, made.made_late) == (Trials(2, 3), Trials(1, 2), 1)
    once = CaseResult(CaseKey("s", "c"), "r", "a", CaseStatus.FAILED, assertions_run=1)
    assert once.trials_made == Trials(0, 1)
    assert replace(once, was_counted=True).trials_made == Trials()


def test_a_pass_of_nothing_is_no_trial_whoever_counts() -> None:
    once = CaseResult(CaseKey("s", "c"), "r", "a", CaseStatus.PASSED, passes=1)
    several = aggregate_trials([replace(once, trial=number) for number in range(3)])
    assert several.passes == 3
    assert [one.trials_made for one in (once, several)] == [Trials(), Trials()]
    assert [one.trials_judged for one in (once, several)] == [Trials(), Trials()]


def test_the_last_error_beside_judged_attempts_says_why_one_could_not_be_judged() -> None:
    tried = (
        TrialResult(0, CaseStatus.ERROR, error="first"),
        TrialResult(1, CaseStatus.ERROR, error="last"),
        TrialResult(2, CaseStatus.FAILED, error="wrong"),
        TrialResult(3, CaseStatus.PASSED),
    )
    assert of_attempts(*tried, erred=2).unjudged == "last"
    assert of_attempts(*tried).unjudged == ""
    assert of_attempts(*tried[2:], erred=1).unjudged == ""
    assert of_attempts(*tried[:2], erred=2).unjudged == "", "none is beside them"


def test_texts_that_were_held_against_nothing_are_named_once() -> None:
    result = CaseResult(CaseKey("s", "c"), "r", "a", CaseStatus.PASSED)
    assert result.unchecked == ""
    tokens = ("{{seed:a}}", "{{seed:b}}", "{{seed:a}}")
    said = "not checked, without a value: {{seed:a}}, {{seed:b}}"
    assert replace(result, skipped_tokens=tokens).unchecked == said


def test_a_conversation_costs_its_judging_and_the_lines_that_were_played() -> None:
    paid = Verdict("c", VerdictStatus.PASSED, "why", cost_usd=0.25)
    turns = (Turn(0, 1, verdicts=(paid,), played_usd=0.5), Turn(1, 2, verdicts=(paid,)))
    answer = AgentResponse("", usage=Usage(cost_usd=1.0), conversation=turns)
    result = CaseResult(CaseKey("s", "c"), "r", "a", CaseStatus.PASSED, response=answer)
    assert (result.judging_usd, result.cost_usd) == (1.0, 2.0)
    free = replace(answer, conversation=(Turn(0, 1),))
    assert replace(result, response=free).judging_usd is None


def test_most_attempts_say_what_a_case_usually_comes_to() -> None:
    result = CaseResult(CaseKey("s", "c"), "r", "a", CaseStatus.FAILED, trials=4)
    usual = [replace(result, passes=passes).usual for passes in (1, 2, 3)]
    assert usual == [CaseStatus.FAILED, CaseStatus.FAILED, CaseStatus.PASSED]
    assert replace(result, status=CaseStatus.ERROR, passes=3).usual is CaseStatus.ERROR


def test_an_attempt_beside_an_error_is_a_trial_of_its_own_and_no_repair() -> None:
    tried = (TrialResult(0, CaseStatus.ERROR), TrialResult(1, CaseStatus.PASSED, was_counted=True))
    result = CaseResult(
        *(CaseKey("s", "c"), "r", "a", CaseStatus.ERROR),
        assertions_run=1,
        passes=1,
        erred=1,
        attempts=tried,
    )
    assert (result.tried, result.trials_judged, result.trials_made) == (
        tried,
        Trials(1, 0),
        Trials(),
    )
