"""Muting one case leaves the others as they are."""

from evaltui.core.case import CaseKey
from evaltui.core.mutes import with_mute

KEY = CaseKey("evals/a.json", "c")
MUTES = {"evals/a.json::c": "old", "evals/b.json::c": "other"}


def test_a_reason_mutes_and_none_unmutes() -> None:
    assert with_mute(MUTES, KEY, "new") == {"evals/b.json::c": "other", "evals/a.json::c": "new"}
    assert with_mute(MUTES, KEY, "") == {"evals/b.json::c": "other"}
    assert with_mute({}, KEY, "") == {}
    assert with_mute({}, KEY, "flaky") == {"evals/a.json::c": "flaky"}
    assert MUTES["evals/a.json::c"] == "old"
