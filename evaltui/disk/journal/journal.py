"""The journal of each run: every event as one line, on disk before it is on the screen.

A run that is still going, or was killed, stands in `<runId>.open.jsonl`; a finished one in
`<runId>.jsonl`.
"""

from collections.abc import Callable, Container, Iterable
from contextlib import suppress
from pathlib import Path
from time import monotonic

from evaltui.core.case import CaseKey
from evaltui.core.errors import Problem, Severity
from evaltui.core.events import (
    BaselineCompared,
    BaselinePinned,
    CallCompared,
    CaseFinished,
    CaseMuted,
    CasesStale,
    CaseStarted,
    DetailLoaded,
    EvaluatorPrinted,
    Event,
    EvidenceWeighed,
    NothingChanged,
    ProblemFound,
    ProjectChecked,
    ProjectRead,
    ResultsCameStale,
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
from evaltui.core.frame import FRAME_S
from evaltui.core.suite_result import SuiteResult
from evaltui.disk.atomic import safe_path
from evaltui.disk.codec import encode_event
from evaltui.disk.file_lock import lock
from evaltui.disk.journal.journal_head import JournalHead
from evaltui.disk.journal.journal_lines import JournalLines
from evaltui.disk.journal.open_journal import OpenJournal
from evaltui.disk.own_folder import make_folder

OPEN_SUFFIX = ".open.jsonl"
SUFFIX = ".jsonl"


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
        self._open: dict[str, OpenJournal] = {}
        self._begun: set[Path] = set()
        self._of_command: set[Path] = set()
        """Finished ones that whoever goes on with this command needs, all of them."""
        self._to_recover: set[str] = set()
        """Runs whose results are not known elsewhere, though they ended."""
        self._flushed_at = 0.0
        self._head = JournalHead()

    def is_mine(self, name: str) -> bool:
        """Whether the file of that name, without its suffix, was begun here."""
        return self.folder / f"{name}{OPEN_SUFFIX}" in self._begun

    def path(self, run_id: str) -> Path:
        """Where a run's journal is now: open, or finished."""
        journal = self._open.get(run_id)
        return journal.path if journal else safe_path(self.folder, run_id, suffix=SUFFIX)

    def handle(self, event: Event) -> None:
        match event:
            # Those that come with every case stand first: they are tried in order.
            case CaseFinished(run_id):
                self._add(run_id, event)
                self._flush_if_due()
            case (
                CaseStarted(run_id, _, key)
                | ToolCalled(run_id, _, key)
                | TurnFinished(run_id, _, key)
            ):
                self._hold(run_id, key, event)
            case TrialFinished(run_id, result):
                self._hold(run_id, result.key, event)
                self._flush_if_due()
            case ProjectRead() | ProjectChecked() | CasesStale():
                self._head.hear(event)
            case BaselinePinned() | EvidenceWeighed():
                self._head.hear(event)
                for run_id, journal in tuple(self._open.items()):
                    if journal.opening.started.agent == event.agent:
                        self._add(run_id, event)
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
                | CallCompared()
                | ResultsCameStale()
            ):
                pass
            case CaseMuted() | ProblemFound():
                if isinstance(event, CaseMuted):
                    self._head.hear(event)
                for run_id in tuple(self._open):
                    self._add(run_id, event)
            case RunStarted():
                self._start(event)
            case RunFinished(run_id):
                self._add(run_id, event)
                self._finish(run_id)
            case BaselineCompared():
                self._compared(event)

    def note(self, run_id: str, event: Event) -> None:
        """Write what nobody else has to hear, at once."""
        self._add(run_id, event)
        self._write(run_id)

    def leave_to_recover(self, run_id: str) -> None:
        """Have the next process recover it as that of a run that was killed."""
        self._to_recover.add(run_id)

    def lines(self, run_id: str, suites: Iterable[SuiteResult]) -> JournalLines:
        """What stands here of a run that is on and what the files of these suites have too."""
        self._write(run_id)
        journal = self._open.get(run_id)
        return journal.lines_of(suites) if journal is not None else JournalLines(self.folder, {})

    def flush(self) -> None:
        """Hand everything heard so far to the system: a killed process loses none of it."""
        self._flushed_at = monotonic()
        for run_id in tuple(self._open):
            self._write(run_id)

    def close(self) -> None:
        """Flush, and leave runs that did not finish for `recover`."""
        self.flush()
        for journal in self._open.values():
            journal.close()
        self._open.clear()

    def _flush_if_due(self) -> None:
        """Results that come singly are on disk before anyone shows them."""
        if monotonic() - self._flushed_at >= FRAME_S:
            self.flush()

    def _start(self, event: RunStarted) -> None:
        path = safe_path(self.folder, event.run_id, suffix=OPEN_SUFFIX)
        self._begun.add(path)
        if event.command:
            self._of_command.add(self.path(event.run_id))
        try:
            make_folder(self.folder)
            file = path.open("ab", buffering=0)
        except OSError as error:
            self._give_up(path, error)
            return
        # Whoever looks for runs that were killed may hold it for a moment.
        lock(file, patience_s=1.0)
        self._open[event.run_id] = OpenJournal(path, self._head.of(event), file)

    def _hold(self, run_id: str, key: CaseKey, event: Event) -> None:
        journal = self._open.get(run_id)
        if journal is not None:
            journal.hold(key, event)

    def _add(self, run_id: str, event: Event) -> None:
        journal = self._open.get(run_id)
        if journal is not None:
            try:
                journal.add(event)
            except OSError as error:
                self._lose(run_id, error)

    def _write(self, run_id: str) -> None:
        journal = self._open.get(run_id)
        if journal is None:
            return  # telling that another is lost wrote to this one, and lost it too
        try:
            journal.write()
        except OSError as error:
            self._lose(run_id, error)

    def _finish(self, run_id: str) -> None:
        if run_id in self._open:
            self._write(run_id)
        journal = self._open.pop(run_id, None)
        if journal is None:
            return
        journal.close()
        if run_id in self._to_recover:
            return
        with suppress(OSError):
            journal.path.replace(self.path(run_id))
        keep = self._of_command
        prune(self.folder, keep_runs=self._keep_runs, keep_bytes=self._keep_bytes, keep=keep)

    def _compared(self, event: BaselineCompared) -> None:
        """It may come after the run's end, when the file is closed already."""
        if event.run_id in self._open:
            self._add(event.run_id, event)
            return
        path = self.path(event.run_id)
        if path.exists():
            try:
                with path.open("ab") as file:
                    file.write(encode_event(event) + b"\n")
            except OSError as error:
                self._give_up(path, error)

    def _lose(self, run_id: str, error: OSError) -> None:
        """The run goes on unrecorded."""
        journal = self._open.pop(run_id, None)
        if journal is None:
            return
        journal.close()
        self._give_up(journal.path, error)

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


