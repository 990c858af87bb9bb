"""Why none of some cases is compared with a baseline, in a sentence."""

from types import SimpleNamespace
from typing import cast

import pytest

from evaltui.core.baseline import Baseline, BaselineCase
from evaltui.core.case import CaseKey
from evaltui.core.events import BaselinePinned
from evaltui.core.result import CaseStatus
from evaltui.session.baselines import Baselines
from evaltui.session.uncompared import Uncompared, uncompared
from evaltui.store.store import Store

ONE, TWO = CaseKey("a.json", "one"), CaseKey("a.json", "two")
PINNED, OTHER_RULES = (BaselineCase(CaseStatus.PASSED, by_other_rules=by) for by in (False, True))


def found(*cases: CaseKey, pins: dict[str, BaselineCase], agents: tuple[str, ...]) -> str | None:
    """Of `mine`, where `agents` have pins under the name that is in force."""
    store = Store()
    baseline = Baseline("a.json", "run-1", "main", pins)
    store.handle(BaselinePinned("mine", "main", (baseline,) if pins else ()))
    named = SimpleNamespace(in_force=lambda _: "main", pinned_agents=lambda _: agents)
    made = uncompared("mine", cases, store, cast("Baselines", named))
    if made is None:
        return None
    assert made.has_pins is bool(pins or {*agents} - {"mine"})
    return str(made)


@pytest.mark.parametrize("case", [ONE, TWO])
def test_one_case_that_can_be_compared_is_enough(case: CaseKey) -> None:
    pins = {case.case: PINNED}
    assert found(ONE, TWO, pins=pins, agents=("mine",)) is None


@pytest.mark.parametrize(
    ("cases", "pins", "said"),
    [
        (
            (ONE,),
            {"two": PINNED},
            "the case of `mine` is not in baseline `main`, which holds 1 other",
        ),
        (
            (ONE, TWO),
            {"three": PINNED, "four": PINNED},
            "none of the 2 cases of `mine` is in baseline `main`, which holds 2 others",
        ),
        (
            (ONE, TWO),
            {"one": OTHER_RULES, "three": PINNED},
            "what baseline `main` holds of `mine` was judged by other rules of judging",
        ),
    ],
)
def test_what_is_pinned_of_the_agent_is_said(
    cases: tuple[CaseKey, ...], pins: dict[str, BaselineCase], said: str
) -> None:
    told = found(*cases, pins=pins, agents=("mine",))
    assert told == f"nothing was compared: {said}"


def test_what_is_pinned_of_others_alone_names_them_and_not_the_agent_itself() -> None:
    assert found(ONE, pins={}, agents=("mine", "other")) == (
        "nothing was compared: baseline `main` holds nothing of `mine`, only of `other`"
    )


def test_without_any_pin_there_is_nothing_to_miss() -> None:
    assert found(ONE, pins={}, agents=("mine",)) == (
        "no baseline: nothing is pinned, so no case of `mine` was compared"
    )
    assert not Uncompared("mine", 1, "main", 0, ()).has_pins
