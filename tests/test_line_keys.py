"""Acting on results at the dashboard, with the real session: what keys do to files and rows."""

import asyncio
import json
import shutil
from pathlib import Path

import pytest

from evaltui.core.events import CasesStale, RunEnd
from tests.agents.servers import Asked, serving
from tests.sample_project import FIND_ORDER, FIND_ORDER_TOOL, Line, at_the_line, copy_samples
from tests.test_line import CASE, EXPECTED, WRONG

pytestmark = pytest.mark.slow

TOOL = "tools/calendar/move-event.tool.ts"


@pytest.fixture
def samples(tmp_path: Path) -> Path:
    return copy_samples(tmp_path / "samples")


async def go_to(line: Line, case: str) -> None:
    """Put the cursor on a case, by filtering as a person would."""
    await line.driver.press("2", "slash")
    await line.driver.write(case)
    await line.driver.press("enter")
    assert line.driver.app.dashboard.controller.layout.cases.row is line.row(case)


async def fail(line: Line) -> None:
    """Make one case fail by what it expects, and go to it."""
    text = line.read(FIND_ORDER)
    line.save(FIND_ORDER, text.replace(EXPECTED, WRONG, 1))
    await line.row_shows(CASE, "✗")
    await line.runs()
    await go_to(line, CASE)


async def test_a_pinned_case_that_fails_later_is_marked_and_undo_takes_the_pin_back(
    samples: Path,
) -> None:
    shutil.rmtree(samples / "evals" / "baselines")
    async with at_the_line(samples) as line:
        await go_to(line, CASE)
        await line.driver.press("b")
        await line.until(lambda: bool(line.board.standards.baselines))
        line.edit(FIND_ORDER, EXPECTED, WRONG)
        await line.row_shows(CASE, "↓")
        assert "↓1" in line.driver.lines[0]
        await line.runs()
        await line.driver.press("z")
        await line.until(lambda: not line.board.standards.baselines)
        assert "↓" not in line.driver.row(CASE)
        await line.driver.press("Z")
        await line.row_shows(CASE, "↓")


async def test_accept_shows_the_change_writes_only_that_and_can_be_undone(samples: Path) -> None:
    async with at_the_line(samples) as line:
        await fail(line)
        before = line.read(FIND_ORDER)
        await line.driver.press("u")
        await line.shows('-          "play_music"', '+          "find_order"')
        assert line.read(FIND_ORDER) == before
        await line.driver.press("enter")
        await line.row_shows(CASE, "✓")
        assert line.read(FIND_ORDER) == before.replace(WRONG, EXPECTED)
        await line.driver.press("z")
        await line.row_shows(CASE, "✗")
        assert line.read(FIND_ORDER) == before


async def test_accept_writes_nothing_when_the_file_changed_meanwhile(samples: Path) -> None:
    async with at_the_line(samples) as line:
        await fail(line)
        await line.driver.press("u")
        await line.shows('+          "find_order"')
        other = line.read(FIND_ORDER).replace("asks for the cost", "asks for the price")
        line.save(FIND_ORDER, other)
        await line.until(lambda: "price" in line.row("gs-find-order-002").case.description)
        await line.driver.press("enter")
        assert line.read(FIND_ORDER) == other
        assert line.board.rows


async def test_a_captured_case_appears_as_regression_case(samples: Path) -> None:
    async with at_the_line(samples) as line:
        await fail(line)
        await line.driver.press("C")
        await line.driver.write("bug-17")
        await line.driver.press("enter")
        await line.shows("rg-find-order-001")
        await line.driver.press("enter")
        written = samples / "evals" / "find_order.regression.json"
        await line.until(written.exists)
        (case,) = json.loads(written.read_text())["cases"]
        assert case["id"] == "rg-find-order-001"
        assert case["bugRef"] == "bug-17"
        assert case["createdAt"]
        await line.until(lambda: any(row.case == case["id"] for row in line.board.rows))
        await line.driver.press("z")
        await line.until(lambda: not written.exists())


async def test_a_muted_failure_does_not_count(samples: Path) -> None:
    async with at_the_line(samples) as line:
        await fail(line)
        failed = line.driver.lines[0]
        numbers = line.board.counts.all
        before = numbers.failed
        await line.driver.press("m")
        await line.driver.write("flaky on Mondays")
        await line.driver.press("enter")
        await line.until(lambda: bool(line.row(CASE).muted))
        await line.driver.press("3")
        await line.shows("flaky on Mondays")
        assert (numbers.failed, numbers.muted) == (before - 1, 1)
        assert f"✗{before - 1}" in line.driver.lines[0] and "⊘1" in line.driver.lines[0]
        await line.driver.press("z")
        await line.until(lambda: not line.row(CASE).muted)
        assert line.driver.lines[0].split("✓")[1] == failed.split("✓")[1]


