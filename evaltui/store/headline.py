"""What the last save, or key, did to the cases of one agent: what the headline of its board tells.

The rows belong to the board: they are handed in, and those that changed are handed back.
"""

from collections.abc import Iterable, Mapping, Set

from msgspec import Struct, field

from evaltui.core.case import CaseKey
from evaltui.core.case_changes import case_changes, is_metadata_alone
from evaltui.core.comparison import GoesOn, last_verdict
from evaltui.core.events import RunEnd, RunFinished
from evaltui.core.result import CaseResult
from evaltui.core.staleness import Degree, DueCase
from evaltui.core.suite import Suite
from evaltui.core.tool import ToolRegistry, changes_between, gone_between
from evaltui.store.aside import Aside
from evaltui.store.counts import Counts
from evaltui.store.reach import Reach
from evaltui.store.row import Compared, Row
from evaltui.store.run_view import RunView
from evaltui.store.save_view import SaveView
from evaltui.store.waiting_saves import WaitingSaves


class Headline(Struct):
    """The last save, what it reaches, and the project as it left it."""

    save: SaveView | None = None
    """`None` before anything was saved or run."""
    reach: Reach | None = None
    """Of the last change; `None` before the first, and once something was run by hand."""
    registry: ToolRegistry = field(default_factory=lambda: ToolRegistry(configured=False))
    """As the last save left it; before the first one, as it was read."""
    suites: tuple[Suite, ...] = ()
    """As the last save left them; before the first one, as they were read."""
    aside: Aside = field(default_factory=Aside)
    """What runs do that are not the last save's doing."""
    before_commands: dict[CaseKey, Compared] = field(default_factory=dict)
    """What cases had come to in a dashboard before commands ran them."""
    waiting: WaitingSaves = field(default_factory=WaitingSaves)
    """For which saves cases are due, those before the last too."""
    _displaced: SaveView | None = None
    """The one whose run is on, while a later one waits for its end."""

    @property
    def is_told(self) -> bool:
        """Whether it tells what a save of files did."""
        return self.save is not None and bool(self.save.trigger and self.save.keys)

    @property
    def _is_save_waiting(self) -> bool:
        """Whether what was last saved has cases to run, and none of them ran yet."""
        save, reach = self.save, self.reach
        return save is not None and not save.keys and reach is not None and reach.is_any

    def is_of_save(self, run_id: str) -> bool:
        """Whether a run is the doing of the last save, or key."""
        return self.save is not None and run_id in self.save.runs

    @property
    def is_of_command(self) -> bool:
        """Whether it tells of a command, and not of a save or a key in a dashboard."""
        save = self.save
        if save is None or save.trigger:
            return False
        return any(run.is_command for run in save.runs.values())

    def spent_usd(self, run: RunView | None) -> float:
        """What all cost that is told together with `run`, the last one; that alone, where the
        headline does not tell of it."""
        if run is None:
            return 0.0
        is_told = self.save is not None and run.run_id in (self.save.runs | self.save.repeats)
        return self.save.spent_usd if self.save is not None and is_told else run.spent_usd

    def is_run_on(self, run: RunView | None) -> bool:
        """Whether that is the run of what was last saved and is on, or goes on where a later save
        broke it off."""
        if run is None or self.save is None:
            return False
        is_saved = bool(self.save.trigger) and self.is_of_save(run.run_id)
        return is_saved and (run.end is None or run.end is RunEnd.SUPERSEDED)

    def is_run_for(self, run: RunView | None, files: Iterable[str]) -> bool:
        """Whether what is being run is the doing of a save of all these."""
        if self.save is None or not self.is_run_on(run):
            return False
        return {*files} <= {*self.save.trigger}

    def is_answered_by(self, keys: Iterable[CaseKey], rows: Mapping[CaseKey, Row]) -> bool:
        """Whether a key that runs these runs what the last save made due, and what waited for it:
        what they come to is that save's doing."""
        return self.save is not None and self._waits_for(self.save.due, keys, rows)

    def _waits_for(
        self, made_due: Set[CaseKey], keys: Iterable[CaseKey], rows: Mapping[CaseKey, Row]
    ) -> bool:
        if self.save is None or not self.save.trigger:
            return False
        waiting = made_due - self.save.keys.keys()
        return any(key in waiting and rows[key].is_due for key in keys if key in rows)

    def _is_its_rest(
        self, run: RunView, cases: Iterable[CaseKey], rows: Mapping[CaseKey, Row]
    ) -> bool:
        """Whether a run of the rest is of what waited for the last save, or goes on with a run of
        its own."""
        if self.save is None:
            return False
        left = self.save.left - self.save.keys.keys()
        is_its_own = bool(self.save.trigger) and not run.is_repeat
        return (is_its_own and not left.isdisjoint(cases)) or self._waits_for(
            self.save.reached.keys(), cases, rows
        )

    def is_settling(self, files: Iterable[str], suites: tuple[Suite, ...]) -> bool:
        """Whether the saves of these say no more than for what their suites were written: it
        answers what the last save did, which is told, and does not take its place."""
        return self.is_told and is_metadata_alone(files, self.suites, suites)

    def is_repair(
        self,
        files: Iterable[str],
        half_saved: Set[str],
        registry: ToolRegistry,
        suites: tuple[Suite, ...],
    ) -> bool:
        """Whether the saves of these leave a file that cannot be read, or one that can be again,
        and all that is read as the last save left it: what that did stays told."""
        if not self.is_told or any(file not in half_saved for file in files):
            return False
        is_other = changes_between(self.registry, registry) or gone_between(self.registry, registry)
        return not is_other and not case_changes(self.suites, suites)

    def settle(self, registry: ToolRegistry, suites: tuple[Suite, ...]) -> None:
        """The project is like this, which is no save of its own."""
        self.registry, self.suites = registry, suites

    def begin_save(
        self,
        trigger: tuple[str, ...],
        registry: ToolRegistry,
        suites: tuple[Suite, ...],
        rows: Mapping[CaseKey, Row],
        run: RunView | None,
    ) -> Iterable[Row]:
        """From now on results are those of another save, or of a key without a `trigger`.

        `registry` and `suites` are those that it left, `run` the last one. Returns rows that are
        not compared any more.
        """
        before, is_on = self.save, run is not None and run.end is None
        is_displaced = is_on and run is not None and self.is_of_save(run.run_id)
        goes_on = bool(trigger) and self.is_run_on(run)
        then = self.suites
        if before is not None and (goes_on or self._is_save_waiting):
            then = before.suites
        self.save = SaveView.after(
            before, trigger, (self.registry, registry), (then, suites), goes_on=goes_on
        )
        self.settle(registry, suites)
        if before is None or goes_on:
            return ()
        if is_displaced:
            self._displaced = before
            self.aside = Aside.of(rows[key] for key in before.keys if key in rows)
        return before.forget(rows)

    def withdraw_save(
        self,
        registry: ToolRegistry,
        suites: tuple[Suite, ...],
        rows: Mapping[CaseKey, Row],
        run: RunView | None,
    ) -> Iterable[Row]:
        """What was last saved is put back before anything ran because of it: it reaches nothing,
        and the headline is that of the run which is on, if a save or key set that going.

        Returns rows that are compared with others because of it.
        """
        if not self._is_save_waiting or self.save is None or self.save.runs:
            return ()
        self.reach = Reach(len(rows))
        displaced = self._displaced
        if run is None or displaced is None or run.run_id not in displaced.runs:
            return ()
        self.save, self.reach, self._displaced = displaced, None, None
        self.settle(registry, suites)
        found = self.aside.give_back(rows, is_rejudged=run.is_rejudging)
        displaced.keys = {row.key: None for row in found}
        self.aside = Aside()
        return found

    def note_reach(self, due: Iterable[DueCase], total: int) -> None:
        """What was saved last makes these due, out of so many cases."""
        if self.save is not None:
            self.save.reach(due)
            self.reach = Reach.of(self.save.reached.values(), total)

    def begin_run(
        self,
        run: RunView,
        cases: Iterable[CaseKey],
        rows: Mapping[CaseKey, Row],
        *,
        is_rest: bool,
    ) -> None:
        """A run of these begins; one of the rest is not the doing of the last save, but for what
        that made due and still waits for it. What a save reaches is never less than what its run is
        about."""
        self._displaced, cases = None, tuple(cases)
        if self.save is None:
            return
        if run.is_repeat:
            self.save.repeats[run.run_id] = run
            self.save.again = set()
        if is_rest and not self._is_its_rest(run, cases, rows):
            return
        self.save.begin_run(run, cases)
        if self.reach is not None:
            due = (_due(key, rows, run.reason) for key in cases if key not in run.never_asked)
            reached = self.save.reached
            waiting = {key for key in reached if (row := rows.get(key)) is not None and row.is_due}
            self.save.take_on(due, waiting)
            self.reach = Reach.of(self.save.reached.values(), self.reach.total)

    def compare(
        self, row: Row, result: CaseResult, run_id: str, run: RunView | None, *, is_beside: bool
    ) -> None:
        """Hold a new result against the one that the row had before: as the doing of the last
        save, or aside from it. `run`: the one that tells it, with that id, where it is known."""
        self.waiting.forget(row.key)
        self._note_whose(row, run)
        is_rejudged = run is not None and run.is_rejudging
        if self.save is not None and not is_rejudged:
            self.save.sample.note_answer(result)
        if self.save is not None and self.is_of_save(run_id or result.run_id):
            self.save.compare(row, result, run_id, is_rejudged=is_rejudged)
            return
        if not is_beside:
            self.aside.compare(row, result)
        if self.save is not None:
            self.save.note_other(row, result, run)

    def _note_whose(self, row: Row, run: RunView | None) -> None:
        """Keep what a row had before a command ran its case, until a dashboard runs it: what
        corrects the result of that command is held against it."""
        if run is not None and run.is_command:
            known = Compared(row.result, last_verdict(row.recent))
            self.before_commands.setdefault(row.key, known)
            return
        before = self.before_commands.pop(row.key, None)
        if before is not None and run is not None and run.is_correction:
            self.aside.cases.setdefault(row.key, before)

    def compared(self, row: Row, run_id: str) -> Compared:
        """What a run made of a case, muted or not."""
        if self.is_of_save(run_id):
            return row.compared
        return self.aside.of_case(row.key)

    def goes_on(self, run_id: str, counts: Counts) -> GoesOn | None:
        """What a run of the last save goes on with, or one that asked cases of it again; `None`
        where it is the first that had results and resumes none, or of none. `counts`: of the
        board."""
        if self.save is None:
            return None
        is_again = run_id in self.save.repeats and bool(self.save.again)
        if not (self.is_of_save(run_id) or is_again):
            return None
        before, again = self.save.goes_on_with(run_id), len(self.save.again)
        if before is None:
            return None
        run = self.save.runs.get(run_id)
        is_resumed = run is not None and run.resumed_from == before
        effects = dict(counts.by_effect)
        return GoesOn(before, again, counts.ran, counts.rejudged, effects, is_resumed)

    def end_run(self, finished: RunFinished, rows: Mapping[CaseKey, Row]) -> Iterable[Row]:
        """The run is over; it says itself what it made of cases of which nothing else is known.

        Returns rows whose effect changed.
        """
        if self.save is not None and self.is_of_save(finished.run_id):
            if finished.audited is not None:
                self.save.sample.audited = finished.audited
            if finished.end is RunEnd.UNDONE:
                self.reach = Reach(len(rows))
            elif finished.end is RunEnd.SUPERSEDED:
                self.save.break_off()
            return self.save.recall(rows, finished.changes)
        if finished.end is not RunEnd.SUPERSEDED:  # else its rest follows
            self.aside = Aside()
        return ()


def _due(key: CaseKey, rows: Mapping[CaseKey, Row], reason: str) -> DueCase:
    """Why a run is about a case."""
    row = rows.get(key)
    due = row.due if row is not None else None
    return due or DueCase(key, Degree.AFFECTED, (reason,))
