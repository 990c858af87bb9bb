"""The head says everything whole where there is room, and has a mark where that is not all."""

import pytest
from msgspec.structs import replace

from evaltui.core.baseline import BaselineCase
from evaltui.core.case import ScenarioCase, TraceCase
from evaltui.core.proof import Proof
from evaltui.core.response import AgentResponse, Message
from evaltui.core.result import CaseStatus
from evaltui.core.staleness import Degree, DueCase
from evaltui.core.statistics.trials import Trials, TwoSides
from evaltui.core.trace import Event
from evaltui.store.row import Row
from evaltui.tui.panes.shown_case import write_no_result
from evaltui.tui.render.head import MOST_LINES, write_head
from evaltui.tui.render.look import Look
from evaltui.tui.render.text_builder import TextBuilder
from evaltui.tui.render.words import duration
from tests.tui import scene

CASE = scene.cases_of(scene.suites(1, 1))[0]


def head(reason: str, width: int, room: int = 99) -> list[str]:
    row = Row(CASE.key, CASE, scene.suites(1, 1)[0])
    result = scene.result(CASE, scene.F)
    row.result = replace(result, verdicts=(), error=reason)
    builder = TextBuilder(Look({}), width)
    write_head(builder, row, "embedded", scene.NOW, room=room)
    return builder.plain.split("\n")


@pytest.mark.parametrize("width", [30, 50, 70])
@pytest.mark.parametrize("times", [1, 20])
def test_a_reason_that_fits_is_there_whole(width: int, times: int) -> None:
    reason = " ".join(["expected city Paris but the call said Pariss"] * times)
    lines = head(reason, width)
    assert reason in " ".join(line.strip() for line in lines)


@pytest.mark.parametrize("width", [30, 50, 70])
def test_a_longer_one_ends_with_a_mark(width: int) -> None:
    lines = head("word " * 200, width, room=12)
    told = [line for line in lines if line.strip().startswith("word")]
    assert len(told) >= MOST_LINES
    assert len(lines) == 12
    assert told[-1].rstrip().endswith("…")
    assert all(len(line) <= width for line in lines)


def test_a_description_that_the_first_line_has_no_room_for_goes_on_in_the_next() -> None:
    case = replace(CASE, description="general knowledge, answered from nothing")
    row = Row(CASE.key, case, scene.suites(1, 1)[0], scene.result(CASE, scene.F))
    for room, is_whole in ((99, True), (4, False)):
        builder = TextBuilder(Look({}), 46)
        write_head(builder, row, "embedded", scene.NOW, room=room)
        assert (case.description in " ".join(builder.plain.split())) is is_whole
        first = builder.lines[0]
        assert first.plain.startswith(f"✗ failed  {CASE.key.case}  general")
        assert first.plain.endswith(" …") is not is_whole
        assert len({str(part.style) for part in first.segments}) > 1


def test_a_name_that_the_first_line_has_no_room_for_is_cut_and_not_left_out() -> None:
    row = Row(CASE.key, CASE, scene.suites(1, 1)[0], scene.result(CASE, scene.F))
    builder = TextBuilder(Look({}), 24)
    write_head(builder, row, "embedded", scene.NOW, room=4)
    assert builder.lines[0].plain == "✗ failed  gs-get-weath …"


def test_a_latency_below_half_a_millisecond_is_no_zero() -> None:
    assert (duration(0.2), duration(0), duration(0.6)) == ("<1ms", "0ms", "1ms")


@pytest.mark.parametrize(("latency", "is_told"), [(None, False), (0, True)])
def test_a_trace_that_tells_no_time_took_no_0_ms(latency: int | None, is_told: bool) -> None:
    said = Event(0, actor="assistant", type="message", output="yes", latency_ms=latency)
    case = replace(CASE, body=TraceCase("", trace=(said,)))
    row = Row(case.key, case, scene.suites(1, 1)[0])
    row.result = replace(scene.result(CASE, scene.P), duration_ms=0.0)
    builder = TextBuilder(Look({}), 120)
    write_head(builder, row, "embedded", scene.NOW)
    assert ("0ms" in builder.plain) is is_told


@pytest.mark.parametrize("room", [3, 4, 5, 6, 20])
def test_what_was_asked_is_there_in_the_room_there_is(room: int) -> None:
    asked = "Move the meeting EV-17 from 2026-10-05 to 2026-10-06, and tell everyone that it moved"
    case = replace(CASE, body=replace(CASE.body, message=asked))
    row = Row(CASE.key, case, scene.suites(1, 1)[0], scene.result(CASE, scene.P))
    builder = TextBuilder(Look({}), 40)
    write_head(builder, row, "embedded", scene.NOW, room=room)
    text = " ".join(builder.plain.split())
    assert (asked in text) is (room >= 5), "the facts give way first"
    assert "asks Move the meeting EV-17" in text
    assert len(builder.lines) <= room


