"""From a save to the screen: real files, the real session, a real dashboard."""

import asyncio
import os
import time
from pathlib import Path

import pytest

from evaltui.core.case import CaseKey
from evaltui.core.errors import Severity
from tests.sample_project import (
    FIND_ORDER,
    FIND_ORDER_TOOL,
    Line,
    at_the_line,
    copy_samples,
)

pytestmark = pytest.mark.slow

CASE = "gs-find-order-001"
EXPECTED = '"toolsCalled": [\n          "find_order"\n        ]'
WRONG = '"toolsCalled": [\n          "play_music"\n        ]'


def mistakes(line: Line) -> list[str]:
    return [
        str(one) for one in line.session.store.problems.reported if one.severity is Severity.ERROR
    ]


@pytest.fixture
def samples(tmp_path: Path) -> Path:
    return copy_samples(tmp_path / "samples")


async def fails_after(line: Line, file: str = FIND_ORDER) -> None:
    await line.row_shows(CASE, "✗")
    assert [run.trigger for run in line.ear.started] == [(file,)]


async def test_a_save_changes_the_verdict_on_the_screen_and_the_next_one_back(
    samples: Path,
) -> None:
    async with at_the_line(samples) as line:
        assert "✓" in line.driver.row(CASE)
        line.edit(FIND_ORDER, EXPECTED, WRONG)
        await line.row_shows(CASE, "play_music → find_order")
        await line.shows("find_order.golden.json", "4 judged again", "4 worse", "0 better")
        line.edit(FIND_ORDER, WRONG, EXPECTED)
        await line.row_shows(CASE, "direct question")
        assert len(await line.runs(2)) == 2


async def test_a_changed_description_is_named_with_how_far_it_reaches(samples: Path) -> None:
    async with at_the_line(samples) as line:
        line.edit(FIND_ORDER_TOOL, "Looks up one order", "Finds one order")
        (run,) = await line.runs()
        affected = len(run.cases)
        assert 4 <= affected < 46
        assert run.trigger == (FIND_ORDER_TOOL,)
        header = line.driver.lines[0]
        assert "find-order.tool.ts" in header
        assert f"find-order.tool.ts description  {affected} ran" in header


async def test_a_case_that_flipped_shows_the_words_that_the_save_took_away(samples: Path) -> None:
    tool = "tools/calendar/move-event.tool.ts"
    async with at_the_line(samples) as line:
        line.edit(tool, "reschedule, postpone or", "reschedule or")
        await line.row_shows("ls-move-event-001", "✗")
        await line.runs()
        await line.shows('WORSE 1  move_event - "postpone"')
        await line.shows("changed in this save", "move_event  description")
        await line.shows('lost "postpone" +1.09  p 0.75 → 0.50')
        await line.shows("- Moves a meeting", "postpone or bring", "+ Moves a meeting")


async def test_an_imported_file_counts_as_the_tool_that_imports_it(samples: Path) -> None:
    async with at_the_line(samples) as line:
        line.edit("tools/shop/words.ts", "Order number", "Number of an order")
        runs = await line.runs()
        assert "tools/shop/words.ts" in runs[0].trigger
        assert "words.ts" in line.driver.lines[0]


async def test_a_half_saved_file_is_one_problem_and_the_board_stands(samples: Path) -> None:
    async with at_the_line(samples) as line:
        whole = line.read(FIND_ORDER)
        rows = dict(line.board.rows)
        results = {key: row.result for key, row in rows.items()}
        seen: list[int] = []
        refresh = line.driver.app.dashboard.controller.refresh

        def watched(changes: object) -> None:
            seen.append(len(line.board.rows))
            refresh(changes)  # type: ignore[arg-type]

        line.driver.app.dashboard.controller.pump._show = watched
        for share in (0.2, 0.4, 0.6, 0.8):
            line.save(FIND_ORDER, whole[: int(len(whole) * share)])
            await asyncio.sleep(0.03)
        await line.shows("4 shows 1 problem")
        assert [problem.file for problem in line.session.store.problems.of_project] == [FIND_ORDER]
        assert "✓" in line.driver.row(CASE)
        line.save(FIND_ORDER, whole)
        await line.until(lambda: not line.session.store.problems.of_project)
        line.driver.misses("1 problem")
        assert set(seen) == {46}
        assert {key: row.result for key, row in line.board.rows.items()} == results
        assert not line.ear.started