def newest_journal(folder: Path, since: float = 0.0) -> Path | None:
    """The one that was written last, whether its run is over or not; `None` where none was written
    since that moment, in seconds since the epoch."""
    written: dict[Path, float] = {}
    for path in folder.glob(f"*{SUFFIX}"):
        with suppress(OSError):  # its run ended meanwhile, or it is an old one that is removed
            written[path] = path.stat().st_mtime
    newest = max(written, key=written.__getitem__, default=None)
    return newest if newest is not None and written[newest] >= since else None


def prune(
    folder: Path, *, keep_runs: int, keep_bytes: int, keep: Container[Path] = frozenset()
) -> None:
    """Remove the oldest finished journals beyond the last `keep_runs` or `keep_bytes`, but for
    those of `keep`."""
    stamped: list[tuple[int, int, Path]] = []
    for path in _finished(folder):
        with suppress(OSError):
            found = path.stat()
            stamped.append((found.st_mtime_ns, found.st_size, path))
    stamped.sort(reverse=True)
    total = 0
    for index, (_, size, path) in enumerate(stamped):
        total += size
        if index and path not in keep and (index >= keep_runs or total > keep_bytes):
            with suppress(OSError):
                path.unlink()


def _finished(folder: Path) -> Iterable[Path]:
    return (path for path in folder.glob(f"*{SUFFIX}") if not path.name.endswith(OPEN_SUFFIX))
