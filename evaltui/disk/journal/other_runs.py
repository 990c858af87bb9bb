"""Runs that other processes record in a project folder, read as they write them."""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from evaltui.core.case import CaseKey
from evaltui.core.events import (
    BaselineCompared,
    CaseFinished,
    CaseStarted,
    Event,
    EvidenceWeighed,
    ProblemFound,
    RunEnd,
    RunFinished,
    RunStarted,
    ToolCalled,
    TurnFinished,
)
from evaltui.core.result import CaseResult
from evaltui.disk.file_lock import lock
from evaltui.disk.journal.journal import OPEN_SUFFIX, SUFFIX
from evaltui.disk.journal.journal_reading import event_of
from evaltui.files import open_file

_OF_A_RUN = tuple(
    f'{{"event":"{kind.__name__}"'.encode()
    for kind in (
        CaseFinished,
        CaseStarted,
        ToolCalled,
        TurnFinished,
        RunStarted,
        RunFinished,
        BaselineCompared,
        EvidenceWeighed,
        ProblemFound,
    )
)
"""How things stood when the run began is left out: whoever reads knows it of the project."""
_TICK_NS = 50_000_000
"""A file system's clock may stand still for so long."""


class OtherRuns:
    """Those that are on when this is made, and those to come; the history has the others."""

    def __init__(self, folder: Path, is_mine: Callable[[str], bool]) -> None:
        """`is_mine` says of a journal's name whether this process writes it."""
        self._folder = folder
        self._is_mine = is_mine
        self._growing: dict[str, GrowingJournal] = {}
        self._is_closed = False
        self._listed: set[str] = set()
        self._listed_at: int | None = None
        """The folder's time of change when it was listed last."""
        for name, path in self._new():
            if path.name.endswith(OPEN_SUFFIX) and not _is_abandoned(path):
                self._follow(name, path)

    def news(self) -> Iterator[Event]:
        """What was written since the last time, run after run.

        A run whose process is gone ends as cancelled; it stays for `recover`.
        """
        for name, path in self._new():
            if not self._is_mine(name):
                self._follow(name, path)
        for name, journal in tuple(self._growing.items()):
            yield from journal.news()
            if journal.is_ended:
                del self._growing[name]

    def close(self) -> None:
        """Follow none any more, also where somebody still asks for news."""
        self._is_closed = True
        for journal in self._growing.values():
            journal.close()
        self._growing.clear()

    def _follow(self, name: str, path: Path) -> None:
        if self._is_closed:
            return
        # Finished and renamed meanwhile, or removed: the other name is tried.
        finished = path.with_name(f"{name}{SUFFIX}")
        for place in dict.fromkeys((path, finished)):
            with suppress(OSError):
                self._growing[name] = GrowingJournal(place)
                return

    def _new(self) -> Iterator[tuple[str, Path]]:
        """Runs that were not there the last time, with their journals."""
        try:
            changed_at = self._folder.stat().st_mtime_ns
            if changed_at == self._listed_at:
                return
            paths = sorted(self._folder.glob(f"*{SUFFIX}"))
            # What comes within the same tick of the clock would not change the time again.
            is_settled = time.time_ns() - changed_at > _TICK_NS
            self._listed_at = changed_at if is_settled else None
        except OSError:
            return
        for path in paths:
            # Once: a listing may miss what is renamed meanwhile, and the next one has it again.
            if _name(path) not in self._listed:
                self._listed.add(_name(path))
                yield _name(path), path


class GrowingJournal:
    """One run, whose process may write on. Raises OSError when it cannot be opened."""

    def __init__(self, path: Path) -> None:
        self._file = open_file(path)
        self._rest = b""
        """The beginning of a line whose end is not written yet."""
        self._is_begun = False
        self._started: RunStarted | None = None
        self._finished: dict[CaseKey, CaseResult] = {}
        self.is_ended = False

    def news(self) -> Iterator[Event]:
        """The events of all lines that were written since the last time."""
        yield from self._lines()
        # The lock of its writer is there before the first line is.
        if self._is_begun and not self.is_ended and lock(self._file):
            yield from self._lines()
            if not self.is_ended:
                self.is_ended = True
                yield from self._abandoned()
        if self.is_ended:
            self.close()

    def close(self) -> None:
        self._file.close()

    def _lines(self) -> Iterator[Event]:
        while not self.is_ended:
            line = self._rest + self._file.readline()
            if not line.endswith(b"\n"):
                self._rest = line
                return
            self._rest, self._is_begun = b"", True
            if line.startswith(_OF_A_RUN):
                with suppress(ValueError, RecursionError):
                    event = event_of(line, self._finished)
                    self._note(event)
                    yield event

    def _note(self, event: Event) -> None:
        match event:
            case RunStarted():
                self._started = event
            case CaseFinished(_, result):
                self._finished[result.key] = result
            case RunFinished():
                self.is_ended = True
            case _:
                pass

    def _abandoned(self) -> Iterator[Event]:
        """The end that the run's process did not live to write."""
        started = self._started
        if started is not None:
            ended_at = os.fstat(self._file.fileno()).st_mtime
            took = max(0.0, ended_at - started.started_at)
            yield RunFinished(
                started.run_id, started.agent, RunEnd.LOST, took, finished_at=ended_at
            )


def _name(path: Path) -> str:
    return path.name.removesuffix(OPEN_SUFFIX).removesuffix(SUFFIX)


def _is_abandoned(path: Path) -> bool:
    """Whether nobody writes an open journal any more."""
    try:
        with open_file(path) as file:
            return bool(path.stat().st_size) and lock(file)
    except OSError:
        return False
