"""What a run did to its cases, in words."""

import pytest

from evaltui.core.case import CaseKey
from evaltui.core.comparison import AtTimes, Effect, RunChanges
from evaltui.core.effect_words import in_words, ran_in_words

KEY = CaseKey("evals/a.golden.json", "a-1")


def test_in_words() -> None:
    counts = RunChanges(worse=(KEY,), calls_differ=(KEY,) * 3, as_before=8, new=2).counts
    assert tuple(in_words(counts).values()) == (
        *("1 worse", "0 better", "3 call differently", "8 as before", "2 new"),
    )
    assert (
        in_words(RunChanges(calls_differ=(KEY,)).counts)[Effect.CALLS_DIFFER]
        == "1 calls differently"
    )
    assert tuple(in_words(RunChanges(errors=(KEY,), better=(KEY,)).counts).values()) == (
        *("0 worse", "1 better", "1 in error"),
    )
    assert in_words(RunChanges(as_before=1).counts, 1)["muted"] == "1 muted"
    several = AtTimes(11, 1), AtTimes(0, 2)
    said = [in_words(counts, at_times=one)["at times"] for one in several]
    assert said == ["11 failed at times before, 1 fails at times now", "2 fail at times now"]


@pytest.mark.parametrize(
    ("ran", "rejudged", "words"),
    [
        (0, 0, ["0 ran"]),
        (5, 0, ["5 ran"]),
        (1, 1, ["1 judged again"]),
        (5, 1, ["4 ran", "1 judged again"]),
        (5, 2, ["3 ran", "2 judged again"]),
        (5, 5, ["5 judged again"]),
    ],
)
def test_those_for_which_nobody_was_asked_are_told_apart(
    ran: int, rejudged: int, words: list[str]
) -> None:
    assert ran_in_words(ran, rejudged) == words


def test_where_all_cases_are_new_nothing_but_that_is_said() -> None:
    counts = RunChanges(new=2).counts
    assert in_words(counts) == {Effect.NEW: "2 new"}
    assert in_words(counts, 1) == {Effect.NEW: "2 new", "muted": "1 muted"}
    assert in_words(counts, new_failed=1) == {Effect.NEW: "2 new, 1 of them failed"}
    assert in_words(RunChanges().counts, 1) == {"muted": "1 muted"}
