"""All cases of one agent with their last results, and counts kept as rows change.

What is known besides has owners of its own, which change rows and tell which: the board counts
those, before anybody hears of them.
"""

from collections.abc import Iterable, Mapping

from msgspec import Struct, field

from evaltui.core.audited import RanOfSave
from evaltui.core.baseline import Baseline
from evaltui.core.case import CaseKey, Tier
from evaltui.core.comparison import RunChanges, StoodBefore
from evaltui.core.events import (
    CasesStale,
    EvidenceWeighed,
    ResultsLoaded,
    RunFinished,
    SpendingChanged,
)
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.core.staleness import DueCase
from evaltui.core.suite import Suite
from evaltui.core.tool import ToolRegistry
from evaltui.core.usual_time import with_new
from evaltui.store.activity import Activity
from evaltui.store.board_counts import BoardCounts
from evaltui.store.board_runs import BoardRuns
from evaltui.store.cached_rows import cached_rows, unlisted
from evaltui.store.counts import changes_of
from evaltui.store.earlier_result import complete_before, restore
from evaltui.store.faults import AgentFaults
from evaltui.store.headline import Headline
from evaltui.store.project_rows import project_rows
from evaltui.store.row import STRIP_LENGTH, Row
from evaltui.store.run_view import RunView
from evaltui.store.standards import Standards


