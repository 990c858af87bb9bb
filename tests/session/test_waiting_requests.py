"""The order in which what waits becomes runs, whatever is saved and asked for meanwhile."""

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from evaltui.core.case import CaseKey
from evaltui.session.running.run_request import RunRequest
from evaltui.session.waiting_requests import WaitingRequests

KEYS = [CaseKey("a.json", str(number)) for number in range(5)]
REQUESTS = st.builds(
    lambda keys, trigger, trials, is_rejudging: RunRequest(
        dict.fromkeys(keys), "a reason", trigger, trials, is_rejudging
    ),
    st.lists(st.sampled_from(KEYS), unique=True),
    st.sampled_from([(), (), ("a.ts",), ("b.ts",)]),
    st.sampled_from([1, 1, 3]),
    st.booleans(),
)


@given(st.lists(REQUESTS, max_size=8))
def test_whatever_was_saved_runs_before_what_nobody_saved_for(requests: list[RunRequest]) -> None:
    waiting = WaitingRequests()
    wanted = {key for request in requests for key in request.keys}
    saved = {key for request in requests if request.trigger for key in request.keys}
    last_save = max((i for i, one in enumerate(requests) if one.trigger and one.keys), default=-1)
    before_it = {key for one in requests[:last_save] for key in one.keys}
    for request in requests:
        waiting.add(request)
        for one in waiting:
            if request.trigger and not one.trigger and one.is_like(request):
                assert not one.keys.keys() & request.keys.keys(), "nobody is asked twice"
    assert waiting.keys == wanted, "nothing that was wanted is lost"
    popped = []
    while waiting:
        popped.append(waiting.pop())
        rest = {key for one in waiting if one.is_rest and not one.is_rejudging for key in one.keys}
        assert set(popped[-1].left) == rest
    triggered = [bool(one.trigger) for one in popped]
    assert triggered == sorted(triggered, reverse=True)
    assert {key for one in popped if one.trigger for key in one.keys} == saved
    for one in popped:
        assert one.keys
        if one.is_rest:
            assert not one.trigger and one.keys.keys() <= before_it
    kinds = [(one.is_rejudging, one.trials) for one in popped if one.trigger]
    assert len(kinds) == len(set(kinds)), "several saves in a row are one run"


@given(
    REQUESTS,
    REQUESTS,
    st.sets(st.sampled_from(KEYS)),
    st.sets(st.sampled_from(KEYS)),
    st.booleans(),
)
def test_what_takes_the_place_of_a_run_loses_nothing_of_it(
    before: RunRequest,
    later: RunRequest,
    wanted_by_change: set[CaseKey],
    due: set[CaseKey],
    is_rest: bool,
) -> None:
    """What nobody saved for comes after what somebody did, and stays the rest of it."""
    is_saved, while_due = bool(later.trigger), frozenset(before.keys) & wanted_by_change
    before = replace(before, is_rest=is_rest and not before.trigger, while_due=while_due)
    later = replace(later, reason="later")
    left = before.left_of(due).keys()
    still_due = later.keys.keys() & due
    is_one_run = bool(before.trigger) or not later.trigger
    waiting = WaitingRequests()
    waiting.supersede(before, [*before.keys], later, due)
    assert waiting.keys == left | still_due
    popped = []
    while waiting:
        popped.append(waiting.pop())
    asked_for = {key for one in popped for key in one.asked_for}
    assert before.asked_for <= asked_for, "what was asked for is run whatever becomes of the change"
    is_still_rest = {one.is_rest for one in popped if one.reason == later.reason}
    assert is_still_rest <= {before.is_rest and not is_saved}, "a save is nobody's rest"
    assert not any(one.is_rest and one.trigger for one in popped)
    if later.trigger:
        saved = {key for one in popped if one.trigger for key in one.keys}
        assert saved == still_due | (left if is_one_run else set())


def test_a_save_takes_over_how_its_cases_were_chosen() -> None:
    """They are run whatever becomes of the save: put back, it leaves the inputs as they were."""
    waiting = WaitingRequests()
    chosen = frozenset(KEYS[:2])
    waiting.add(RunRequest(dict.fromkeys(KEYS[:2]), "failed before", by_outcome=chosen))
    waiting.add(RunRequest(dict.fromkeys(KEYS[1:3]), "saved", ("a.ts",)))
    assert [(*one.keys,) for one in waiting] == [(*KEYS[1:3],), (KEYS[0],)]
    assert [one.by_outcome for one in waiting] == [chosen, chosen]


def test_what_nobody_saved_for_becomes_the_rest_that_follows_a_save() -> None:
    waiting = WaitingRequests()
    waiting.add(RunRequest(dict.fromkeys(KEYS[:2]), "asked for"))
    waiting.add(RunRequest(dict.fromkeys(KEYS[2:4]), "saved", ("a.ts",)))
    waiting.add(RunRequest(dict.fromkeys(KEYS[4:]), "asked for later"))
    saved, rest, later = waiting
    assert (saved.is_rest, rest.is_rest, later.is_rest) == (False, True, False)
    assert waiting.pop().left == tuple(KEYS[:2])
