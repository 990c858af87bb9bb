"""The board stepped through its past: real saves, real runs, a real dashboard."""

from pathlib import Path

import pytest

from evaltui.tui.sessions.session_protocol import board_of
from tests.sample_project import FIND_ORDER, Line, at_the_line, copy_samples
from tests.test_line import CASE, EXPECTED, WRONG

pytestmark = pytest.mark.slow

OTHER = "gs-list-events-001"


@pytest.fixture
def samples(tmp_path: Path) -> Path:
    return copy_samples(tmp_path / "samples")


async def after_two_saves(line: Line) -> None:
    """A first run (#1), a save after which the case fails (#2), and one that mends it (#3)."""
    line.edit(FIND_ORDER, EXPECTED, WRONG)
    await line.row_shows(CASE, "✗")
    await line.runs(1)
    line.edit(FIND_ORDER, WRONG, EXPECTED)
    await line.row_shows(CASE, "✓")
    await line.runs(2)


async def test_the_board_steps_back_and_forth_through_the_saves(samples: Path) -> None:
    async with at_the_line(samples) as line:
        await after_two_saves(line)
        await line.driver.press("less_than_sign")
        await line.row_shows(CASE, "✗")
        header = line.driver.lines[0]
        assert "◀ #2" in header
        assert "find_order.golden.json" in header
        await line.driver.press("less_than_sign")
        await line.shows("◀ #1")
        assert "✓" in line.driver.row(CASE)
        await line.driver.press("less_than_sign")
        await line.shows("No earlier run", "◀ #1")
        await line.driver.press("greater_than_sign")
        await line.shows("◀ #2")
        await line.driver.press("greater_than_sign")
        await line.shows("WATCH")
        assert "◀" not in line.driver.lines[0]
        assert "✓" in line.driver.row(CASE)


async def test_of_the_past_nobody_says_that_every_file_could_be_read(samples: Path) -> None:
    async with at_the_line(samples) as line:
        await after_two_saves(line)
        line.save(FIND_ORDER, "[")
        await line.shows("4 shows 1 problem")
        await line.driver.press("less_than_sign", "less_than_sign", "4")
        await line.shows("◀ #1", "problems in files are not kept")
        line.driver.misses("No problems")
        await line.driver.press("escape", "escape", "4")
        await line.shows("WATCH", "4 Problems 1,")


async def test_nothing_runs_on_a_board_of_the_past_and_esc_returns_to_now(samples: Path) -> None:
    async with at_the_line(samples) as line:
        await after_two_saves(line)
        line.ear.forget()
        await line.driver.press("less_than_sign")
        await line.shows("◀ #2", "Esc returns to now")
        for key in ("a", "b", "u"):
            await line.driver.press(key)
            await line.shows("this is the board of run #2")
            line.driver.app.clear_notifications()
        await line.driver.press("escape")
        await line.shows("WATCH")
        assert line.ear.started == []
        assert line.driver.app.dashboard.controller.session is line.session


async def test_a_save_while_the_past_is_shown_runs_and_is_there_on_the_way_back(
    samples: Path,
) -> None:
    async with at_the_line(samples) as line:
        await after_two_saves(line)
        await line.driver.press("less_than_sign", "less_than_sign")
        await line.shows("◀ #1")
        line.edit(FIND_ORDER, EXPECTED, WRONG)
        await line.runs(3)
        assert "✓" in line.driver.row(CASE)
        assert "◀ #1" in line.driver.lines[0]
        await line.driver.press("escape")
        await line.row_shows(CASE, "✗")


async def test_the_timeline_lists_saves_and_runs_and_enter_shows_the_board_of_then(
    samples: Path,
) -> None:
    async with at_the_line(samples) as line:
        await after_two_saves(line)
        await line.driver.press("H")
        await line.shows("Timeline", "4 worse · 0 better", "0 worse · 4 better")
        newest, before, first = (line.driver.place(f"#{number} ")[0] for number in (3, 2, 1))
        assert newest < before < first
        row = line.driver.lines[before]
        assert all(text in row for text in ("find_order.golden.json", "4 judged again", "4 worse"))
        await line.driver.press("j", "enter")
        await line.row_shows(CASE, "✗")
        await line.shows("◀ #2")
        # Opened again it stands where the board is.
        await line.driver.press("H")
        await line.shows("Timeline")
        await line.driver.press("j", "enter")
        await line.shows("◀ #1")


