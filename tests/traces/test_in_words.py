"""A failure of a judge says in its row what was found."""

from evaltui.core.verdict import Verdict, VerdictStatus
from evaltui.traces.in_words import LONGEST, in_words


def failed(**evidence: object) -> str:
    verdict = Verdict("policy", VerdictStatus.FAILED, "violations detected", evidence=evidence)  # type: ignore[arg-type]
    return in_words(verdict).reason


def test_what_is_wrong_is_named_and_what_was_looked_at_is_not() -> None:
    said = failed(forbidden_tools_used=["delete_city"], missing=[], used_tools=["delete_city"])
    assert said == "violations: forbidden tools used delete_city"


def test_without_evidence_the_reason_stays() -> None:
    assert failed(used_tools=["a"]) == "violations detected"


def test_a_long_one_is_cut() -> None:
    assert len(failed(actual="x" * 5_000)) == LONGEST


def test_what_holds_is_left_as_it_is() -> None:
    verdict = Verdict("policy", VerdictStatus.PASSED, "satisfied", evidence={"a": "b"})
    assert in_words(verdict) is verdict


def test_what_was_expected_comes_first_however_the_evidence_was_kept() -> None:
    said = "violations: expected yes; actual no; in final output"
    assert failed(actual="no", expected="yes", **{"in": "final output"}) == said
    assert failed(expected="yes", **{"in": "final output"}, actual="no") == said
