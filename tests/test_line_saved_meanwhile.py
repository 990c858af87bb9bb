"""A save in the middle of an opening: its own cases first, and its headline stays its own."""

import asyncio
import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from evaltui.core.events import CasesStale, Event
from tests.agents.servers import Asked, serving
from tests.evaluators.loaded import evaluator, write
from tests.sample_project import FIND_ORDER, Line, at_the_line, copy_samples

pytestmark = pytest.mark.slow

SETTINGS = """
registry = "tools/tools.exports.ts"
concurrency = 4
agent = "slow"

[agents.slow]
type = "http"
url = "{url}"
is_free = true
"""
BEFORE, AFTER = "What is in order", "What exactly is in order"


@pytest.fixture
def samples(tmp_path: Path) -> Path:
    root = copy_samples(tmp_path / "samples")
    (root / "evals" / "refund_order.scenario.json").unlink()  # asks more than once
    return root


class SlowAgent:
    """Answers so many messages, and then waits for `go_on`."""

    def __init__(self, count: int) -> None:
        self.asked: list[str] = []
        self._answers = asyncio.Semaphore(count)

    def go_on(self, count: int) -> None:
        for _ in range(count):
            self._answers.release()

    async def answer(self, request: Asked, writer: asyncio.StreamWriter) -> None:
        self.asked.append(request.json["message"])
        await self._answers.acquire()
        body = b'{"response": "yes", "toolCalls": []}'
        head = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
        writer.write(head % len(body) + body)


@asynccontextmanager
async def opening(
    root: Path, count: int, settings: str = ""
) -> AsyncIterator[tuple[Line, SlowAgent]]:
    """The dashboard of which the first run has got an answer to so many messages."""
    agent = SlowAgent(count)
    async with serving(agent.answer) as server:
        (root / "evaltui.toml").write_text(settings + SETTINGS.format(url=server.url))
        async with at_the_line(root, is_first=False) as line:
            await line.until(lambda: len(line.ear.ever) > 0 and len(line.board.rows) > 0)
            await line.until(
                lambda: sum(1 for row in line.board.rows.values() if row.result) >= count
            )
            yield line, agent


async def test_a_save_in_mid_opening_has_its_own_headline_and_keeps_it(samples: Path) -> None:
    async with opening(samples, 6) as (line, agent):
        line.edit(FIND_ORDER, BEFORE, AFTER)
        await line.shows("find_order.golden.json gs-find-order-001 message", "1 of 45 affected")
        await line.until(lambda: any(AFTER in message for message in agent.asked))
        (saved,) = [run for run in line.ear.started if run.trigger]
        assert len(saved.cases) == 1
        agent.go_on(8)  # what was stopped had been asked already
        await line.until(lambda: line.board.counts.all.ran == 1)
        await line.until(lambda: line.board.runs.is_on and not line.board.is_save_running)
        header = line.driver.lines[0]
        assert "find_order.golden.json" in header and " 1 ran" in header, header
        agent.go_on(100)
        await line.until(lambda: not line.board.runs.is_on and not line.board.counts.all.not_run)
        header = line.driver.lines[0]
        assert "find_order.golden.json" in header and " 1 ran" in header, header
        assert line.board.counts.all.ran == 1


async def test_a_save_of_nothing_in_mid_opening_is_told_of_and_takes_no_headline(
    samples: Path,
) -> None:
    async with opening(samples, 6) as (line, agent):
        line.save(FIND_ORDER, line.read(FIND_ORDER) + "\n")
        await line.shows("find_order.golden.json changes no result.")
        assert "changes no result" not in line.driver.lines[0]
        agent.go_on(100)
        await line.until(lambda: not line.board.runs.is_on and not line.board.counts.all.not_run)
        header = line.driver.lines[0]
        assert " 44 ran" in header and "find_order" not in header, header
        assert line.board.counts.all.ran == 44


async def test_a_save_of_nothing_takes_no_headline_from_the_run_of_a_key(samples: Path) -> None:
    async with opening(samples, 41) as (line, agent):
        await line.until(lambda: not line.board.runs.is_on)
        await line.driver.press("a")
        await line.until(lambda: line.board.runs.is_on)
        line.save(FIND_ORDER, line.read(FIND_ORDER) + "\n")
        await line.shows("find_order.golden.json changes no result.")
        agent.go_on(100)
        await line.until(lambda: not line.board.runs.is_on)
        header = line.driver.lines[0]
        assert " 44 ran" in header and "find_order" not in header, header