async def test_the_walk_stands_on_every_failure_once(samples: Path) -> None:
    async with at_the_line(samples) as line:
        failures = sum(row.result.status == "failed" for row in line.board.rows.values())  # type: ignore[union-attr]
        seen: list[str] = []
        await line.driver.press("i")
        while "WALK" in line.driver.text:
            assert f"WALK {len(seen) + 1}/{failures}" in line.driver.lines[-1]
            row = line.driver.app.dashboard.controller.layout.cases.row
            assert row is not None
            seen.append(str(row.key))
            await line.driver.press("i")
        assert len(set(seen)) == len(seen) == failures


async def test_paused_changes_are_counted_and_make_one_run_on_resume(samples: Path) -> None:
    async with at_the_line(samples) as line:
        await line.driver.press("p")
        await line.shows("PAUSED")
        line.edit(FIND_ORDER, EXPECTED, WRONG)
        await line.shows("PAUSED 4 queued", "4 of 46 affected")
        line.edit(FIND_ORDER_TOOL, "Looks up one order", "Finds one order")
        await line.shows("find-order.tool.ts")
        await line.until(lambda: line.session.watch_loop.pending(line.board.agent) > 4)
        assert not line.ear.started
        due = line.session.watch_loop.pending(line.board.agent)
        await line.driver.press("p")
        (run,) = await line.runs()
        assert len(run.cases) == due
        assert set(run.trigger) == {FIND_ORDER, FIND_ORDER_TOOL}
        line.driver.misses("PAUSED")


async def test_a_change_during_a_run_supersedes_it(samples: Path) -> None:
    asked: list[str] = []

    async def slowly(request: Asked, writer: asyncio.StreamWriter) -> None:
        asked.append(request.json["message"])
        await asyncio.sleep(0.15)
        body = b'{"response": "yes", "toolCalls": []}'
        head = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
        writer.write(head % len(body) + body)

    async with serving(slowly) as server:
        (samples / "evaltui.toml").write_text(
            'registry = "tools/tools.exports.ts"\nconcurrency = 4\nagent = "slow"\n'
            f'[agents.slow]\ntype = "http"\nurl = "{server.url}"\nis_free = true\n'
        )
        async with at_the_line(samples) as line:
            asked.clear()
            await line.driver.press("a")
            await line.until(lambda: len(line.ear.finished) >= 8)
            line.edit(FIND_ORDER, "What is in order", "What exactly is in order")
            await line.runs(3)
            first, *others = line.ear.ended
            assert first.end is RunEnd.SUPERSEDED
            assert {run.end for run in others} == {RunEnd.COMPLETED}
            began, saved, rest = line.ear.started
            assert (saved.trigger, rest.trigger, rest.is_rest) == ((FIND_ORDER,), (), True)
            done = set(line.ear.finished)
            assert done >= set(began.cases)
            assert len(rest.cases) < len(began.cases)
            assert not line.session.requests.due_keys(line.session.agents[0])
            cases = line.board.rows
            never = {*saved.never_asked, *rest.never_asked}
            again = sum(
                cases[key].case.asks_agent and key not in never
                for key in (*saved.cases, *rest.cases)
            )
            assert "What is in order SO-1042?" not in asked[-again:]


async def test_what_a_save_did_stays_told_while_keys_answer_it(samples: Path) -> None:
    """Trying a case again, and accepting the description that was saved."""
    async with at_the_line(samples) as line:
        line.edit(TOOL, "reschedule, postpone or", "reschedule or")
        await line.shows("1 worse", "WORSE 1", 'lost "postpone"')
        await line.runs()
        line.ear.forget()
        await line.driver.press("x", "backspace", "backspace")
        await line.driver.write("3")
        await line.driver.press("enter")
        (run,) = await line.runs()
        assert run.trials == 3
        for text in ("1 worse", "WORSE 1", 'lost "postpone"', "move-event.tool.ts"):
            line.driver.sees(text)
        session, key = line.session, line.row("ls-move-event-001").key
        session.edits.apply(session.edits.preview_accept(key, line.board.agent, "description_hash"))
        await line.until(
            lambda: any(isinstance(one, CasesStale) and one.trigger for one in line.ear.heard)
        )
        assert not line.row("ls-move-event-001").is_outdated
        for text in ("1 worse", "WORSE 1", 'lost "postpone"', "move-event.tool.ts"):
            line.driver.sees(text)
