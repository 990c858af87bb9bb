"""Journals of other processes, read as they grow: once, in order, to the end they came to."""

import contextlib
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from threading import Timer
from typing import Any, TypeVar

import pytest

from evaltui.core.case import Tier
from evaltui.core.events import CaseFinished, Event, ProjectRead, RunEnd, RunFinished, RunStarted
from evaltui.core.suite import Suite
from evaltui.core.tool import ToolRegistry
from evaltui.disk.file_lock import lock
from evaltui.disk.journal.journal import OPEN_SUFFIX, Journal
from evaltui.disk.journal.journal_reading import recover
from evaltui.disk.journal.other_runs import OtherRuns
from tests.disk.samples import SUITE, failed, passed

T = TypeVar("T")
RESULTS = (passed(), failed())
STARTED = RunStarted("run-1", "embedded", 1, tuple(one.key for one in RESULTS), "asked for")
FINISHED = RunFinished("run-1", "embedded", RunEnd.COMPLETED, 1.0)


def none_is_mine(_: str) -> bool:
    return False


def names(events: list[Event]) -> list[str]:
    return [type(event).__name__ for event in events]


Closing = Callable[[T], T]


@pytest.fixture
def closing() -> Iterator[Callable[[Any], Any]]:
    """Closes what it is given at the end."""
    with ExitStack() as stack:
        yield lambda one: stack.enter_context(contextlib.closing(one))


@pytest.fixture
def journal(tmp_path: Path, closing: Closing[Journal]) -> Journal:
    return closing(Journal(tmp_path))


Follow = Callable[[Path], OtherRuns]


@pytest.fixture
def follow(closing: Closing[OtherRuns]) -> Follow:
    return lambda folder: closing(OtherRuns(folder, none_is_mine))


def say(journal: Journal, *events: Event) -> None:
    for event in events:
        journal.handle(event)
    journal.flush()


def test_a_run_is_read_as_it_is_written(tmp_path: Path, journal: Journal, follow: Follow) -> None:
    runs = follow(tmp_path)
    assert list(runs.news()) == []
    say(journal, ProjectRead((), ToolRegistry(), ()), STARTED)
    assert list(runs.news()) == [STARTED]
    say(journal, CaseFinished("run-1", RESULTS[0]))
    (event,) = runs.news()
    assert isinstance(event, CaseFinished) and event.result.verdicts, "with all it is known of"
    assert list(runs.news()) == []
    say(journal, CaseFinished("run-1", RESULTS[1]), FINISHED)
    assert names(list(runs.news())) == ["CaseFinished", "RunFinished"]
    assert list(runs.news()) == []


def test_a_run_between_two_looks_is_read_whole(
    tmp_path: Path, journal: Journal, follow: Follow
) -> None:
    runs = follow(tmp_path)
    list(runs.news())
    say(journal, STARTED, *(CaseFinished("run-1", one) for one in RESULTS), FINISHED)
    assert names(list(runs.news())) == ["RunStarted", "CaseFinished", "CaseFinished", "RunFinished"]


def test_what_is_finished_already_is_not_read_and_what_is_on_is(
    tmp_path: Path, journal: Journal, follow: Follow
) -> None:
    say(journal, STARTED, FINISHED)
    say(journal, RunStarted("run-2", "embedded", 2, (), "asked for"))
    runs = follow(tmp_path)
    assert [event.run_id for event in runs.news() if isinstance(event, RunStarted)] == ["run-2"]


def test_a_run_that_one_listing_missed_is_no_other_one(
    tmp_path: Path, journal: Journal, follow: Follow
) -> None:
    """As one that was renamed while the folder was listed."""
    runs = follow(tmp_path)
    say(journal, STARTED)
    assert list(runs.news()) == [STARTED]
    path, elsewhere = journal.path("run-1"), tmp_path / "elsewhere"
    for here, there in ((path, elsewhere), (elsewhere, path)):
        here.rename(there)
        assert list(runs.news()) == []


def test_after_the_end_none_is_followed_any_more(tmp_path: Path, journal: Journal) -> None:
    runs = OtherRuns(tmp_path, none_is_mine)
    runs.close()
    say(journal, STARTED)
    assert list(runs.news()) == [], "its file would stay open"