async def test_a_board_of_then_says_what_its_run_told_whatever_is_muted_since(
    samples: Path,
) -> None:
    async with at_the_line(samples) as line:
        line.session.edits.mute("known", line.row(CASE).key)
        await line.until(lambda: line.board.counts.all.muted == 1)
        line.edit(FIND_ORDER, EXPECTED, WRONG)
        await line.shows("4 judged again · 3 worse", "1 muted")
        line.session.edits.unmute(line.row(CASE).key)
        other = next(row for row in line.board.rows.values() if row.effect and row.key.case != CASE)
        line.session.edits.mute("known since", other.key)
        line.edit(FIND_ORDER, WRONG, EXPECTED)
        await line.shows("4 judged again · 0 worse · 3 better", "1 muted")
        await line.runs(2)
        await line.driver.press("less_than_sign")
        await line.shows("◀ #2")
        header = line.driver.lines[0]
        assert "4 judged again · 3 worse · 0 better" in header and "1 muted" in header, header
        assert "⊘" in line.driver.row(CASE), "it was muted then"
        assert "✗" in line.driver.row(other.key.case), "that one was not"


async def test_two_points_are_held_against_each_other(samples: Path) -> None:
    async with at_the_line(samples) as line:
        await after_two_saves(line)
        await line.driver.press("H")
        await line.shows("Timeline", "#2 ")
        await line.driver.press("j", "space")
        await line.shows("▌#2")
        await line.driver.press("k", "enter")
        await line.shows("◀ #2 to #3", "4 compared · 0 worse · 4 better", "VIEW #2 to #3")
        line.driver.sees("2 Cases 4/46 #2 to #3", "BETTER 4")
        await line.shows("mean difference +100.0 points", "lost 0, gained 4")
        line.driver.app.clear_notifications()
        await line.driver.press("g")
        await line.shows("all cases that ran between the two", "mean difference +100.0 points")
        line.driver.misses("run #3")
        line.driver.misses("this save")
        await line.driver.press("escape")
        await line.shows("WATCH")
        line.driver.misses("VIEW")
        await line.driver.press("H")
        await line.shows("Timeline")
        # From the first to the last nothing differs: what failed in between was mended.
        await line.driver.press("space", "j", "j", "enter")
        await line.shows("◀ #1 to #3", "4 compared · 0 worse · 0 better")
        compared = line.driver.app.dashboard.controller.session
        shown = board_of(compared, line.board.agent).rows[line.row(CASE).key]
        assert shown.recent == line.row(CASE).recent, "the run between is in its strip too"
        assert len(shown.recent) == 3


async def test_a_small_run_held_against_an_earlier_one_tells_all_that_differs(
    samples: Path,
) -> None:
    async with at_the_line(samples) as line:
        line.edit(FIND_ORDER, EXPECTED, WRONG)
        await line.runs(1)
        await line.shows("4 worse")
        line.ear.forget()
        line.session.requests.rerun([line.row(OTHER).key])
        await line.runs(1)
        await line.driver.press("H")
        await line.shows("Timeline", "#3 ")
        await line.driver.press("j", "j", "space", "k", "k", "enter")
        await line.shows("◀ #1 to #3", "5 compared · 4 worse · 0 better", "WORSE 4", "AS BEFORE 1")


async def test_a_board_of_then_counts_what_was_muted_then_though_it_did_not_run(
    samples: Path,
) -> None:
    async with at_the_line(samples) as line:
        other = line.row(OTHER).key
        line.session.edits.mute("known", other)
        await line.until(lambda: line.board.counts.all.muted == 1)
        line.edit(FIND_ORDER, EXPECTED, WRONG)
        await line.runs(1)
        line.session.edits.unmute(other)
        await line.until(lambda: line.board.counts.all.muted == 0)
        line.edit(FIND_ORDER, WRONG, EXPECTED)
        await line.runs(2)
        await line.driver.press("less_than_sign")
        await line.shows("◀ #2", "⊘1")
        await line.driver.press("less_than_sign")
        await line.shows("◀ #1")
        assert "⊘1" not in line.driver.lines[0]