OTHER = "evals/check_stock.golden.json"
OTHER_BEFORE, OTHER_AFTER = "Which warehouse has", "Which warehouse now has"


async def test_two_saves_of_one_run_are_both_named_for_the_figures_of_both(
    samples: Path,
) -> None:
    async with opening(samples, 41) as (line, agent):
        line.edit(FIND_ORDER, BEFORE, AFTER)
        await line.until(lambda: any(AFTER in message for message in agent.asked))
        line.edit(OTHER, OTHER_BEFORE, OTHER_AFTER)
        await line.until(lambda: any(OTHER_AFTER in message for message in agent.asked))
        await line.shows("find_order.golden.json check_stock.golden.json", "2 of 45 affected")
        agent.go_on(100)
        await line.shows("find_order.golden.json check_stock.golden.json", "2 ran")
        last = line.ear.started[-1]
        assert last.trigger == (FIND_ORDER, OTHER)


async def test_lines_of_two_saves_that_ran_as_one_add_up_to_the_headline(samples: Path) -> None:
    async with opening(samples, 41) as (line, agent):
        await line.until(lambda: not line.board.runs.is_on)
        text = line.read(FIND_ORDER)
        line.save(FIND_ORDER, text.replace('"message": "', '"message": "Please, '))
        agent.go_on(1)
        await line.until(lambda: line.board.counts.all.ran == 1)
        line.edit(FIND_ORDER, "Please, What", "Kindly, What")
        await line.until(lambda: any("Kindly" in message for message in agent.asked))
        agent.go_on(100)
        await line.until(lambda: not line.board.runs.is_on and line.board.counts.all.ran == 4)
        await line.shows("4 ran")
        await line.driver.press("H")
        await line.shows("Timeline", "4 ran", "1 ran", "superseded 1/4")
        later = next(text for text in line.driver.lines if "goes on" in text)
        assert "goes on with #2, 1 of them again" in later, later


async def test_a_run_goes_on_with_no_run_that_has_no_line(samples: Path) -> None:
    """As one that was superseded before anything had run."""
    async with opening(samples, 41) as (line, agent):
        await line.until(lambda: not line.board.runs.is_on)
        agent.asked.clear()
        line.edit(FIND_ORDER, BEFORE, AFTER)
        await line.until(lambda: bool(agent.asked))
        line.edit(OTHER, OTHER_BEFORE, OTHER_AFTER)
        await line.until(lambda: any(OTHER_AFTER in message for message in agent.asked))
        agent.go_on(100)
        await line.until(lambda: not line.board.runs.is_on and line.board.counts.all.ran == 2)
        await line.driver.press("H")
        await line.shows("Timeline", "2 ran", "#3")
        assert "goes on" not in line.driver.text and "#2" not in line.driver.text


async def test_what_is_put_back_while_it_runs_asks_for_nothing_but_what_had_run(
    samples: Path,
) -> None:
    async with opening(samples, 41) as (line, agent):
        await line.until(lambda: not line.board.runs.is_on)
        text = line.read(FIND_ORDER)
        agent.asked.clear()
        line.save(FIND_ORDER, text.replace('"message": "', '"message": "Please, '))
        await line.until(lambda: len(agent.asked) == 4)
        agent.go_on(1)
        await line.until(lambda: line.board.counts.all.ran == 1)
        agent.asked.clear()
        line.save(FIND_ORDER, text)
        await line.until(lambda: bool(agent.asked))
        agent.go_on(100)
        await line.until(lambda: not line.board.is_busy)
        assert len(agent.asked) == 1, "of the other three the results stand"
        await line.shows("find_order.golden.json", " 1 ran")
        assert not line.board.counts.all.due


async def test_what_is_put_back_before_anything_ran_asks_for_nothing(samples: Path) -> None:
    async with opening(samples, 41) as (line, agent):
        await line.until(lambda: not line.board.runs.is_on)
        text = line.read(FIND_ORDER)
        agent.asked.clear()
        line.save(FIND_ORDER, text.replace('"message": "', '"message": "Please, '))
        await line.until(lambda: len(agent.asked) == 4)
        agent.asked.clear()
        line.save(FIND_ORDER, text)
        await line.shows("changes no result", "undone  0/4")
        assert not agent.asked and not line.board.is_busy and not line.board.counts.all.due


