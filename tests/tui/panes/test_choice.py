"""Choosing one by one and by ranges."""

from evaltui.core.case import CaseKey
from evaltui.tui.panes.choice import Choice

KEYS = [CaseKey("s", f"c{number}") for number in range(6)]


def test_a_key_goes_in_and_out() -> None:
    choice = Choice()
    choice.toggle(KEYS[:2])
    choice.toggle(KEYS[:1])
    assert list(choice.keys) == [KEYS[1]]
    choice.toggle(KEYS[:2])
    assert list(choice.keys) == [KEYS[1], KEYS[0]]


def test_a_range_replaces_the_one_before_and_adds_to_what_was_chosen() -> None:
    choice = Choice()
    choice.toggle([KEYS[5]])
    choice.rest(1)
    choice.span(KEYS[1:4])
    choice.span(KEYS[1:3])
    assert set(choice.keys) == {KEYS[5], KEYS[1], KEYS[2]}
    choice.clear()
    choice.span(KEYS[:1])
    assert list(choice.keys) == [KEYS[0]]