class Board(Struct):
    """Rows in file order, and their counts."""

    agent: str
    rows: dict[CaseKey, Row] = field(default_factory=dict)
    """The same object while the same cases stand in the same order."""
    suites: tuple[Suite, ...] = ()
    """Those that the rows are of."""
    counts: BoardCounts = field(default_factory=BoardCounts)
    faults: AgentFaults = field(default_factory=AgentFaults)
    activity: Activity = field(default_factory=Activity)
    standards: Standards = field(default_factory=Standards)
    results_at: float = 0.0
    """When the youngest result was made, in seconds since the epoch; 0.0 without results."""
    spending: SpendingChanged | None = None
    """As it was told last."""
    runs: BoardRuns = field(default_factory=BoardRuns)
    headline: Headline = field(default_factory=Headline)
    """What the last save did."""
    affected: int = 0
    """Cases that edits since the baseline can affect, as it was told last."""
    is_cached: bool = False
    """Whether rows and counts are what an earlier process left; only the first rows are there."""
    _listed: set[CaseKey] = field(default_factory=set)
    """Cases of the last due list: no other row can be marked."""

    @property
    def is_busy(self) -> bool:
        """Whether the results to come are those of a run that has begun."""
        return self.runs.is_on or self.headline.is_run_on(self.runs.last)

    @property
    def is_save_running(self) -> bool:
        """Whether that one is the doing of the last save, or key."""
        run = self.runs.last
        return run is not None and run.end is None and self.headline.is_of_save(run.run_id)

    @property
    def spent_usd(self) -> float:
        """What the last run cost, with those that are told together with it."""
        return self.headline.spent_usd(self.runs.last)

    @property
    def ran_where_drawn(self) -> RanOfSave | None:
        """Which cases ran because of the last save, or key; `None` where none was drawn."""
        save, counts = self.headline.save, self.counts.all
        if save is None:
            return None
        return save.sample.in_all(save.keys, self.rows, counts.ran - counts.rejudged)

    def tells_of_save(self, keys: Iterable[CaseKey]) -> bool:
        """Whether what a save of files did is told, which trying these again, as they are, leaves
        as it is."""
        rows = (self.rows.get(key) for key in keys)
        return self.headline.is_told and not any(row is not None and row.is_due for row in rows)

    def arrange(
        self, suites: Iterable[Suite], outdated: frozenset[str] = frozenset()
    ) -> set[CaseKey]:
        """Follow a new reading of the project; results stay. Returns keys that came or changed.

        `outdated`: ids of the suites written for another description of their tool. A cached
        board stays as it is until the project's own results come: half of what is known would
        make it jump.
        """
        if self.is_cached:
            return set()
        before = self.rows
        of, self.suites = self.suites, tuple(suites)
        self.rows, touched = project_rows(before, self.suites, outdated, of)
        for row in touched:
            self.standards.fit(row)
        keys = self._count(touched)
        gone = set() if self.rows is before else before.keys() - self.rows.keys()
        for key in gone:
            self.counts.remove(key)
            self.faults.remove(key)
            self.activity.remove(key)
            self.headline.before_commands.pop(key, None)
        if gone:
            times = (row.result.finished_at for row in self.rows.values() if row.result)
            self.results_at = max(times, default=0.0)
        return keys | gone

    def show_cached(self, loaded: ResultsLoaded) -> tuple[Suite, ...]:
        """Show the first results of an earlier process. Returns its suites, without their cases."""
        suites = {name: Suite(name, "", Tier.GOLDEN, (), "") for name in loaded.counts}
        self.is_cached = True
        self.runs.number, self.results_at = loaded.numbered, loaded.newest_at
        for row in cached_rows(loaded, suites):
            self.standards.fit(row)
            self.rows[row.key] = row
            self.counts.update(row)
        for name, counts in unlisted(loaded).items():
            self.counts.add_unlisted(name, counts)
        return tuple(suites.values())

    def drop_cached(self, suites: Iterable[Suite], outdated: frozenset[str]) -> set[CaseKey]:
        """The project's own results come: start with its cases. Returns keys that went or came."""
        gone = set(self.rows)
        self.is_cached, self.results_at = False, 0.0
        self.suites, self.rows, self.activity = (), {}, Activity()
        self.counts, self.faults = BoardCounts(), AgentFaults()
        return gone | self.arrange(suites, outdated)

    def begin_save(self, trigger: tuple[str, ...], registry: ToolRegistry) -> set[CaseKey]:
        """From now on results are those of another save, or of a key without a `trigger`.

        `registry` is the one it left. Returns keys that changed because of it.
        """
        return self._count(
            self.headline.begin_save(trigger, registry, self.suites, self.rows, self.runs.last)
        )

    def take_save(self, stale: CasesStale, registry: ToolRegistry) -> set[CaseKey]:
        """The same of a save that leaves these due. Most rows change for both reasons: each is
        counted once."""
        begun = self.headline.begin_save(
            stale.trigger, registry, self.suites, self.rows, self.runs.last
        )
        touched = {row.key: row for row in begun}
        made = stale.cases if stale.by_save is None else stale.by_save
        self.headline.note_reach(made, stale.total)
        self.headline.waiting.note(stale.trigger, made, self.rows)
        touched.update((row.key, row) for row in self._mark_due(stale.cases))
        return self._count(touched.values())

    def withdraw_save(self, registry: ToolRegistry) -> set[CaseKey]:
        """What was last saved is put back before anything ran because of it. Returns keys that
        changed because of it."""
        return self._count(
            self.headline.withdraw_save(registry, self.suites, self.rows, self.runs.last)
        )

    def begin_beside(self, run: RunView) -> bool:
        """Take a run as one beside, if it is a command's while a dashboard's is on, or while what
        a save or key did is told, which stands until the next one."""
        tells_of_dashboard = self.headline.save is not None and not self.headline.is_of_command
        if is_beside := self.runs.is_beside(run) or (run.is_command and tells_of_dashboard):
            self.runs.beside[run.run_id] = run
        return is_beside

    def begin_run(self, run: RunView, cases: Iterable[CaseKey], *, is_rest: bool) -> None:
        """A run of these begins; one of the rest is not the doing of the last save. What a save
        reaches is never less than what its run is about."""
        self.runs.begin(run)
        self.headline.begin_run(run, cases, self.rows, is_rest=is_rest)

    def finish(self, result: CaseResult, run_id: str = "") -> CaseResult | None:
        """Take a result: it is fresh, so the row is neither due nor compared any more.

        `run_id`: of the run that tells it, where that is not its own, as for a point of the past.
        Returns the one that the row had of the same run already: a case that is undecided is tried
        again within it.
        """
        row = self.rows.get(result.key)
        if row is None:
            return None
        run = self.runs.beside.get(run_id, self.runs.last)
        known, is_rejudging = row.result, run is not None and run.is_rejudging
        is_same = known is not None and known.run_id == result.run_id == run_id
        same = known if is_same and not is_rejudging else None
        self.headline.compare(row, result, run_id, run, is_beside=run_id in self.runs.beside)
        self.runs.compare_beside(row, result, run_id)
        if row.result is not None and same is None and not is_rejudging:
            row.usual_ms = with_new(row.usual_ms, row.result.duration_ms)
        row.result = result
        row.due = None
        before = row.recent if same is None else row.recent[:-1]
        row.recent = (*before, result.shown_status)[-STRIP_LENGTH:]
        self.activity.finish(row)
        if not is_rejudging:  # else nobody was asked
            self.faults.hear(result)
        self._judge(row)
        return same

    def resume(self, keys: Iterable[CaseKey], before: Iterable[StoodBefore]) -> set[CaseKey]:
        """Take what an interrupted run had finished as done by the one that goes on with it, and
        hold it all against what stood before. Returns the keys."""
        found = [self.rows[key] for key in keys if key in self.rows]
        save = self.headline.save
        return self._count(save.resume(found, before) if save is not None else ())

    def changes(self, keys: Iterable[CaseKey], run_id: str) -> RunChanges:
        """What a run, with what belongs to it, made of these cases."""
        rows = [self.rows[key] for key in keys if key in self.rows]
        return changes_of([(row, self.headline.compared(row, run_id)) for row in rows])

    def end_run(self, finished: RunFinished) -> set[CaseKey]:
        """A run is over; it says itself what it made of cases of which nothing else is known.

        Returns keys whose effect changed.
        """
        if not self.runs.end(finished, self.rows):
            return set()
        return self._count(self.headline.end_run(finished, self.rows))

    def restore(self, result: CaseResult, recent: tuple[CaseStatus, ...] | None) -> None:
        """Put back what an earlier process knew; what is known to be due stays so."""
        row = self.rows.get(result.key)
        if row is not None and not complete_before(row, result):
            restore(row, result, recent)
            self.faults.hear(result)
            self._judge(row)

    def mute(self, mutes: Mapping[str, str]) -> set[CaseKey]:
        """Replace the mutes in force. Returns keys whose mute changed."""
        touched = self._judge_all(self.standards.mute(mutes, self.rows))
        if touched:
            self.runs.follow_mutes(self.rows)
        return touched

    def follow_sampling(self, is_sampled: bool) -> set[CaseKey]:
        """Whether falls are proof or not. Returns keys whose mark changed."""
        return self._judge_all(self.standards.follow_sampling(is_sampled, self.rows.values()))

    def weigh(self, weighed: EvidenceWeighed) -> set[CaseKey]:
        """What trials prove now. Returns keys of which something else is known."""
        self.affected = weighed.affected
        touched: set[CaseKey] = set()
        found = self.standards.weigh(weighed.proofs, self.rows, is_whole=weighed.is_whole)
        for row, is_counted in found:
            touched.add(row.key)
            if is_counted:
                self._judge(row)
        return touched

    def compare_with(self, baselines: Iterable[Baseline]) -> set[CaseKey]:
        """Replace the baselines in force. Returns keys whose comparison changed."""
        found = [*self.standards.compare_with(baselines, self.rows.values())]
        if self.headline.save is not None:
            self.headline.save.compare_late(row for row in found if self.standards.is_told_by(row))
        return self._judge_all(found)

    def mark_due(self, cases: Iterable[DueCase], *, is_more: bool = False) -> set[CaseKey]:
        """Replace the due list, or add to it. Returns keys whose mark changed."""
        return self._count(self._mark_due(cases, is_more=is_more))

    def _mark_due(self, cases: Iterable[DueCase], *, is_more: bool = False) -> list[Row]:
        now = {case.key: case for case in cases}
        listed = map(self.rows.get, now if is_more else self._listed | now.keys())
        found = [row for row in listed if row is not None and row.due != now.get(row.key)]
        for row in found:
            row.due = now.get(row.key)
        self._listed = self._listed | now.keys() if is_more else set(now)
        return found

    def _judge_all(self, rows: Iterable[Row]) -> set[CaseKey]:
        touched: set[CaseKey] = set()
        for row in rows:
            self._judge(row)
            touched.add(row.key)
        return touched

    def _judge(self, row: Row) -> None:
        """Compare a row whose result or baseline changed, and count it."""
        self.standards.mark(row)
        if row.result is not None:
            self.results_at = max(self.results_at, row.result.finished_at)
        self.faults.update(row)
        self.counts.update(row)

    def _count(self, rows: Iterable[Row]) -> set[CaseKey]:
        touched: set[CaseKey] = set()
        for row in rows:
            self.counts.update(row)
            touched.add(row.key)
        return touched