def is_stale_event_of(event: Event, file: str) -> bool:
    return isinstance(event, CasesStale) and file in event.trigger


async def test_a_save_of_nothing_leaves_the_headline_to_the_save_that_runs(samples: Path) -> None:
    async with opening(samples, 41) as (line, agent):
        line.edit(FIND_ORDER, BEFORE, AFTER)
        await line.until(lambda: any(AFTER in message for message in agent.asked))
        line.save(OTHER, line.read(OTHER) + "\n")
        await line.until(lambda: any(is_stale_event_of(one, OTHER) for one in line.ear.ever))
        await line.shows("check_stock.golden.json changes no result.")
        assert "check_stock" not in line.driver.lines[0]
        agent.go_on(100)
        await line.shows("find_order.golden.json", " 1 ran")
        header = line.driver.lines[0]
        assert "check_stock" not in header and "changes no result" not in header, header


MINE = "checks/mine.py"
GOOD = evaluator("return passed('')")


def figures_of(line: Line) -> str:
    """The whole header, without what depends on how long it took."""
    return " ".join(re.sub(r"▕.*▏|eta \S+|\d\d:\d\d", "", line.driver.lines[0]).split())


def judge_by_mine(root: Path) -> None:
    """Three cases, of which an evaluator alone says how they went; no traces, which nobody asks."""
    (root / "evals" / "support.trace.json").unlink()
    suite = json.loads((root / OTHER).read_text())
    for case in suite["cases"]:
        case["expect"], case["evaluators"] = {}, [{"type": "mine"}]
    (root / OTHER).write_text(json.dumps(suite))
    write(root, MINE, GOOD)


async def test_every_figure_is_so_while_an_evaluator_is_saved_and_put_back(samples: Path) -> None:
    """A, B and A again during the run of a key; then B, and A."""
    judge_by_mine(samples)
    start, ends = "● WATCH agent slow", "✓6 ✗35 ○1 · ⚠4"
    async with opening(samples, 41, f'evaluators = ["./{MINE}"]\n') as (line, agent):
        await line.until(lambda: not line.board.runs.is_on)
        await line.driver.press("a")
        agent.go_on(6)
        await line.until(lambda: line.board.counts.all.ran == 6)
        of_key = f"{start} all cases run #2 6/41 {ends} ×4"
        assert figures_of(line) == of_key
        line.edit(MINE, "return passed", "return failed")
        await line.shows("mine.py", "affected")
        why = "mine.py 3 of 42 affected evaluator mine changed"
        assert figures_of(line) == f"{start} {why} run #2 6/41 ✓6 ✗35 ○1 · ◷3 ⚠4 ×4"
        line.save(MINE, GOOD)
        await line.shows("mine.py changes no result.")
        assert figures_of(line) == of_key
        agent.go_on(100)
        await line.until(lambda: not line.board.is_busy)
        effects = "0 worse · 0 better · 41 as before"
        assert figures_of(line) == f"{start} 41 ran · {effects} run #2 {ends}"
        line.edit(MINE, "return passed", "return failed")
        await line.shows("3 worse")
        await line.until(lambda: not line.board.is_busy)
        said = "mine.py 3 judged again · 3 worse · 0 better run #3"
        assert figures_of(line) == f"{start} {said} ✓3 ✗38 ○1 · ⚠4"
        line.save(MINE, GOOD)
        await line.shows("3 better")
        await line.until(lambda: not line.board.is_busy)
        said = "mine.py 3 judged again · 0 worse · 3 better run #4"
        assert figures_of(line) == f"{start} {said} {ends}"


async def test_how_far_repeated_cases_are_is_told_of_their_trials(samples: Path) -> None:
    async with opening(samples, 41) as (line, agent):
        await line.until(lambda: not line.board.runs.is_on)
        await line.driver.press("x")
        await line.driver.press("ctrl+u", "4", "enter")
        for done in (0, 1, 2, 3):
            await line.shows(f"{done}/4 trials")
            agent.go_on(1)
        await line.until(lambda: not line.board.runs.is_on)
        assert "trials" not in line.driver.lines[0]
