"""Repeated cases in words."""

from evaltui.core.result import CaseStatus
from evaltui.reporters.trials import rate_text, trials_line
from tests.reporters import scene

SUITE = scene.suite("get_weather", ("a", "b", "c"))


def test_a_repeated_case_says_its_rate_and_how_sure_that_is() -> None:
    flaky = scene.result(SUITE, "a", CaseStatus.FAILED, passes=3, trials=5)
    assert rate_text(flaky) == "3/5 60 % (23–88 %) flaky"
    assert rate_text(scene.result(SUITE, "a", passes=5, trials=5)) == "5/5 100 % (57–100 %)"
    assert rate_text(scene.result(SUITE, "a")) == ""


def test_any_and_all_of_k_attempts_are_means_over_the_repeated_cases() -> None:
    results = [
        scene.result(SUITE, "a", passes=2, trials=2),
        scene.result(SUITE, "b", CaseStatus.FAILED, passes=1, trials=2),
        scene.result(SUITE, "c"),
    ]
    assert trials_line(results) == "pass@2 1.00 | pass^2 0.50 over 2 repeated cases"
    assert trials_line(results[2:]) == ""
