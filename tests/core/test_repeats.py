"""What repeated cases say together."""

import pytest
from msgspec.structs import replace

from evaltui.core.case import CaseKey
from evaltui.core.repeats import repeated, repeats_of
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.core.statistics.rates import Stability
from evaltui.core.statistics.trials import Planned, Trials


def result(passes: int, trials: int, status: CaseStatus = CaseStatus.FAILED) -> CaseResult:
    told = {"passes": passes, "trials": trials, "assertions_run": 1}
    return CaseResult(CaseKey("s", "c"), "r", "a", status, **told)  # type: ignore[arg-type]


def test_a_case_that_was_run_once_is_not_repeated() -> None:
    assert repeated(result(1, 1, CaseStatus.PASSED)) is None
    assert repeats_of([result(1, 1, CaseStatus.PASSED), result(0, 1)]) is None


def test_attempts_of_which_none_was_judged_say_nothing() -> None:
    assert repeated(result(0, 3, CaseStatus.ERROR)) is None
    assert repeats_of([result(0, 3, CaseStatus.ERROR)]) is None
    judged = repeated(result(1, 3, CaseStatus.ERROR))
    assert judged is not None
    assert judged.stability is Stability.FLAKY


def test_passes_of_nothing_say_nothing() -> None:
    idle = replace(result(3, 3, CaseStatus.PASSED), assertions_run=0)
    assert repeated(idle) is None
    assert repeats_of([idle]) is None


def test_trials_of_what_fell_alone_tell_nothing_of_the_others() -> None:
    further = replace(result(2, 4), planned=Planned(Trials(0, 1)))
    assert repeated(further) is not None
    assert repeats_of([further, result(1, 1, CaseStatus.PASSED)]) is None
    found = repeats_of([further, result(2, 4)])
    assert found is not None and found.cases == 1


def test_one_case() -> None:
    found = repeated(result(1, 4))
    assert found is not None
    assert (found.rate.passes, found.rate.trials) == (1, 4)
    assert (found.stability, found.any_of_k, found.all_of_k) == (Stability.FLAKY, 1.0, 0.0)
    failed = repeated(result(0, 2))
    assert failed is not None
    assert (failed.stability, failed.any_of_k, failed.all_of_k) == (Stability.FAILED, 0.0, 0.0)


def test_several_cases_are_told_by_the_fewest_attempts() -> None:
    cases = [result(2, 4), result(2, 2, CaseStatus.PASSED), result(0, 3), result(1, 1)]
    found = repeats_of(cases)
    assert found is not None
    assert (found.cases, found.flaky, found.k) == (3, 1, 2)
    assert found.any_of_k == pytest.approx((5 / 6 + 1 + 0) / 3)
    assert found.all_of_k == pytest.approx((1 / 6 + 1 + 0) / 3)
