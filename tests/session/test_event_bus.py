"""Who gets an event first: the store, then the journal, then whoever prints."""

import asyncio
import io
from pathlib import Path
from types import SimpleNamespace
from typing import TextIO, cast

import pytest

from evaltui.cli.run import recorded_first
from evaltui.core.errors import Problem
from evaltui.core.events import CaseFinished, Event, ProblemFound
from evaltui.disk.journal.journal import Journal
from evaltui.session.event_bus import EventBus
from evaltui.store.store import Store
from tests.cli.test_printed_is_recorded import finished
from tests.projects import make_project, write_suite
from tests.session.running.test_rejudging import orders
from tests.session.test_session import all_keys, opened

PROBLEM = ProblemFound(Problem("", "the disk is full"))


class Order(list[str]):
    """Where an event was, in order."""

    def sink(self, name: str) -> "Place":
        return Place(name, self)


class Place(Store):
    """Takes the part of a sink, of the store or of the journal."""

    def __init__(self, name: str, order: Order) -> None:
        super().__init__()
        self.name, self.order = name, order
        self.flushed = asyncio.Event()

    def handle(self, event: Event) -> None:
        assert event is PROBLEM
        self.order.append(self.name)

    def flush(self) -> None:
        self.flushed.set()


async def test_the_journal_comes_before_sinks_that_were_there_earlier() -> None:
    order = Order()
    bus = EventBus(order.sink("store"))
    bus.add_sink(order.sink("printer"))
    bus.record_in(cast("Journal", order.sink("journal")))
    bus.add_sink(order.sink("screen"))
    bus.emit(PROBLEM)
    assert order == ["store", "journal", "printer", "screen"]


async def test_what_another_process_wrote_down_is_not_written_down_again() -> None:
    order = Order()
    bus = EventBus(order.sink("store"))
    bus.record_in(cast("Journal", order.sink("journal")))
    bus.add_sink(order.sink("screen"))
    bus.relay(PROBLEM)
    assert order == ["store", "screen"]


def test_a_problem_is_told_with_its_time() -> None:
    heard: list[Event] = []
    bus = EventBus(Store(), clock=lambda: 5.0)
    bus.add_sink(SimpleNamespace(handle=heard.append))
    bus.report(PROBLEM.problem)
    assert heard == [ProblemFound(PROBLEM.problem, 5.0)]


async def test_the_journal_is_flushed_though_nothing_more_happens() -> None:
    order = Order()
    journal = order.sink("journal")
    bus = EventBus(order.sink("store"))
    bus.record_in(cast("Journal", journal))
    bus.emit(PROBLEM)
    assert not journal.flushed.is_set()
    async with asyncio.timeout(10):
        await journal.flushed.wait()
    journal.flushed.clear()
    bus.emit(PROBLEM)
    async with asyncio.timeout(10):
        await journal.flushed.wait()


class Stream(io.StringIO):
    """Looks, at each write, for the same in the journal on disk."""

    def __init__(self, runs: Path) -> None:
        super().__init__()
        self.runs = runs
        self.found: dict[str, bool] = {}

    def write(self, text: str) -> int:
        (path,) = self.runs.glob("*.jsonl")
        self.found[text] = text in set(finished(path.read_text()))
        return len(text)


class Printer:
    """Prints each result at once, however soon after the one before."""

    def __init__(self, out: TextIO) -> None:
        self.out = out

    def handle(self, event: Event) -> None:
        if isinstance(event, CaseFinished):
            self.out.write(event.result.key.case)


async def test_what_is_printed_of_a_run_is_on_disk_already(tmp_path: Path) -> None:
    """Also of results that come within a frame: the stream has them written first."""
    make_project(tmp_path)
    write_suite(tmp_path, "find_order", orders(40))
    async with opened(tmp_path) as (session, _):
        out = Stream(tmp_path / ".evaltui" / "runs")
        session.add_sink(Printer(recorded_first(out, session.flush)))
        await session.run(all_keys(session))
        assert len(out.found) == len(all_keys(session))
    assert set(out.found.values()) == {True}


@pytest.mark.parametrize(("newest", "is_as_it_was"), [(99.0, True), (100.0, False), (200.0, False)])
def test_what_happens_is_later_than_what_did(newest: float, is_as_it_was: bool) -> None:
    bus = EventBus(Store(), lambda: 100.0)
    bus.begin_after(newest)
    assert bus.clock() > newest
    assert (bus.clock() == 100.0) is is_as_it_was


async def test_what_is_flushed_by_hand_is_not_flushed_once_more() -> None:
    order = Order()
    bus, journal = EventBus(order.sink("store")), order.sink("journal")
    bus.record_in(cast("Journal", journal))
    bus.emit(PROBLEM)
    due = bus._flush_due
    bus.emit(PROBLEM)
    assert due is not None and bus._flush_due is due, "once a frame"
    bus.flush()
    assert journal.flushed.is_set()
    assert due.cancelled()
    assert bus._flush_due is None
