"""The lines of a run in progress, held back until they are written together.

What a case says on its way is left out when its result follows before the next write: the result
says it again, and encoding it would be a twelfth of a fast run.
"""

from collections.abc import Iterable
from functools import lru_cache
from itertools import accumulate
from pathlib import Path
from typing import BinaryIO

from msgspec import Struct, field
from msgspec.structs import asdict

from evaltui.core.case import CaseKey
from evaltui.core.events import (
    BaselinePinned,
    CaseFinished,
    Event,
    RunFinished,
)
from evaltui.core.result import CaseResult
from evaltui.core.suite_result import SuiteResult
from evaltui.disk.codec import encode, encode_event
from evaltui.disk.journal.journal_head import Opening
from evaltui.disk.journal.journal_lines import JournalLines
from evaltui.disk.results.result_wire import CaseWire, to_wire

_WRITE_AT = 1 << 20


class OpenJournal(Struct):
    """The journal of one run. Methods that write raise OSError; `close` comes last."""

    path: Path
    opening: Opening
    _file: BinaryIO
    _is_opened: bool = False
    """Whether the lines of the opening are written."""
    _lines: list[bytes | Event] = field(default_factory=list)
    """Not written yet; an event is encoded when it is written."""
    _on_the_way: dict[CaseKey, list[int]] = field(default_factory=dict)
    """Places in `_lines` of what cases said that have not finished."""
    _size: int = 0
    _finished: dict[CaseKey, CaseResult] = field(default_factory=dict)
    _starts: dict[CaseKey, int] = field(default_factory=dict)
    """Where the file has what a result file says of a case too, in bytes."""
    _unwritten: list[tuple[CaseKey, int, int]] = field(default_factory=list)
    """Each with the place of its line in `_lines`, and where in the line it begins."""

    def hold(self, key: CaseKey, event: Event) -> None:
        """Something that a case says on its way to its result; nothing is written."""
        places = self._on_the_way.get(key)
        if places is None:
            places = self._on_the_way[key] = []
        places.append(len(self._lines))
        self._lines.append(event)

    def add(self, event: Event) -> None:
        """Any other event of the run."""
        match event:
            case CaseFinished(run_id, result):
                for place in self._on_the_way.pop(result.key, ()):
                    self._lines[place] = b""
                suite, agent = result.key.suite, result.agent
                line = encode(FinishedLine(run_id, suite, agent, to_wire(result)))
                self._finished[result.key] = result
                before = _before_case(run_id, suite, agent)
                self._unwritten.append((result.key, len(self._lines), before))
                self._append(line)
            case RunFinished():
                self._append(_slim(event, self._finished))
            case BaselinePinned():
                self._append(self.opening.line(event))
            case _:
                self._append(encode_event(event))

    def write(self) -> None:
        """Hand what is held back to the system."""
        if self._is_opened and not self._lines:
            return
        if not self._is_opened:
            self._is_opened = True
            for line in self.opening.lines():  # as large as the project: never copied
                self._send(line)
                self._send(b"\n")
        lines = [_as_text(line) if line else b"" for line in self._lines]
        starts = list(accumulate(map(len, lines), initial=self._file.tell()))
        for key, place, before in self._unwritten:
            self._starts[key] = starts[place] + before
        self._unwritten.clear()
        self._lines.clear()
        self._on_the_way.clear()
        self._size = 0
        self._send(b"".join(lines))

    def lines_of(self, suites: Iterable[SuiteResult]) -> JournalLines:
        """What is written of their cases, where it is of these very results; a suite that is
        outdated says so of each of them."""
        others = {
            case.key
            for suite in suites
            for case in suite.cases
            if suite.stale or self._finished.get(case.key) is not case
        }
        return JournalLines(self.path, self._starts, others)

    def close(self) -> None:
        self._file.close()

    def _send(self, data: bytes) -> None:
        left = memoryview(data)
        while left:
            left = left[self._file.write(left) :]

    def _append(self, line: bytes) -> None:
        self._lines.append(line)
        self._size += len(line)
        if self._size > _WRITE_AT:
            self.write()


class FinishedLine(Struct, tag="CaseFinished", tag_field="event"):
    """A finished case as in a result file: half the time and size of all fields of the event.

    Times are kept to the microsecond, `finished_at` to the millisecond.
    """

    run_id: str
    suite: str
    agent: str
    case: CaseWire


@lru_cache(maxsize=64)
def _before_case(run_id: str, suite: str, agent: str) -> int:
    """Bytes of the line of a finished case until its case begins."""
    nothing = CaseWire()
    return len(encode(FinishedLine(run_id, suite, agent, nothing))) - len(encode(nothing)) - 1


def _as_text(line: bytes | Event) -> bytes:
    return (line if isinstance(line, bytes) else encode_event(line)) + b"\n"


def _slim(event: RunFinished, finished: dict[CaseKey, CaseResult]) -> bytes:
    """The end of a run without repeating results that have their own line; carried ones are left
    out: they stand in the result file."""

    def entry(case: CaseResult) -> object:
        known = finished.get(case.key)
        return {"key": case.key} if known is case or known == case else case

    def suite(result: SuiteResult) -> dict[str, object]:
        mine = [entry(case) for case in result.cases if not case.carried_from]
        return asdict(result) | {"cases": mine}

    values = {"event": "RunFinished"} | asdict(event)
    return encode(values | {"suites": [suite(result) for result in event.suites]})