async def test_three_saves_within_50_ms_make_one_run(samples: Path) -> None:
    async with at_the_line(samples) as line:
        text = line.read(FIND_ORDER)

        def save_thrice(turn: int) -> float:
            started = time.perf_counter()
            for number in range(3):
                line.save(FIND_ORDER, text.replace("What is in", f"Save {turn}.{number}: what is"))
                if number < 2:
                    time.sleep(0.012 / (1 + turn))
            return time.perf_counter() - started

        took = 1.0
        for turn in range(20):  # a busy machine may take longer: the next ones are closer
            line.ear.forget()
            took = await asyncio.to_thread(save_thrice, turn)
            await line.until(lambda: line.row(CASE).case.message.startswith(f"Save {turn}.2"))  # noqa: B023
            await line.runs()
            await line.reread()
            if took <= 0.05:
                break
        assert took <= 0.05
        assert len(line.runs_of(FIND_ORDER)) == 1


async def test_a_save_that_changes_nothing_reruns_nothing(samples: Path) -> None:
    async with at_the_line(samples) as line:
        for file in (FIND_ORDER, FIND_ORDER_TOOL, "evaltui.toml"):
            line.save(file, line.read(file))
        line.save(FIND_ORDER, line.read(FIND_ORDER).replace("\n", "\n\n"))
        await line.reread()
        assert {key.case for run in line.ear.started for key in run.cases} == {"gs-marker-001"}


async def test_a_deleted_file_goes_and_comes_back_with_its_results(samples: Path) -> None:
    async with at_the_line(samples) as line:
        text = line.read(FIND_ORDER)
        (samples / FIND_ORDER).unlink()
        await line.shows("2 Cases 42")
        line.save(FIND_ORDER, text)
        await line.shows("2 Cases 46")
        await line.row_shows(CASE, "✓")


async def test_a_deleted_folder_comes_back(samples: Path) -> None:
    async with at_the_line(samples) as line:
        evals, away = samples / "evals", samples.parent / "away"
        evals.rename(away)
        await line.until(lambda: not line.board.rows)
        away.rename(evals)
        await line.shows("2 Cases 46")
        line.edit(FIND_ORDER, EXPECTED, WRONG)
        await line.row_shows(CASE, "✗")


async def test_200_files_at_once_make_one_run(samples: Path) -> None:
    folder = samples / "evals" / "many"
    folder.mkdir()
    text = (samples / FIND_ORDER).read_text()

    def write(word: str) -> None:
        for number in range(200):
            path = folder / f"part_{number}.golden.json"
            path.write_text(text.replace("What is in", word))

    write("Tell me what is in")
    async with at_the_line(samples) as line:
        await line.shows("2 Cases 846")
        write("What exactly is in")
        keys = {key for key in line.board.rows if "/many/" in key.suite and key.case == CASE}
        await line.until(lambda: keys <= set(line.ear.finished))
        await line.runs()
        done = [run for run in line.ear.ended if run.end == "completed"]
        assert len(done) == 1
        assert "+198" in line.driver.lines[0] or "200" in line.driver.lines[0]


def by_rename(path: Path, text: str) -> None:
    new = path.with_name(f"{path.name}.tmp.4711")
    new.write_text(text)
    new.replace(path)


def by_truncating(path: Path, text: str) -> None:
    with path.open("r+b") as file:
        file.truncate(0)
        file.flush()
        for start in range(0, len(text), 700):
            file.write(text[start : start + 700].encode())
            file.flush()


def like_vim(path: Path, text: str) -> None:
    swap, backup = path.with_name(f".{path.name}.swp"), path.with_name(f"{path.name}~")
    swap.write_bytes(b"b0VIM 9.0")
    (path.parent / "4913").write_bytes(b"")
    (path.parent / "4913").unlink()
    path.rename(backup)
    path.write_text(text)
    backup.unlink()
    swap.unlink()


def by_a_link(path: Path, text: str) -> None:
    """A file that is a link by now is written where it points."""
    Path(os.path.realpath(path)).write_text(text)


@pytest.mark.parametrize(
    "saving",
    [by_rename, *(pytest.param(way, marks=pytest.mark.slow) for way in (by_truncating, like_vim))],
)
async def test_editors_ways_of_saving(samples: Path, saving: object) -> None:
    async with at_the_line(samples) as line:
        text = line.read(FIND_ORDER).replace(EXPECTED, WRONG, 1)
        saving(samples / FIND_ORDER, text)  # type: ignore[operator]
        await fails_after(line)
        assert not mistakes(line)
        assert all("swp" not in str(key) and "~" not in str(key) for key in line.board.rows)


async def test_a_linked_eval_file_is_followed(samples: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    target = elsewhere / "orders.json"
    (samples / FIND_ORDER).rename(target)
    (samples / FIND_ORDER).symlink_to(target)
    async with at_the_line(samples, outside=("../elsewhere",)) as line:
        by_a_link(samples / FIND_ORDER, line.read(FIND_ORDER).replace(EXPECTED, WRONG, 1))
        await fails_after(line)
        assert CaseKey(FIND_ORDER, CASE) in line.board.rows
