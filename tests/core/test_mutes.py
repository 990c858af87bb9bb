"""Muting one case leaves the others as they are."""

from evaltui.core.case import CaseKey
from evaltui.core.mutes import in_force, with_mute

KEY = CaseKey("evals/a.json", "c")
MUTES = {"evals/a.json::c": "old", "evals/b.json::c": "other"}


def test_a_reason_mutes_and_none_unmutes() -> None:
    assert with_mute(MUTES, KEY, "new") == {"evals/b.json::c": "other", "evals/a.json::c": "new"}
    assert with_mute(MUTES, KEY, "") == {"evals/b.json::c": "other"}
    assert with_mute({}, KEY, "") == {}
    assert with_mute({}, KEY, "flaky") == {"evals/a.json::c": "flaky"}
    assert MUTES["evals/a.json::c"] == "old"


def test_what_a_key_said_stands_over_the_settings() -> None:
    assert in_force({"a": "old", "b": "b"}, {"a": "new"}) == {"a": "new", "b": "b"}
