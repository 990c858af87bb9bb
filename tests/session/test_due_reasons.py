"""Why results are stale, in words, and what becomes of them when an answer is lost."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from evaltui.core.staleness import Degree
from tests.projects import MUSIC, ORDERS, TOOLS, make_project, with_description, write_tools
from tests.session.test_due_cases import ALL, ORDER, OTHER, SONG, Line
from tests.session.test_session import MUSIC_TOO, asking

CHANGED = "find_order.description changed"
ANOTHER_CHECK = {**ORDERS[0], "expect": {**ORDERS[0]["expect"], "responseContains": ["there"]}}


@pytest.fixture
async def fresh(tmp_path: Path) -> AsyncIterator[Line]:
    """All three cases have a result of the first reading."""
    made = Line(make_project(tmp_path))
    await made.open()
    await made.due.compare()
    made.finish(made.begin(), *ALL)
    yield made
    await made.state.close()


async def describe_anew(line: Line) -> None:
    path = write_tools(line.root, with_description("find_order", "Finds an order."))
    await line.state.reread_project([path])
    line.state.emit_reading()
    await line.due.compare()


async def test_the_most_frequent_reason_is_named_and_how_many_others_there_are(
    fresh: Line,
) -> None:
    assert fresh.due.reason(ALL) == "by hand"
    await describe_anew(fresh)
    assert fresh.due.reason(ALL) == CHANGED
    await fresh.save("find_order", (asking("Show order SO-9"), ORDERS[1]))
    await fresh.due.compare()
    assert fresh.due.reason(ALL) == f"{CHANGED} and 1 other reason"
    assert fresh.due.reason([OTHER]) == CHANGED


async def test_another_tool_is_named_and_stays_named_after_the_next_save(fresh: Line) -> None:
    await describe_anew(fresh)
    for _ in range(2):
        stale = {case.key: case for case in fresh.due.cases}
        assert stale[SONG].reasons == (CHANGED,)
        assert [stale[key].degree for key in ALL] == [
            Degree.AFFECTED,
            Degree.AFFECTED,
            Degree.POSSIBLY,
        ]
        await fresh.save("play_music", (MUSIC[0], MUSIC_TOO))
        await fresh.due.compare()


async def test_whose_answer_is_lost_has_to_be_asked(fresh: Line) -> None:
    await fresh.save("find_order", (ANOTHER_CHECK, ORDERS[1]))
    await fresh.due.compare()
    assert [case.degree for case in fresh.due.cases] == [Degree.TO_JUDGE]
    assert not fresh.due.emit_late_ones()
    fresh.due.miss_answers([ORDER, SONG], by_save=False)
    assert [(case.key, case.degree) for case in fresh.due.cases] == [(ORDER, Degree.AFFECTED)]
    assert fresh.due.emit_late_ones()
    assert fresh.stale_events[-1].cases == fresh.due.cases
    assert not fresh.due.emit_late_ones()


@pytest.mark.parametrize("by_save", [True, False])
async def test_a_lost_answer_is_the_doing_of_the_save_that_had_it_judged(
    fresh: Line, by_save: bool
) -> None:
    await fresh.save("find_order", (ANOTHER_CHECK, ORDERS[1]))
    await fresh.due.compare()
    fresh.due.of_save.begin()
    fresh.due.miss_answers([ORDER], by_save=by_save)
    assert [case.key for case in fresh.due.saved] == [ORDER] * by_save
    assert [case.degree for case in fresh.due.cases] == [Degree.AFFECTED]


async def test_a_lost_answer_that_a_save_has_judged_has_to_be_asked_for_that_save(
    fresh: Line,
) -> None:
    """Also where a key had it judged: the save came meanwhile."""
    fresh.due.open()
    await fresh.save("find_order", (ANOTHER_CHECK, ORDERS[1]))
    await fresh.due.compare()
    assert [case.degree for case in fresh.due.saved] == [Degree.TO_JUDGE]
    fresh.due.miss_answers([ORDER], by_save=False)
    assert [case.degree for case in fresh.due.saved] == [Degree.AFFECTED]


@pytest.mark.parametrize("by_save", [True, False])
async def test_what_waited_for_others_is_told_once_it_is_to_be_run(
    fresh: Line, by_save: bool
) -> None:
    fresh.due.release([SONG], by_save=by_save)
    assert [case.key for case in fresh.due.saved] == [SONG] * by_save
    assert fresh.due.emit_late_ones()
    assert [case.key for case in fresh.stale_events[-1].cases] == [SONG]
    fresh.due.release([SONG], by_save=True)
    assert [case.key for case in fresh.due.saved] == [SONG] * by_save, "it was due already"
    assert not fresh.due.emit_late_ones()


async def test_what_is_closed_hears_of_no_result(fresh: Line) -> None:
    await fresh.save("find_order", (asking("Show order SO-9"), ORDERS[1]))
    await fresh.due.compare()
    fresh.due.close()
    fresh.finish(fresh.begin(), ORDER)
    assert fresh.keys == (ORDER,)


async def test_a_tool_that_came_is_told_as_added(fresh: Line) -> None:
    path = write_tools(fresh.root, [*TOOLS, {**TOOLS[1], "name": "stop_music"}])
    await fresh.state.reread_project([path])
    fresh.state.emit_reading()
    await fresh.due.compare()
    reasons = {reason for case in fresh.due.cases for reason in case.reasons}
    assert reasons == {"stop_music added"}