async def test_the_results_of_a_point_are_pinned_under_a_name(samples: Path) -> None:
    async with at_the_line(samples) as line:
        await after_two_saves(line)
        await line.driver.press("H")
        await line.shows("Timeline", "#2 ")
        await line.driver.press("j", "b")
        await line.shows("◀ #2", "Name of the baseline")
        await line.driver.write("bad-day")
        await line.driver.press("enter")
        await line.shows("failing cases")
        await line.driver.press("a")
        await line.shows("Pinned 46 cases as bad-day")
        await line.driver.press("escape")
        agent = line.session.agents[0]
        await line.session.baselines.use("bad-day", agent)
        await line.until(lambda: line.row(CASE).improved)
        (pinned,) = (one for one in line.session.baselines.named(agent) if one.name == "bad-day")
        assert pinned.cases == 46
        await line.driver.press("z")
        await line.until(lambda: "bad-day" not in line.session.baselines.names(agent))


async def test_a_point_whose_result_files_are_gone_is_not_pinned(samples: Path) -> None:
    async with at_the_line(samples) as line:
        await after_two_saves(line)
        await line.driver.press("H")
        await line.shows("Timeline", "#2 ")
        await line.driver.press("j")
        for path in (samples / line.session.config.output_dir).glob("find_order-*.json"):
            path.unlink()
        await line.driver.press("b")
        await line.shows("◀ #2", "Name of the baseline")
        await line.driver.write("gone")
        await line.driver.press("enter")
        await line.shows("failing cases")
        await line.driver.press("a")
        await line.shows("No result of run")
        assert "gone" not in line.session.baselines.names(line.session.agents[0])


MOVE_EVENT = "tools/calendar/move-event.tool.ts"
WORDS, FEWER = "reschedule, postpone or", "reschedule or"
POSTPONE, DATE = "ls-move-event-001", "ls-move-event-007"


async def test_rows_of_two_points_say_what_they_called_then_and_later(samples: Path) -> None:
    async with at_the_line(samples) as line:
        line.edit(MOVE_EVENT, WORDS, FEWER)
        await line.row_shows(POSTPONE, "move_event → cancel_event")
        await line.runs(1)
        line.edit(MOVE_EVENT, FEWER, WORDS)
        await line.row_shows(POSTPONE, "cancel_event → move_event")
        await line.runs(2)
        await line.driver.press("H")
        await line.shows("Timeline", "#3 ")
        await line.driver.press("j", "space", "k", "enter")
        await line.shows("◀ #2 to #3")
        assert "cancel_event → move_event" in line.driver.row(POSTPONE)
        await line.driver.press("H")
        await line.shows("Timeline", "#1 ")
        await line.driver.press("j", "space", "j", "enter")
        await line.shows("◀ #1 to #2")
        assert "move_event → cancel_event" in line.driver.row(POSTPONE)
        await line.driver.press("escape", "less_than_sign")
        await line.shows("◀ #2")
        assert "move_event → cancel_event" in line.driver.row(POSTPONE)


async def test_rows_that_a_run_left_alone_say_the_difference_as_the_live_board_does(
    samples: Path,
) -> None:
    async with at_the_line(samples) as line:
        assert 'date "…-06" → "…-05"' in line.driver.row(DATE)
        line.edit(MOVE_EVENT, "postpone", "mend")
        await line.runs(1)
        line.edit(MOVE_EVENT, "mend", "mend, reschedule")
        await line.runs(2)
        assert DATE in {key.case for key in line.ear.started[1].cases}
        await line.driver.press("less_than_sign")
        await line.shows("◀ #2")
        await line.driver.click("▸ unfold")
        await line.driver.press("enter")
        await line.shows(DATE)
        assert 'date "…-06" → "…-05"' in line.driver.row(DATE)


@pytest.mark.parametrize("size", [(60, 20), (80, 24)])
async def test_a_narrow_line_says_what_got_worse(samples: Path, size: tuple[int, int]) -> None:
    async with at_the_line(samples) as line:
        await after_two_saves(line)
        await line.driver.press("H")
        await line.shows("Timeline")
        await line.driver.resize(*size)
        await line.shows("4 worse ·", "4 better ·")
        row = next(text for text in line.driver.lines if "4 worse" in text)
        assert "find_or" in row and "#2" in row
        await line.driver.resize(160, 45)
        await line.shows("judged again · 4 worse · 0 better")