def test_own_runs_are_left_out(
    tmp_path: Path, journal: Journal, closing: Closing[OtherRuns]
) -> None:
    runs = closing(OtherRuns(tmp_path, journal.is_mine))
    say(journal, STARTED)
    assert list(runs.news()) == []
    say(journal, FINISHED)
    assert list(runs.news()) == []


def test_a_torn_last_line_is_read_when_its_rest_comes(
    tmp_path: Path, journal: Journal, follow: Follow
) -> None:
    say(journal, STARTED, CaseFinished("run-1", RESULTS[0]))
    written = journal.path("run-1").read_bytes()
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    path = elsewhere / f"run-1{OPEN_SUFFIX}"
    runs = follow(elsewhere)
    with path.open("ab", buffering=0) as file:
        assert lock(file)
        found: list[str] = []
        for index in range(0, len(written), 300):
            file.write(written[index : index + 300])
            found += names(list(runs.news()))
    assert found == ["RunStarted", "CaseFinished"]


def test_a_run_whose_process_is_gone_is_ended(
    tmp_path: Path, journal: Journal, follow: Follow
) -> None:
    runs = follow(tmp_path)
    say(journal, STARTED, CaseFinished("run-1", RESULTS[0]))
    assert names(list(runs.news())) == ["RunStarted", "CaseFinished"]
    say(journal, CaseFinished("run-1", RESULTS[1]))
    with journal.path("run-1").open("ab") as file:
        file.write(b'{"event":"RunFinished","run_id"')
    journal.close()
    *_, result, end = runs.news()
    assert isinstance(result, CaseFinished)
    assert isinstance(end, RunFinished)
    assert (end.run_id, end.agent, end.end) == ("run-1", "embedded", RunEnd.LOST)
    (lost,) = recover(tmp_path)
    assert len(lost.results) == 2, "nobody keeps it locked"
    assert list(runs.news()) == []


def test_what_was_lost_before_is_not_shown(
    tmp_path: Path, journal: Journal, follow: Follow
) -> None:
    say(journal, STARTED)
    journal.close()
    assert list(follow(tmp_path).news()) == []


def test_lines_that_are_no_events_are_passed_over(
    tmp_path: Path, journal: Journal, follow: Follow
) -> None:
    runs = follow(tmp_path)
    say(journal, STARTED)
    with journal.path("run-1").open("ab") as file:
        file.write(b'{"event":"CaseFinished"}\n\xff\xfe\n\n{"event":"Unheard"}\n')
    say(journal, FINISHED)
    assert names(list(runs.news())) == ["RunStarted", "RunFinished"]


def test_a_folder_that_is_not_there_yet(
    tmp_path: Path, follow: Follow, closing: Closing[Journal]
) -> None:
    folder = tmp_path / "runs"
    runs = follow(folder)
    assert list(runs.news()) == []
    say(closing(Journal(folder)), STARTED)
    assert names(list(runs.news())) == ["RunStarted"]
    shutil.rmtree(folder)
    assert list(runs.news()) == []


def test_the_project_it_was_about_is_left_out(
    tmp_path: Path, journal: Journal, follow: Follow
) -> None:
    """It is only the part that the run was about; taken for a reading, all else would be gone."""
    runs = follow(tmp_path)
    suite = Suite(SUITE, "get_weather", Tier.GOLDEN, (), "0" * 12)
    say(journal, ProjectRead((suite,), ToolRegistry(), ()), STARTED)
    assert b"ProjectRead" in journal.path("run-1").read_bytes()
    assert list(runs.news()) == [STARTED]


def test_a_run_is_locked_although_somebody_looked_at_its_file_first(
    tmp_path: Path, journal: Journal
) -> None:
    path = tmp_path / f"run-1{OPEN_SUFFIX}"
    path.touch()
    with path.open("rb") as looking:
        assert lock(looking)
        Timer(0.05, looking.close).start()
        say(journal, STARTED)
    with path.open("rb") as other:
        assert not lock(other)
