"""Two trajectories, step by step."""

from typing import Any

from evaltui.core.trace import Event
from evaltui.traces.alignment import MOST, align


def step(tool: str, **fields: Any) -> Event:
    return Event(actor="agent", type="tool_call", tool=tool, **fields)


def _tool(event: Event | None) -> str | None:
    return None if event is None else event.tool


def aligned(before: list[Event], after: list[Event]) -> list[tuple[str | None, str | None, bool]]:
    return [(_tool(one.before), _tool(one.after), one.is_same) for one in align(before, after)]


def test_what_is_missing_has_an_empty_place_and_the_rest_stays_beside_its_own() -> None:
    before = [step("a"), step("b"), step("c")]
    assert aligned(before, [step("a"), step("c")]) == [
        ("a", "a", True),
        ("b", None, False),
        ("c", "c", True),
    ]
    assert aligned([step("a")], [step("a"), step("b")])[1] == (None, "b", False)


def test_what_happened_instead_stands_beside_it() -> None:
    assert aligned([step("a"), step("b")], [step("a"), step("x")])[1] == ("b", "x", False)


def test_other_arguments_make_another_step_and_times_and_ids_do_not() -> None:
    (one,) = align([step("a", input={"n": 1})], [step("a", input={"n": 2})])
    assert not one.is_same
    (one,) = align([step("a", latency_ms=1, span_id="a")], [step("a", latency_ms=9, idx=7)])
    assert one.is_same


def test_every_step_of_both_sides_is_there_once() -> None:
    before = [step("abcab"[at % 5]) for at in range(40)]
    after = [step("bcaab"[at % 5]) for at in range(33)]
    steps = align(before, after)
    assert [one.before for one in steps if one.before is not None] == before
    assert [one.after for one in steps if one.after is not None] == after


def test_of_a_storm_the_beginning_is_aligned() -> None:
    assert len(align([step("a")] * 50_000, [step("a")] * 50_000)) == MOST
