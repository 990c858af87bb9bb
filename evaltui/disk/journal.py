"""The journal of each run: every event as one line, on disk before it is on the screen.

What a case says on its way is left out when its result follows before the next flush: the result
says it again, and encoding it would be a twelfth of a fast run.

A run that is still going, or was killed, stands in `<runId>.open.jsonl`; a finished one in
`<runId>.jsonl`.
"""

from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import BinaryIO

from msgspec import Struct, field
from msgspec.structs import asdict

from evaltui.core.case import CaseKey
from evaltui.core.errors import Problem, Severity
from evaltui.core.events import (
    BaselineCompared,
    BaselinePinned,
    CaseFinished,
    CaseMuted,
    CasesStale,
    CaseStarted,
    DetailLoaded,
    EvaluatorPrinted,
    Event,
    NothingChanged,
    ProblemFound,
    ProjectChecked,
    ProjectRead,
    ResultsLoaded,
    RunFinished,
    RunnerChanged,
    RunStarted,
    SpendingChanged,
    TextStreamed,
    ToolCalled,
    TrialFinished,
    TurnFinished,
    WatchPaused,
    WatchResumed,
)
from evaltui.core.result import CaseResult, SuiteResult
from evaltui.disk.atomic import safe_path
from evaltui.disk.codec import encode, encode_event
from evaltui.disk.file_lock import lock
from evaltui.disk.journal_head import JournalHead, Opening
from evaltui.disk.own_folder import make_own_folder
from evaltui.disk.result_wire import CaseWire, to_wire

OPEN_SUFFIX = ".open.jsonl"
SUFFIX = ".jsonl"
_FLUSH_AT = 1 << 20
QUIET_S = 1 / 30
"""Results that come faster than this are written together."""


class FinishedLine(Struct, tag="CaseFinished", tag_field="event"):
    """A finished case as in a result file: half the time and size of all fields of the event.

    Times are kept to the microsecond, `finished_at` to the millisecond.
    """

    run_id: str
    suite: str
    agent: str
    case: CaseWire


class _OpenJournal(Struct):
    path: Path
    file: BinaryIO
    opening: Opening
    is_opened: bool = False
    """Whether the lines of the opening are written."""
    lines: list[bytes | Event] = field(default_factory=list)
    """Not written yet; an event is encoded when it is written."""
    on_the_way: dict[CaseKey, list[int]] = field(default_factory=dict)
    """Places in `lines` of what cases said that have not finished."""
    size: int = 0
    finished: dict[CaseKey, CaseResult] = field(default_factory=dict)


