"""What is kept of runs: the history, the journal, and the journals of other processes."""

from functools import partial
from pathlib import Path

from msgspec.structs import replace

from evaltui.core.comparison import is_explained_by_calls
from evaltui.core.config import Config
from evaltui.core.errors import Problem, Severity
from evaltui.core.result import CaseResult
from evaltui.disk.command_spending import CommandSpending
from evaltui.disk.history.history import History
from evaltui.disk.history.history_file import HistoryError
from evaltui.disk.history.run_record import RunRecord
from evaltui.disk.journal.journal import Journal
from evaltui.disk.journal.journal_reading import (
    Recovered,
    damaged_lines,
    recover,
    settle,
)
from evaltui.disk.journal.other_runs import OtherRuns
from evaltui.session.damage_reports import DamageReports
from evaltui.session.event_bus import EventBus


class Record:
    """`open` comes first and may be called in a thread, like everything here."""

    def __init__(self, folder: Path, events: EventBus, damage: DamageReports) -> None:
        self.folder = folder
        """What is remembered of the project, none of it in version control."""
        self._events = events
        self._damage = damage
        self._is_multiset = False
        """Whether repeated calls count."""
        self._history: History | None = None
        self._journal: Journal | None = None
        self._other_runs: OtherRuns | None = None
        self.command: CommandSpending | None = None
        """What is spent here, where somebody may go on with it as one command."""

    @property
    def is_open(self) -> bool:
        return self._history is not None

    @property
    def history(self) -> History:
        """Raises RuntimeError before `open`."""
        if self._history is None:
            raise RuntimeError("the session is not open")
        return self._history

    @property
    def journal(self) -> Journal:
        """Of this process. Raises RuntimeError before `open`."""
        if self._journal is None:
            raise RuntimeError("the session is not open")
        return self._journal

    @property
    def other_runs(self) -> OtherRuns:
        """Of other processes, in this project. Raises RuntimeError before `open`."""
        if self._other_runs is None:
            raise RuntimeError("the session is not open")
        return self._other_runs

    def open(self, config: Config) -> Journal:
        """With what killed runs had finished."""
        results, self._is_multiset = config.root / config.output_dir, config.multiset_tools
        self._history = History.open(self.folder, results, self._damage.report)
        self._journal = Journal(
            self.folder / "runs", keep_runs=config.keep_runs, report=self._events.report
        )
        self.recover_lost()
        # Before anyone reads the history: a run that ends now is heard of twice rather than never.
        self._other_runs = OtherRuns(self._journal.folder, self._journal.is_mine)
        return self._journal

    def begin_command(self) -> CommandSpending:
        """From now on what runs here is one command, that may be interrupted and gone on with."""
        if self.command is None:
            self.command = CommandSpending(self.folder)
        return self.command

    def end_command(self) -> None:
        """From now on what runs here is a dashboard's."""
        if self.command is not None:
            self.command.close()
            self.command = None

    def recover_lost(self) -> None:
        """Add to the history what killed runs had finished."""
        for lost in recover(self.folder / "runs", self._damage.report):
            try:
                if lost.started is not None:
                    run = RunRecord.of(lost.started, lost.finished)
                    told = map(partial(self._in_short, lost), lost.results)
                    self.history.record(run, told, attempts=lost.attempts)
                path = settle(lost)
                if lost.damaged:
                    hint = "What they told of a run that was killed is lost: run its cases again."
                    problem = damaged_lines(path, lost.damaged, hint)
                    self._damage.report(replace(problem, severity=Severity.WARNING))
            except (HistoryError, OSError) as error:
                what = f"a run that was killed cannot be recovered now: {error}"
                hint = "It is tried again at the next start; free some space."
                problem = Problem(str(lost.path), what, hint, severity=Severity.WARNING)
                self._damage.report(problem)

    def _in_short(self, lost: Recovered, result: CaseResult) -> CaseResult:
        """With what differs in it from what is expected, in a few words, as its run would have had
        it said at its end."""
        case = lost.cases.get(result.key)
        if case is None or not is_explained_by_calls(result, None):
            return result
        from evaltui.expectations.result_difference import difference_of

        said = difference_of(result, case, None, None, multiset=self._is_multiset)
        return replace(result, in_short=said) if said else result

    def close(self) -> None:
        for part in (self._other_runs, self._journal, self._history, self.command):
            if part is not None:
                part.close()
