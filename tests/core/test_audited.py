"""What drawn cases tell of those that did not run."""

from evaltui.core.audited import Audited, Draw, RanOfSave
from evaltui.core.case import CaseKey
from evaltui.core.comparison import RunChanges


def keys(*numbers: int) -> tuple[CaseKey, ...]:
    return tuple(CaseKey("evals/a.json", f"c{number}") for number in numbers)


def test_it_is_said_as_in_the_header() -> None:
    told = Audited(drawn=20, moved=0, others=128)
    found = RanOfSave(34, 20, not_run=108, at_most=told.at_most)
    assert found.words == "54 of 162 ran (34 certain, 20 drawn)"
    assert found.bound == "of 108 others at most 16 moved (95 %)"
    one_left = Audited(drawn=99, moved=0, others=100)
    found = RanOfSave(0, 99, not_run=1, at_most=one_left.at_most)
    assert found.bound == "of 1 other at most 0 moved (95 %)"
    for left in (1, 5):
        few = Audited(drawn=1, moved=0, others=1 + left)
        assert few.at_most == left, "each of them may have"
        assert RanOfSave(4, 1, not_run=left, at_most=left).bound == ""
    assert RanOfSave(1, 5, not_run=0, at_most=Audited(5, 2, 5).at_most).bound == ""
    assert RanOfSave(1, 5, not_run=0).words == "6 of 6 ran (1 certain, 5 drawn)"


def test_what_ran_adds_up_with_those_in_error_and_without_those_that_others_ran() -> None:
    lost = RanOfSave(5, 3, not_run=7, in_error=2)
    assert lost.words == "8 of 15 ran (5 certain, 3 drawn, 2 of them in error)"
    lost = RanOfSave(5, 3, not_run=4, in_error=2, more=3, more_in_error=1, at_most=6)
    assert (
        lost.words
        == "11 of 15 ran (5 certain, 3 drawn, 2 of them in error, 3 more, 1 of them in error)"
    )
    assert lost.bound == "of 7 others at most 6 moved (95 %)", "those in error tell nothing"
    besides = RanOfSave(9, 3, not_run=0, besides=1)
    assert besides.words == "12 of 13 ran (9 certain, 3 drawn), 1 besides"
    again = RanOfSave(9, 3, not_run=5, besides=1, due_again=2)
    assert again.words == "12 of 18 ran (9 certain, 3 drawn), 1 besides, 2 due again"


def test_those_that_moved_are_none_of_the_rest() -> None:
    assert Audited(20, 3, 128).at_most == 42 - 3
    assert Audited(127, 127, 128).at_most == 1


def test_only_what_was_answered_counts() -> None:
    ran = keys(1, 2, 3, 4, 5)
    changes = RunChanges(worse=keys(1, 3), better=keys(4), errors=keys(5))
    found = Draw(keys(3, 4, 5, 6), 40).audited(ran, changes)
    assert found == Audited(drawn=2, moved=2, others=40)
    assert Draw(keys(5), 40).audited(ran, changes) is None


def test_what_goes_on_adds_to_what_was() -> None:
    before = Audited(drawn=10, moved=1, others=40)
    found = Draw(keys(1, 2), 40, before).audited(keys(1, 2), RunChanges(worse=keys(2)))
    assert found == Audited(12, 2, 40)


def test_what_ran_without_being_drawn_is_left_no_more_and_none_of_the_sample() -> None:
    at_most = Audited(drawn=10, moved=0, others=22).at_most
    some = RanOfSave(19, 10, not_run=9, more=3, at_most=at_most)
    assert some.words == "32 of 41 ran (19 certain, 10 drawn, 3 more)"
    assert some.bound == "of 9 others at most 4 moved (95 %)"
    whole = RanOfSave(19, 10, not_run=0, more=12, at_most=at_most)
    assert whole.words == "41 of 41 ran (19 certain, 10 drawn, 12 more)"
    assert whole.bound == ""
    ran, rest = keys(1, 2, 3, 4, 5), keys(4, 5, 6)
    found = Draw(keys(2, 3), 5, rest=rest).audited(ran, RunChanges(errors=keys(5)))
    assert found == Audited(drawn=2, moved=0, others=5)