class Journal:
    """A sink. Call `flush` before each paint and `close` at the end.

    When the disk is full the run goes on unrecorded: `report` hears of it once a run; without
    `report`, OSError is raised once.
    """

    def __init__(
        self,
        folder: Path,
        *,
        keep_runs: int = 50,
        keep_bytes: int = 256 << 20,
        report: Callable[[Problem], None] | None = None,
    ) -> None:
        self.folder = folder
        self._keep_runs = keep_runs
        self._keep_bytes = keep_bytes
        self._report = report
        self._open: dict[str, _OpenJournal] = {}
        self._begun: set[Path] = set()
        self._flushed_at = 0.0
        self._head = JournalHead()

    def is_mine(self, name: str) -> bool:
        """Whether the file of that name, without its suffix, was begun here."""
        return self.folder / f"{name}{OPEN_SUFFIX}" in self._begun

    def path(self, run_id: str) -> Path:
        """Where a run's journal is now: open, or finished."""
        recording = self._open.get(run_id)
        return recording.path if recording else safe_path(self.folder, run_id, suffix=SUFFIX)

    def handle(self, event: Event) -> None:
        match event:
            # Those that come with every case stand first: they are tried in order.
            case CaseFinished(run_id, result):
                recording = self._open.get(run_id)
                if recording is not None:
                    recording.finished[result.key] = result
                    for place in recording.on_the_way.pop(result.key, ()):
                        recording.lines[place] = b""
                    self._append(run_id, _case_line(run_id, result))
                    self._flush_if_quiet()
            case (
                CaseStarted(run_id, _, key)
                | ToolCalled(run_id, _, key)
                | TurnFinished(run_id, _, key)
            ):
                self._note_on_the_way(run_id, key, event)
            case TrialFinished(run_id, result):
                self._note_on_the_way(run_id, result.key, event)
                self._flush_if_quiet()
            case ProjectRead() | ProjectChecked() | CasesStale():
                self._head.hear(event)
            case BaselinePinned():
                self._head.hear(event)
                for run_id, recording in tuple(self._open.items()):
                    if recording.opening.started.agent == event.agent:
                        self._append(run_id, recording.opening.line(event))
            case (
                ResultsLoaded()
                | DetailLoaded()
                | TextStreamed()
                | NothingChanged()
                | SpendingChanged()
                | WatchPaused()
                | WatchResumed()
                | RunnerChanged()
                | EvaluatorPrinted()
            ):
                pass
            case CaseMuted() | ProblemFound():
                if isinstance(event, CaseMuted):
                    self._head.hear(event)
                for run_id in tuple(self._open):
                    self._append(run_id, encode_event(event))
            case RunStarted(run_id):
                self._start(event)
            case RunFinished(run_id):
                self._finish(event)
            case BaselineCompared(run_id):
                self._compared(event)

    def _flush_if_quiet(self) -> None:
        """Results that come singly are on disk before anyone shows them."""
        if monotonic() - self._flushed_at >= QUIET_S:
            self.flush()

    def flush(self) -> None:
        """Hand everything heard so far to the system: a killed process loses none of it."""
        self._flushed_at = monotonic()
        for run_id, recording in tuple(self._open.items()):
            if recording.lines or not recording.is_opened:
                self._write(run_id, recording)

    def close(self) -> None:
        """Flush, and leave runs that did not finish for `recover`."""
        self.flush()
        for recording in self._open.values():
            recording.file.close()
        self._open.clear()

    def _start(self, event: RunStarted) -> None:
        path = safe_path(self.folder, event.run_id, suffix=OPEN_SUFFIX)
        self._begun.add(path)
        try:
            make_own_folder(self.folder.parent)
            self.folder.mkdir(exist_ok=True)
            file = path.open("ab", buffering=0)
        except OSError as error:
            self._give_up(path, error)
            return
        # Whoever looks for runs that were killed may hold it for a moment.
        lock(file, patience_s=1.0)
        self._open[event.run_id] = _OpenJournal(path, file, self._head.of(event))

    def _note_on_the_way(self, run_id: str, key: CaseKey, event: Event) -> None:
        recording = self._open.get(run_id)
        if recording is not None:
            recording.on_the_way.setdefault(key, []).append(len(recording.lines))
            recording.lines.append(event)

    def _finish(self, event: RunFinished) -> None:
        recording = self._open.get(event.run_id)
        if recording is None:
            return
        self._append(event.run_id, _slim(event, recording.finished))
        if recording.lines:
            self._write(event.run_id, recording)
        if self._open.pop(event.run_id, None) is None:
            return
        recording.file.close()
        with suppress(OSError):
            recording.path.replace(self.path(event.run_id))
        prune(self.folder, keep_runs=self._keep_runs, keep_bytes=self._keep_bytes)

    def _compared(self, event: BaselineCompared) -> None:
        """It may come after the run's end, when the file is closed already."""
        if event.run_id in self._open:
            self._append(event.run_id, encode_event(event))
            return
        path = self.path(event.run_id)
        if path.exists():
            try:
                with path.open("ab") as file:
                    file.write(encode_event(event) + b"\n")
            except OSError as error:
                self._give_up(path, error)

    def _append(self, run_id: str, line: bytes) -> None:
        recording = self._open.get(run_id)
        if recording is None:
            return
        recording.lines.append(line)
        recording.size += len(line)
        if recording.size > _FLUSH_AT:
            self._write(run_id, recording)

    def _write(self, run_id: str, recording: _OpenJournal) -> None:
        lines = [] if recording.is_opened else list(recording.opening.lines())
        recording.is_opened = True
        lines += [
            line if isinstance(line, bytes) else encode_event(line) for line in recording.lines
        ]
        data = memoryview(b"".join([line + b"\n" for line in lines if line]))
        recording.lines.clear()
        recording.on_the_way.clear()
        recording.size = 0
        try:
            while data:
                data = data[recording.file.write(data) :]
        except OSError as error:
            del self._open[run_id]
            recording.file.close()
            self._give_up(recording.path, error)

    def _give_up(self, path: Path, error: OSError) -> None:
        if self._report is None:
            raise error
        self._report(
            Problem(
                str(path),
                f"the run's journal cannot be written: {error.strerror}",
                "The run goes on, but it cannot be replayed or recovered; free some space.",
                severity=Severity.WARNING,
                code="journal",
            )
        )


def prune(folder: Path, *, keep_runs: int, keep_bytes: int) -> None:
    """Remove the oldest finished journals beyond the last `keep_runs` or `keep_bytes`."""
    stamped: list[tuple[int, int, Path]] = []
    for path in _finished(folder):
        with suppress(OSError):
            found = path.stat()
            stamped.append((found.st_mtime_ns, found.st_size, path))
    stamped.sort(reverse=True)
    total = 0
    for index, (_, size, path) in enumerate(stamped):
        total += size
        if index and (index >= keep_runs or total > keep_bytes):
            with suppress(OSError):
                path.unlink()


def _finished(folder: Path) -> Iterable[Path]:
    return (path for path in folder.glob(f"*{SUFFIX}") if not path.name.endswith(OPEN_SUFFIX))


def _case_line(run_id: str, result: CaseResult) -> bytes:
    return encode(FinishedLine(run_id, result.key.suite, result.agent, to_wire(result)))


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
