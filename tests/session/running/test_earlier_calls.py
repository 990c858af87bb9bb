"""Of which results before a run the calls are looked up."""

from types import SimpleNamespace
from typing import cast

import pytest
from msgspec.structs import replace

from evaltui.core.case import CaseKey
from evaltui.core.comparison import Effect
from evaltui.core.response import AgentResponse
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.disk.history.history import History
from evaltui.session.running.earlier_calls import EarlierCalls
from evaltui.store.row import Compared

BEFORE = CaseResult(CaseKey("a.json", "one"), "run-1", "a", CaseStatus.FAILED)
WHOLE = replace(BEFORE, response=AgentResponse("hello"))


def calls(whole: CaseResult | None = WHOLE) -> EarlierCalls:
    """The history has that."""
    return EarlierCalls(cast("History", SimpleNamespace(whole=lambda _key, _run: whole)))


@pytest.mark.parametrize("effect", [Effect.BETTER, Effect.CALLS_DIFFER])
def test_a_result_that_came_without_its_calls_is_read_where_those_say_something(
    effect: Effect,
) -> None:
    made = calls()
    assert made.before(Compared(BEFORE, effect=effect)) is WHOLE
    assert made.read == [WHOLE]


@pytest.mark.parametrize(
    ("before", "effect"),
    [
        (None, Effect.BETTER),
        (replace(WHOLE, run_id="run-0"), Effect.BETTER),
        (BEFORE, Effect.WORSE),
        (BEFORE, None),
        (replace(BEFORE, run_id=""), Effect.BETTER),
    ],
    ids=["nothing before", "it is whole", "worse", "it did not run", "of no run"],
)
def test_every_other_one_is_taken_as_it_is(
    before: CaseResult | None, effect: Effect | None
) -> None:
    made = calls()
    assert made.before(Compared(before, effect=effect)) is before
    assert made.read == []


def test_what_is_not_kept_any_more_is_taken_as_it_is() -> None:
    made = calls(None)
    assert made.before(Compared(BEFORE, effect=Effect.BETTER)) is BEFORE
    assert made.read == []
