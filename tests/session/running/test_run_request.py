"""What becomes of requests that wait: taken together, put off for a save, or left undone."""

import pytest
from msgspec.structs import replace

from evaltui.core.audited import Draw
from evaltui.core.case import CaseKey
from evaltui.session.running.run_request import RunRequest

ONE, TWO, THREE = KEYS = tuple(CaseKey("a.json", name) for name in ("one", "two", "three"))


def asked(*keys: CaseKey, trials: int = 1) -> RunRequest:
    return RunRequest(dict.fromkeys(keys), "asked for", trials=trials)


def saved(*keys: CaseKey, file: str = "a.ts", trials: int = 1) -> RunRequest:
    """Of what a change wants, while it is due."""
    wanted = dict.fromkeys(keys)
    return RunRequest(wanted, file, (file,), trials, while_due=frozenset(keys))


def test_what_was_asked_for_is_run_whether_it_is_due_or_not() -> None:
    made = replace(asked(ONE, TWO), while_due=frozenset({TWO}))
    assert made.asked_for == {ONE}
    assert [[*made.left_of(due)] for due in ((), KEYS)] == [[ONE], [ONE, TWO]]
    assert [*made.of_those_due(()).keys] == [ONE]
    assert [*made.without({ONE}).keys] == [TWO]


@pytest.mark.parametrize(
    "other",
    [
        {"is_rejudging": True},
        {"asks_judge": False},
        {"trials": 3},
        {"confirms": "agreed"},
        {"is_repeat": True},
        {"is_correction": True},
    ],
    ids=str,
)
def test_one_run_does_both_where_they_are_asked_and_judged_alike(other: dict[str, object]) -> None:
    assert asked(ONE).is_like(saved(TWO))
    assert not asked(ONE).is_like(replace(asked(ONE), **other))


def test_two_that_become_one_are_of_all_cases_and_files() -> None:
    first = replace(saved(ONE, TWO), asked_at=3.0)
    later = replace(asked(TWO), reason="later", trigger=("b.ts", "a.ts"), asked_at=2.0)
    both = first.followed_by(later)
    assert [*both.keys] == [ONE, TWO]
    assert both.while_due == {ONE}, "one of them was asked for"
    assert (both.reason, both.trigger, both.asked_at) == ("later", ("a.ts", "b.ts"), 3.0)
    assert first.followed_by(replace(later, keys={})).reason == first.reason
    earlier, drawn = Draw((ONE,), 1), Draw((TWO,), 1)
    first = replace(first, draw=earlier)
    assert first.followed_by(later).draw is earlier
    assert first.followed_by(replace(later, draw=drawn)).draw is drawn


def test_what_waits_while_something_is_saved_is_the_rest_unless_a_save_wants_it() -> None:
    assert asked(ONE).after_a_save().is_rest
    assert not saved(ONE).after_a_save().is_rest


def test_a_run_knows_what_follows_and_what_of_it_is_left_over() -> None:
    rest = asked(TWO).after_a_save()
    judged = replace(asked(THREE).after_a_save(), is_rejudging=True)
    made = asked(ONE).before([rest, judged, saved(TWO)])
    assert (made.left, made.waiting) == ((TWO,), (TWO, THREE))


def test_what_was_chosen_by_its_outcome_stays_so_whatever_becomes_of_the_request() -> None:
    failed = replace(asked(ONE, TWO), by_outcome=frozenset({ONE, TWO}))
    assert saved(THREE).with_cases_of(failed).by_outcome == {ONE, TWO}
    assert failed.without({ONE}).by_outcome >= {TWO}
    assert asked(THREE).before([failed.after_a_save()]).by_outcome == {ONE, TWO}
    for later in (saved(TWO, THREE), asked(THREE), saved(TWO, THREE, trials=3)):
        made = later.in_place_of(failed, dict.fromkeys([ONE, TWO]), {TWO, THREE})
        known = {key: key in one.by_outcome for one in made for key in one.keys}
        assert known == {ONE: True, TWO: True, THREE: False}


def test_saves_in_a_row_are_one_run() -> None:
    later = saved(THREE, file="b.ts")
    rest, one = later.in_place_of(saved(ONE, TWO), dict.fromkeys([TWO]), {TWO, THREE})
    assert not rest.keys
    assert ([*one.keys], one.trigger, one.is_rest) == ([TWO, THREE], ("a.ts", "b.ts"), False)
    assert one.while_due == {TWO, THREE}
    _, none = later.in_place_of(saved(ONE), {}, set())
    assert not none.keys, "it is due no more"


def test_what_was_asked_for_follows_the_save_that_breaks_it_off() -> None:
    run = replace(asked(ONE, TWO), is_rest=True)
    rest, one = saved(TWO, THREE).in_place_of(run, dict.fromkeys([ONE, TWO]), {TWO, THREE})
    assert ([*rest.keys], rest.reason, rest.is_rest) == ([ONE], "asked for", True)
    assert rest.is_by_news and not rest.trigger
    assert ([*one.keys], one.trigger, one.is_rest) == ([TWO, THREE], ("a.ts",), False)
    assert one.while_due == {THREE}, "the other one was asked for"


def test_what_takes_the_place_of_the_rest_with_no_save_stays_the_rest() -> None:
    run = replace(asked(ONE), is_rest=True)
    _, one = asked(TWO).in_place_of(run, dict.fromkeys([ONE]), {TWO})
    assert ([*one.keys], one.is_rest, one.trigger) == ([ONE, TWO], True, ())


def test_cases_that_were_to_be_asked_more_often_still_are() -> None:
    later, run = saved(THREE, file="b.ts"), saved(ONE, TWO, trials=3)
    rest, again, new = later.in_place_of(run, dict.fromkeys([TWO]), {TWO, THREE})
    assert (rest.trials, again.trials, new.trials) == (3, 3, 1)
    assert ([*again.keys], [*new.keys]) == ([TWO], [THREE])