@pytest.mark.parametrize("room", [-9, 0, 1])
def test_without_any_room_a_line_of_each_is_written(room: int) -> None:
    row = Row(CASE.key, CASE, scene.suites(1, 1)[0], scene.result(CASE, scene.F))
    builder = TextBuilder(Look({}), 80)
    write_head(builder, row, "embedded", scene.NOW, room=room)
    assert [line.plain.split()[0] for line in builder.lines][1] == "asks"
    assert len(builder.lines) == 4


def test_a_long_question_gives_way_before_the_reason_and_takes_all_that_is_left() -> None:
    case = replace(CASE, body=replace(CASE.body, message="word " * 200))
    row = Row(case.key, case, scene.suites(1, 1)[0], scene.result(CASE, scene.F))
    for room in (8, 20):
        builder = TextBuilder(Look({}), 40)
        write_head(builder, row, "embedded", scene.NOW, room=room)
        assert len(builder.lines) == room
        text = " ".join(builder.plain.split())
        assert 'expected "Paris", was "Pariss"' in text
        assert ("1 assertion run" in text) is (room == 20), "all else is there where it can be"


@pytest.mark.parametrize(
    ("width", "room", "has_picture"),
    [(120, 3, True), (78, 3, False), (58, 3, False), (58, 20, True)],
)
def test_what_trials_prove_is_never_cut_and_its_picture_is_the_first_to_go(
    width: int, room: int, *, has_picture: bool
) -> None:
    row = Row(CASE.key, CASE, scene.suites(1, 1)[0], scene.result(CASE, scene.F))
    row.baseline = BaselineCase(scene.P)
    row.proof = Proof(CASE.key, TwoSides(Trials(20, 2), Trials(1, 1)), further=6)
    builder = TextBuilder(Look({}), width)
    write_head(builder, row, "embedded", scene.NOW, room=room)
    text = " ".join(builder.plain.split())
    assert "evidence 20/22 → 1/2" in text
    assert "not proven, 6 more failures would prove it" in text
    assert ("█" in text) is has_picture


def test_due_and_outdated_have_the_marks_that_they_have_in_the_list() -> None:
    stale = DueCase(CASE.key, Degree.POSSIBLY, ("find_order.description changed",))
    row = Row(CASE.key, CASE, scene.suites(1, 1)[0], scene.result(CASE, scene.P), due=stale)
    row.is_outdated = True
    builder = TextBuilder(Look({}), 80)
    write_head(builder, row, "embedded", scene.NOW)
    assert "◷ due, possibly affected" in builder.plain
    assert "⚠ outdated" in builder.plain
    assert "⚠ due" not in builder.plain


def test_a_case_that_never_ran_is_told_of_no_key_for_what_is_due() -> None:
    builder = TextBuilder(Look({}), 80)
    write_no_result(builder, Row(CASE.key, CASE, scene.suites(1, 1)[0]))
    assert "r runs it" in builder.plain.replace("`", "")
    assert "due" not in builder.plain


def test_what_a_model_said_as_the_user_is_what_was_asked() -> None:
    case = replace(CASE, body=ScenarioCase("", success_criteria="It helps."))
    row = Row(case.key, case, scene.suites(1, 1)[0])
    builder = TextBuilder(Look({}), 60)
    write_head(builder, row, "embedded", scene.NOW)
    assert "asks (what the simulated user says)" in builder.plain
    said = AgentResponse("", messages=(Message("user", "My kettle\nbroke"),))
    row.result = replace(scene.result(CASE, scene.P), response=said)
    builder = TextBuilder(Look({}), 60)
    write_head(builder, row, "embedded", scene.NOW)
    assert "asks My kettle broke" in builder.plain


@pytest.mark.parametrize(
    ("status", "passes", "trials", "said"),
    [
        (scene.F, 2, 3, "2/3 attempts"),
        (scene.P, 3, 3, "3/3 attempts"),
        (scene.X, 0, 3, ""),
        (scene.P, 1, 1, ""),
    ],
)
def test_attempts_that_nobody_could_judge_are_no_failed_ones(
    status: CaseStatus, passes: int, trials: int, said: str
) -> None:
    row = Row(CASE.key, CASE, scene.suites(1, 1)[0])
    row.result = replace(scene.result(CASE, status), passes=passes, trials=trials)
    builder = TextBuilder(Look({}), 120)
    write_head(builder, row, "embedded", scene.NOW)
    head = builder.plain.split("\n")[0]
    assert (said in head) and ("attempts" in head) is bool(said)


def test_what_the_agent_is_called_is_said_once() -> None:
    result = replace(scene.result(CASE, scene.P), response=AgentResponse("done", source="trace"))
    builder = TextBuilder(Look({}), 90)
    write_head(builder, Row(CASE.key, CASE, scene.suites(1, 1)[0], result), "trace", scene.NOW)
    assert builder.plain.split().count("trace") == 1
