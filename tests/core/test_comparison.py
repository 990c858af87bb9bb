"""What a run did to a case: by its verdict and its calls, then and now."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import fields, replace

from evaltui.core.baseline import BaselineCase
from evaltui.core.called import calls_fingerprint, have_other_calls
from evaltui.core.case import CaseKey
from evaltui.core.comparison import (
    NEVER,
    Effect,
    RunChanges,
    at_times,
    effect_of,
    is_explained_by_calls,
    last_verdict,
)
from evaltui.core.inputs import Inputs
from evaltui.core.response import AgentResponse, ToolCall
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.runner.trials import aggregate_trials

P, F, E, S = CaseStatus.PASSED, CaseStatus.FAILED, CaseStatus.ERROR, CaseStatus.SKIPPED
KEY = CaseKey("evals/a.golden.json", "a-1")
PARIS = ToolCall("get_weather", {"city": "Paris", "days": 3})


def result(status: CaseStatus, *calls: ToolCall, asserted: int = 1, **more: Any) -> CaseResult:
    return CaseResult(
        KEY,
        "run",
        "mine",
        status,
        assertions_run=asserted,
        response=AgentResponse("", calls),
        **more,
    )


@pytest.mark.parametrize(
    ("then", "now", "effect"),
    [
        (P, F, Effect.WORSE),
        (F, P, Effect.BETTER),
        (E, P, Effect.NEW),
        (E, F, Effect.NEW),
        (P, E, Effect.ERROR),
        (F, E, Effect.ERROR),
        (E, E, Effect.ERROR),
        (P, P, Effect.AS_BEFORE),
        (F, F, Effect.AS_BEFORE),
        (S, S, Effect.AS_BEFORE),
        (S, P, Effect.NEW),
        (P, S, Effect.NEW),
        (F, S, Effect.NEW),
    ],
)
def test_by_the_verdicts(then: CaseStatus, now: CaseStatus, effect: Effect) -> None:
    assert effect_of(result(then), result(now)) is effect


def test_a_failure_that_asserts_nothing_any_more_is_not_better() -> None:
    assert effect_of(result(F), result(P, asserted=0)) is Effect.NEW


def tried(passes: int, trials: int, inputs: str = "one") -> CaseResult:
    status = P if passes == trials else F
    asked_for = Inputs(case=inputs, settings={"trials": trials})
    return result(status, passes=passes, trials=trials, inputs=asked_for)


@pytest.mark.parametrize(
    ("before", "now", "effect"),
    [
        # nobody edited anything: trials to pin, and one trial after them
        (tried(1, 1), tried(18, 20), Effect.AS_BEFORE),
        (tried(18, 20), tried(1, 1), Effect.AS_BEFORE),
        (tried(1, 1), tried(10, 20), Effect.WORSE),
        (tried(10, 20), tried(1, 1), Effect.BETTER),
        (tried(0, 1), tried(2, 3), Effect.AS_BEFORE),
        # an edit: what passed as a rule fell, and a pass among further trials takes nothing back
        (tried(18, 20), tried(0, 1, "two"), Effect.WORSE),
        (tried(18, 20), tried(0, 5, "two"), Effect.WORSE),
        (tried(18, 20), tried(1, 1, "two"), Effect.AS_BEFORE),
        (tried(1, 1), tried(2, 3, "two"), Effect.WORSE),
        (tried(18, 20), tried(2, 3, "two"), Effect.WORSE),
        # as often as before: all have to pass
        (tried(3, 3), tried(2, 3, "two"), Effect.WORSE),
        (tried(2, 3), tried(2, 3, "two"), Effect.AS_BEFORE),
        (tried(2, 3), tried(3, 3, "two"), Effect.BETTER),
        (tried(1, 1, ""), tried(18, 20, ""), Effect.WORSE),
    ],
)
def test_one_trial_and_several_are_held_against_each_other_by_what_most_came_to(
    before: CaseResult, now: CaseResult, effect: Effect
) -> None:
    assert effect_of(before, now) is effect


def test_what_an_attempt_called_and_weighed_is_no_edit() -> None:
    before, now = tried(1, 1), tried(18, 20)
    seen = replace(now.inputs, called={"find_free_slots": "0"}, shown="another")
    assert effect_of(before, replace(now, inputs=seen)) is Effect.AS_BEFORE
    edited = replace(seen, all_tools="another")
    assert effect_of(before, replace(now, inputs=edited)) is Effect.WORSE


SIDES = st.integers(1, 20).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


@given(SIDES, SIDES, st.booleans())
def test_only_what_fails_is_worse_and_only_what_passes_is_better(
    then: tuple[int, int], now: tuple[int, int], is_edited: bool
) -> None:
    before, after = tried(*then), tried(*now, "two" if is_edited else "one")
    effect = effect_of(before, after)
    assert effect in (Effect.WORSE, Effect.BETTER, Effect.AS_BEFORE)
    if effect is Effect.WORSE:
        assert after.status is F
        assert 2 * before.passes > before.trials, "most of it passed before"
    if effect is Effect.BETTER:
        assert after.status is P
        assert before.status is F


@given(SIDES, SIDES, st.booleans())
def test_worse_better_and_what_fails_at_times_add_up_to_what_passes_more_or_less(
    then: tuple[int, int], now: tuple[int, int], is_edited: bool
) -> None:
    before, after = tried(*then), tried(*now, "two" if is_edited else "one")
    effect, rarely = effect_of(before, after), at_times(before, after)
    moved = (effect is Effect.BETTER) - (effect is Effect.WORSE)
    assert (after.status is P) - (before.status is P) == moved + rarely.before - rarely.now
    assert at_times(None, after) == at_times(before, None) == NEVER


@pytest.mark.parametrize(
    ("then", "now", "effect"),
    [(P, F, Effect.WORSE), (F, P, Effect.BETTER), (P, P, Effect.AS_BEFORE), (S, P, Effect.NEW)],
)
def test_without_an_earlier_result_the_baseline_is_what_it_is_held_against(
    then: CaseStatus, now: CaseStatus, effect: Effect
) -> None:
    assert effect_of(None, result(now), BaselineCase(then)) is effect
    assert effect_of(None, result(now)) is Effect.NEW
    assert effect_of(result(now), result(now), BaselineCase(then)) is Effect.AS_BEFORE


@pytest.mark.parametrize(
    ("pinned", "effect"), [(None, Effect.NEW), (S, Effect.AS_BEFORE), (P, Effect.NEW)]
)
def test_a_first_result_that_asserts_nothing_is_as_before_only_where_that_is_pinned(
    pinned: CaseStatus | None, effect: Effect
) -> None:
    baseline = BaselineCase(pinned) if pinned else None
    assert effect_of(None, result(S), baseline) is effect


@pytest.mark.parametrize(
    ("verdict", "pinned", "now", "effect"),
    [
        (P, None, F, Effect.WORSE),
        (F, None, F, Effect.AS_BEFORE),
        (F, P, F, Effect.AS_BEFORE),
        (None, P, F, Effect.WORSE),
        (None, F, F, Effect.AS_BEFORE),
        (None, None, F, Effect.NEW),
        (None, E, F, Effect.NEW),
        (P, None, S, Effect.NEW),
        (P, None, P, Effect.AS_BEFORE),
        (F, P, P, Effect.BETTER),
        (None, P, P, Effect.AS_BEFORE),
        (None, F, P, Effect.BETTER),
        (None, None, P, Effect.NEW),
        (P, None, E, Effect.ERROR),
    ],
)
def test_after_an_error_it_is_held_against_the_last_verdict_and_else_against_the_baseline(
    verdict: CaseStatus | None, pinned: CaseStatus | None, now: CaseStatus, effect: Effect
) -> None:
    baseline = BaselineCase(pinned) if pinned else None
    assert effect_of(result(E), result(now), baseline, last_verdict=verdict) is effect
    assert effect_of(result(F), result(F), baseline, last_verdict=P) is Effect.AS_BEFORE


def test_a_pin_that_was_judged_by_other_rules_is_none() -> None:
    then = BaselineCase(P, by_other_rules=True)
    assert effect_of(None, result(P), then) is Effect.NEW
    assert effect_of(None, result(F), then) is Effect.NEW
    assert effect_of(result(E), result(F), then) is Effect.NEW
    assert effect_of(result(P), result(F), then) is Effect.WORSE


def test_the_last_verdict_is_the_last_that_says_whether_it_passed() -> None:
    assert last_verdict((F, P, S, E, E)) is P
    assert last_verdict((P, F, E)) is F
    assert last_verdict((S, E)) is last_verdict(()) is None


@pytest.mark.parametrize(
    "calls",
    [
        (ToolCall("get_weather", {"city": "Pariss", "days": 3}),),
        (ToolCall("get_weather", {"city": "Paris"}),),
        (ToolCall("get_forecast", {"city": "Paris", "days": 3}),),
        (PARIS, PARIS),
        (),
    ],
)
def test_other_calls_under_the_same_verdict(calls: tuple[ToolCall, ...]) -> None:
    before, now = result(P, PARIS), result(P, *calls)
    assert effect_of(before, now) is Effect.CALLS_DIFFER
    light = replace(before, response=None, calls=calls_fingerprint(before))
    assert effect_of(light, now) is Effect.CALLS_DIFFER
    assert effect_of(light, result(P, PARIS)) is Effect.AS_BEFORE


OTHER = ToolCall("get_weather", {"city": "Rome"})
WRONG = ToolCall("get_forecast", {})


def several(*attempts: CaseResult) -> CaseResult:
    numbered = (replace(one, trial=number) for number, one in enumerate(attempts))
    return aggregate_trials([replace(one, passes=int(one.status is P)) for one in numbered])


@pytest.mark.parametrize("is_light", [False, True])
@pytest.mark.parametrize(
    ("now", "effect"),
    [
        (result(P, PARIS, passes=1), Effect.AS_BEFORE),
        (result(P, OTHER, passes=1), Effect.AS_BEFORE),
        (result(P, WRONG, passes=1), Effect.CALLS_DIFFER),
        (several(result(P, WRONG), result(P, OTHER)), Effect.AS_BEFORE),
        (several(result(F, PARIS), *[result(P, WRONG)] * 3), Effect.CALLS_DIFFER),
        (several(result(F, WRONG), *[result(P, WRONG)] * 3), Effect.AS_BEFORE),
    ],
)
def test_of_several_attempts_those_count_that_came_to_the_verdict(
    now: CaseResult, effect: Effect, *, is_light: bool
) -> None:
    before = several(result(F, WRONG), result(P, PARIS), result(P, OTHER), result(P, PARIS))
    if is_light:
        before = replace(before, response=None, calls=calls_fingerprint(before), attempts=())
    assert effect_of(before, now) is effect


def test_of_attempts_whose_calls_are_not_known_the_one_that_is_shown_counts_for_its_verdict() -> (
    None
):
    before = replace(result(F, WRONG), trials=3, passes=2)
    assert effect_of(before, result(P, PARIS)) is Effect.AS_BEFORE
    before = replace(before, passes=0)
    assert effect_of(before, result(F, WRONG)) is Effect.AS_BEFORE
    assert effect_of(before, result(F, PARIS)) is Effect.CALLS_DIFFER


def test_the_order_of_calls_counts_and_that_of_parameters_does_not() -> None:
    other = ToolCall("get_forecast", {})
    assert have_other_calls(result(P, PARIS, other), result(P, other, PARIS))
    turned = ToolCall("get_weather", {"days": 3, "city": "Paris"}, duration_ms=9.0, success=True)
    assert not have_other_calls(result(P, PARIS), result(P, turned))


def test_calls_that_are_not_known_do_not_differ() -> None:
    assert effect_of(replace(result(P), response=None), result(P, PARIS)) is Effect.AS_BEFORE


def test_named_cases_have_the_effect_they_are_listed_under() -> None:
    keys = [CaseKey("evals/a.golden.json", name) for name in "abcd"]
    worse, better, error, differ = keys
    made = RunChanges((worse,), (better,), (error,), (differ,), as_before=8)
    assert made.effects == {
        worse: Effect.WORSE,
        better: Effect.BETTER,
        error: Effect.ERROR,
        differ: Effect.CALLS_DIFFER,
    }
    assert RunChanges(new=2).effects == {}


def test_each_effect_of_a_run_is_counted_under_its_own_name() -> None:
    numbers = {effect: number for number, effect in enumerate(Effect, 1)}
    effects = [(KEY, effect) for effect, number in numbers.items() for _ in range(number)]
    found = RunChanges.of([*effects, (KEY, None)], muted=1, new_failed=2)
    assert found.counts == numbers
    assert (found.muted, found.new_failed) == (1, 2)


@pytest.mark.parametrize(
    ("status", "effect", "is_told"),
    [
        (F, None, True),
        (F, Effect.AS_BEFORE, True),
        (P, Effect.CALLS_DIFFER, True),
        (P, Effect.BETTER, True),
        (P, None, False),
        (E, Effect.ERROR, False),
    ],
)
def test_calls_say_why_something_failed_or_what_is_other_about_it(
    status: CaseStatus, effect: Effect | None, is_told: bool
) -> None:
    assert is_explained_by_calls(result(status), effect) is is_told


def test_programs_are_told_an_effect_by_the_field_that_events_have() -> None:
    besides = {"muted", "new_failed", "new_cases", "at_times"}
    of_events = {field.encode_name for field in fields(RunChanges)} - besides
    assert {effect.key for effect in Effect} == of_events


@pytest.mark.parametrize(
    ("pinned", "now", "effect"),
    [
        (19, F, Effect.WORSE),
        (19, P, Effect.AS_BEFORE),
        (10, F, Effect.AS_BEFORE),
        (1, P, Effect.BETTER),
    ],
)
def test_a_pin_of_several_trials_goes_by_most_of_them(
    pinned: int, now: CaseStatus, effect: Effect
) -> None:
    """As it has no history, a checkout in CI is held against what is pinned."""
    baseline = BaselineCase(F, pinned / 20, 20)
    assert effect_of(None, result(now), baseline) is effect
    assert effect_of(None, result(now), BaselineCase(E, pinned / 20, 20)) is Effect.NEW


def test_cases_that_are_only_counted_are_as_before() -> None:
    assert RunChanges(as_before=1, new=1).rest is Effect.AS_BEFORE
    assert RunChanges(new=1).rest is Effect.NEW
