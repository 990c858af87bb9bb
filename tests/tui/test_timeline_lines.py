"""The lines of the timeline: they say what the header said of each run, and how it ended."""

from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from evaltui.core.comparison import Effect, GoesOn
from evaltui.core.events import RunEnd, RunFinished, RunStarted
from evaltui.disk.history.history_timeline import TimelinePoint
from evaltui.settings.keymap import make_keymap
from evaltui.tui.screens.timeline import TimelineScreen, choices
from tests.driver import driving
from tests.tui import scene
from tests.tui.fake_session import FakeSession

NOTHING = dict.fromkeys(Effect, 0)
DONE = TimelinePoint(
    3, "run-3", 3, "a reason", RunEnd.COMPLETED, 1.0, 2.0, NOTHING, 14, ("a.ts", "b.ts"), cases=14
)
BEFORE = replace(DONE, run_id="run-2", number=2, ran=1, cases=15, trigger=("a.ts",))


def lines(points: Sequence[TimelinePoint]) -> list[str]:
    return [choice.note for choice in TimelineScreen(points, make_keymap()).choices]


def test_a_line_says_all_parts_of_the_headline() -> None:
    effects = NOTHING | {Effect.ERROR: 1, Effect.AS_BEFORE: 5, Effect.NEW: 8}
    (said,) = lines([replace(DONE, effects=effects, trigger=())])
    assert said == "14 ran · 0 worse · 0 better · 1 in error · 5 as before · 8 new"


def test_narrow_lines_say_first_what_changed_all_in_one_order() -> None:
    effects = NOTHING | {Effect.BETTER: 2, Effect.AS_BEFORE: 2}
    stopped = replace(DONE, ran=4, cases=12, end=RunEnd.CANCELLED, effects=effects, trigger=())
    as_before = replace(DONE, effects=NOTHING | {Effect.AS_BEFORE: 14}, trigger=())
    assert [choice.note for choice in choices([stopped, as_before], 78)] == [
        "0 worse · 2 better · 4 ran · cancelled 4/12 · 2 as before",
        "0 worse · 0 better · 14 ran · 14 as before",
    ]


@pytest.mark.parametrize(
    ("end", "cases", "said"),
    [
        (RunEnd.COMPLETED, 15, "4 ran"),
        (RunEnd.CANCELLED, 15, "4 ran · cancelled 4/15"),
        (RunEnd.SUPERSEDED, 15, "4 ran · superseded 4/15"),
        (RunEnd.LOST, 0, "4 ran · was killed"),
    ],
)
def test_a_line_says_how_a_run_ended_before_its_end(end: RunEnd, cases: int, said: str) -> None:
    assert lines([replace(DONE, end=end, ran=4, cases=cases, trigger=())]) == [said]


def test_a_run_that_is_on_was_not_killed() -> None:
    assert lines([replace(DONE, end=RunEnd.LOST, is_on=True, ran=4, trigger=())]) == [
        "4 ran · still on"
    ]


async def test_an_open_timeline_says_how_a_run_ended_once_it_has() -> None:
    session = FakeSession()
    async with driving(session, events=scene.opened(scene.suites(4))) as driver:
        session.history.points = [replace(DONE, end=RunEnd.LOST)]
        await driver.hear(RunStarted("run-3", scene.AGENT, 3, (), "a reason"))
        await driver.press("H")
        await driver.sees_soon("14 ran · still on")
        session.history.points = [replace(DONE, end=RunEnd.CANCELLED)]
        await driver.hear(RunFinished("run-3", scene.AGENT, RunEnd.CANCELLED, 1.0))
        await driver.sees_soon("14 ran · cancelled")
        await driver.press("escape")


def test_a_run_that_goes_on_with_another_says_what_its_figures_leave_out() -> None:
    superseded = replace(BEFORE, end=RunEnd.SUPERSEDED)
    apart = replace(DONE, goes_on=GoesOn(2, 0, 15, 0, NOTHING))
    assert lines([apart, superseded]) == [
        "14 ran · goes on with #2 · a reason",
        "1 ran · superseded 1/15 · a reason",
    ]


def test_lines_that_do_not_add_up_to_the_header_say_why_and_to_what() -> None:
    effects = NOTHING | {Effect.WORSE: 1, Effect.AS_BEFORE: 13}
    some = GoesOn(2, 2, 14, 3, effects)
    assert lines([replace(DONE, ran=6, goes_on=some)]) == [
        "6 ran · goes on with #2, 2 of them again: "
        "together 11 ran · 3 judged again · 1 worse · 0 better · a reason"
    ]
    all_again = replace(some, again=8)
    told = "14 ran · 1 worse · 0 better · 13 as before · goes on with #2, 8 of them again"
    assert lines([replace(DONE, effects=effects, goes_on=all_again)]) == [f"{told} · a reason"]
    alone = NOTHING | {Effect.BETTER: 1, Effect.AS_BEFORE: 13}
    (tried_again,) = lines([replace(DONE, effects=alone, goes_on=replace(all_again, rejudged=0))])
    assert "8 of them again: together 14 ran · 1 worse · 0 better" in tried_again


def test_a_resumed_run_says_what_it_came_to_with_those_it_goes_on_with() -> None:
    effects = NOTHING | {Effect.WORSE: 6}
    own = replace(DONE, ran=4, effects=NOTHING | {Effect.WORSE: 4})
    whole = GoesOn(3, 0, 6, 0, effects, is_resumed=True)
    assert lines([replace(own, goes_on=whole)]) == [
        "4 ran · 4 worse · 0 better · goes on with #3: "
        "together 6 ran · 6 worse · 0 better · a reason"
    ]
    (again,) = lines([replace(own, goes_on=replace(whole, again=1))])
    assert "goes on with #3, 1 of them again: together 6 ran" in again


def test_a_line_names_each_file_that_was_saved_where_there_is_room() -> None:
    def label(*files: str) -> str:
        (choice,) = choices([replace(DONE, trigger=files)])
        return choice.label

    assert label("x/a.ts", "b.ts", "c.ts").endswith("  a.ts b.ts c.ts")
    assert label("a.ts", "b.ts", "c.ts", "d.ts").endswith("  a.ts b.ts c.ts +1")
    assert label("move-event.tool.ts", "find_order.golden.json").endswith("move-event.tool.ts +1")


@pytest.mark.parametrize("size", [(160, 45), (80, 24)])
async def test_what_runs_did_stands_below_each_other(size: tuple[int, int]) -> None:
    short, long = replace(DONE, trigger=("a.ts",)), replace(BEFORE, trigger=("a_longer_name.ts",))
    async with driving(FakeSession(on_open=list(scene.opened(scene.suites(2)))), size=size) as it:
        it.app.push_screen(TimelineScreen([short, long], make_keymap()))
        await it.settle()
        told = [line.split(" ran · ")[0] for line in it.lines if " ran · " in line]
        assert len(told) == 2
        assert len({line.rindex(" ") for line in told}) == 1, it.text
