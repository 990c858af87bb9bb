"""A save in the middle of an opening: its own cases first, and its headline stays its own."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tests.agents.servers import Asked, serving
from tests.sample_project import FIND_ORDER, Line, at_the_line, copy_samples

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
    return copy_samples(tmp_path / "samples")


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
async def opening(root: Path, count: int) -> AsyncIterator[tuple[Line, SlowAgent]]:
    """The dashboard of which the first run has got an answer to so many messages."""
    agent = SlowAgent(count)
    async with serving(agent.answer) as server:
        (root / "evaltui.toml").write_text(SETTINGS.format(url=server.url))
        async with at_the_line(root, is_first=False) as line:
            await line.until(lambda: len(line.ear.ever) > 0 and len(line.board.rows) > 0)
            await line.until(
                lambda: sum(1 for row in line.board.rows.values() if row.result) >= count
            )
            yield line, agent


async def test_a_save_in_mid_opening_has_its_own_headline_and_keeps_it(samples: Path) -> None:
    async with opening(samples, 6) as (line, agent):
        line.edit(FIND_ORDER, BEFORE, AFTER)
        await line.shows("find_order.golden.json", "1 of 42 affected", "case changed")
        await line.until(lambda: any(AFTER in message for message in agent.asked))
        (saved,) = [run for run in line.ear.started if run.trigger]
        assert len(saved.cases) == 1
        agent.go_on(8)  # what was stopped had been asked already
        await line.until(lambda: line.board.counts.all.ran == 1)
        await line.until(lambda: line.board.is_running and not line.board.is_save_running)
        header = line.driver.lines[0]
        assert "find_order.golden.json" in header and " 1 ran" in header, header
        agent.go_on(100)
        await line.until(lambda: not line.board.is_running and not line.board.counts.all.not_run)
        header = line.driver.lines[0]
        assert "find_order.golden.json" in header and " 1 ran" in header, header
        assert line.board.counts.all.ran == 1


async def test_a_save_of_nothing_in_mid_opening_counts_no_result(samples: Path) -> None:
    async with opening(samples, 6) as (line, agent):
        line.save(FIND_ORDER, line.read(FIND_ORDER) + "\n")
        await line.shows("find_order.golden.json", "changes no result")
        agent.go_on(100)
        await line.until(lambda: not line.board.is_running and not line.board.counts.all.not_run)
        header = line.driver.lines[0]
        assert "find_order.golden.json" in header and "changes no result" in header, header
        assert " ran" not in header
