"""How a verdict is shown, and whether it says anything."""

import pytest

from evaltui.core.verdict import CRITERIA, Kind, Verdict, VerdictStatus


@pytest.mark.parametrize("status", VerdictStatus)
def test_what_was_skipped_and_a_metric_without_a_measurement_say_nothing(
    status: VerdictStatus,
) -> None:
    skipped, error = status is VerdictStatus.SKIPPED, status is VerdictStatus.ERROR
    assert Verdict("c", status, "why").says_nothing is skipped
    assert Verdict("c", status, "why", kind=Kind.METRIC).says_nothing is (skipped or error)


@pytest.mark.parametrize(
    ("check", "label", "reason", "shown", "named"),
    [
        ("tone", "Tone", "too rude", "too rude", "tone: too rude"),
        ("tone", "Tone", "tone is rude", "tone is rude", "tone is rude"),
        ("tone", "Tone", " ", "Tone gave no reason", "tone: Tone gave no reason"),
        ("tone", "", "", "tone gave no reason", "tone gave no reason"),
        ("tone", "", "too rude", "too rude", "too rude"),
        (CRITERIA, "Criteria", "not met", "not met", "not met"),
    ],
)
def test_the_reason_of_an_evaluator_names_it(
    check: str, label: str, reason: str, shown: str, named: str
) -> None:
    verdict = Verdict(check, VerdictStatus.FAILED, reason, label)
    assert (verdict.shown_reason, verdict.named) == (shown, named)
