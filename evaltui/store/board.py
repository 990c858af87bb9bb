"""All cases of one agent with their last results, and counts kept as rows change."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping

from msgspec import Struct, field
from msgspec.structs import replace

from evaltui.core.baseline import Baseline, Change, judge_change
from evaltui.core.case import Case, CaseKey, ContractCase, Tier
from evaltui.core.comparison import Effect, RunChanges, effect_of
from evaltui.core.events import ResultsLoaded, RunEnd, SpendingChanged
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.core.staleness import StaleCase
from evaltui.core.suite import Suite
from evaltui.core.tool import ToolChange, ToolRegistry, changes_between
from evaltui.store.counts import BoardCounts
from evaltui.store.faults import AgentFaults
from evaltui.store.row import Phase, Row

STRIP_LENGTH = 10


class RunView(Struct):
    """The current or last run of one agent."""

    run_id: str
    number: int
    reason: str
    trigger: tuple[str, ...]
    total: int
    concurrency: int
    trials: int
    started_at: float
    eta_s: float | None
    done: int = 0
    end: RunEnd | None = None
    finished_at: float = 0.0
    spent_usd: float = 0.0
    is_rejudging: bool = False


class SaveView(Struct):
    """The unit that a tool developer thinks in: what one save, or key, set going."""

    trigger: tuple[str, ...] = ()
    """The files that were saved; empty when it was a key."""
    reason: str = ""
    """Why cases ran, in words: `get_weather.description changed`."""
    keys: dict[CaseKey, None] = field(default_factory=dict)
    """Used as an ordered set: the cases that ran."""
    registry: ToolRegistry = field(default_factory=lambda: ToolRegistry(configured=False))
    """As it was before."""
    tools: Mapping[str, ToolChange] = field(default_factory=dict)
    """What it changed, by tool; nothing when it was a key and no save waited for it."""


class KnownCosts(Struct, frozen=True):
    """Means of one attempt at a case; `None` where nothing is known."""

    seconds: float | None
    cost_usd: float | None
    never_run: int = 0
    """Cases that nothing is known of but by others."""


class Reach(Struct, frozen=True):
    """How much of the board the last change made due, and why."""

    cases: int
    total: int
    why: str = ""
    """The most frequent reason; empty when no case is due."""


class Board(Struct):
    """Rows in file order, their counts, and how many of them are in each phase."""

    agent: str
    rows: dict[CaseKey, Row] = field(default_factory=dict)
    counts: BoardCounts = field(default_factory=BoardCounts)
    faults: AgentFaults = field(default_factory=AgentFaults)
    phases: dict[Phase, int] = field(default_factory=lambda: dict.fromkeys(Phase, 0))
    results_at: float = 0.0
    """When the youngest result was made, in seconds since the epoch; 0.0 without results."""
    spending: SpendingChanged | None = None
    """As it was told last."""
    run: RunView | None = None
    save: SaveView | None = None
    """The last one; `None` before anything was saved or run."""
    registry: ToolRegistry = field(default_factory=lambda: ToolRegistry(configured=False))
    """As the last save left it; before the first one, as it was read."""
    baselines: dict[str, Baseline] = field(default_factory=dict)
    """The baseline in force, by suite id."""
    run_number: int = 0
    is_cached: bool = False
    """Whether rows and counts are what an earlier process left; only the first rows are there."""
    mutes: Mapping[str, str] = field(default_factory=dict)
    """In force now, reasons by `suite::case`."""
    is_sampled: bool = False
    """Whether the agent may answer the same request otherwise the next time."""
    reach: Reach | None = None
    """Of the last change; `None` before the first, and once something was run by hand."""

    @property
    def is_running(self) -> bool:
        """Whether a run is on."""
        return self.run is not None and self.run.end is None

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
        touched: set[CaseKey] = set()
        rows: dict[CaseKey, Row] = {}
        for suite in suites:
            baseline = self.baselines.get(suite.id)
            is_outdated = suite.id in outdated
            for case in suite.cases:
                row = self.rows.get(case.key) or rows.get(case.key)
                if row is None:
                    row = Row(case.key, case, suite, is_outdated=is_outdated)
                    row.muted = self.mutes.get(str(case.key), "") if self.mutes else ""
                    row.baseline = baseline.cases.get(case.id) if baseline else None
                    self.counts.update(row)
                    self.phases[row.phase] += 1
                    touched.add(case.key)
                elif (
                    row.case is not case
                    or row.suite is not suite
                    or row.is_outdated is not is_outdated
                ):
                    row.case, row.suite, row.is_outdated = case, suite, is_outdated
                    self.counts.update(row)
                    touched.add(case.key)
                rows[case.key] = row
        gone = [row for key, row in self.rows.items() if key not in rows]
        for row in gone:
            self.counts.remove(row.key)
            self.faults.remove(row.key)
            self.phases[row.phase] -= 1
            touched.add(row.key)
        self.rows = rows
        if gone:
            times = (row.result.finished_at for row in rows.values() if row.result)
            self.results_at = max(times, default=0.0)
        return touched

    def show_cached(self, loaded: ResultsLoaded) -> tuple[Suite, ...]:
        """Show the first results of an earlier process. Returns its suites, without their cases."""
        suites = {name: Suite(name, "", Tier.GOLDEN, (), "") for name in loaded.counts}
        self.is_cached = True
        self.run_number, self.results_at = loaded.numbered, loaded.newest_at
        unlisted = {name: Counter(counts) for name, counts in loaded.counts.items()}
        for index, result in enumerate(loaded.results):
            key = result.key
            case = Case(key, ContractCase(""), description=result.description)
            row = self.rows[key] = Row(key, case, suites[key.suite], result)
            row.recent = loaded.strips[index] if loaded.strips else ()
            row.usual_ms = max(0.0, 2 * result.typical_ms - result.duration_ms)
            row.muted = self.mutes.get(str(key), "") if self.mutes else ""
            self.counts.update(row)
            unlisted[key.suite][result.shown_status] -= 1
        for name, counts in unlisted.items():
            self.counts.add_unlisted(name, counts)
        return tuple(suites.values())

    def drop_cached(self, suites: Iterable[Suite], outdated: frozenset[str]) -> set[CaseKey]:
        """The project's own results come: start with its cases. Returns keys that went or came."""
        gone = set(self.rows)
        self.is_cached, self.results_at = False, 0.0
        self.rows, self.counts, self.faults = {}, BoardCounts(), AgentFaults()
        return gone | self.arrange(suites, outdated)

    def begin(self, key: CaseKey, at: float = 0.0) -> None:
        """A case is asked; `at` is the time of it, 0.0 when that is not known."""
        row = self.rows.get(key)
        if row is not None:
            if row.phase is not Phase.RUNNING:  # else it is another attempt of the same
                row.started_at = at
            self._move(row, Phase.RUNNING)
            row.live_text = ""
            row.live_calls = []

    def enqueue(self, keys: Iterable[CaseKey]) -> None:
        for key in keys:
            row = self.rows.get(key)
            if row is not None:
                self._move(row, Phase.QUEUED)

    def settle(self) -> set[CaseKey]:
        """End of a run: whatever did not finish is idle again."""
        if not (self.phases[Phase.QUEUED] or self.phases[Phase.RUNNING]):
            return set()
        touched = {row.key for row in self.rows.values() if row.phase is not Phase.IDLE}
        for key in touched:
            self._move(self.rows[key], Phase.IDLE)
        return touched

    def begin_save(self, save: SaveView, registry: ToolRegistry) -> set[CaseKey]:
        """From now on results are those of another save. Returns keys that changed because of it.

        `registry` is the one it left. A run that is still on goes on as part of it: what it has
        done already counts. What an earlier save changed counts too while nothing ran because of
        it, as when a key runs what that one made due.
        """
        before, self.save = self.save, save
        is_waiting = before is not None and (self.is_running or not before.keys)
        save.registry = before.registry if before is not None and is_waiting else self.registry
        save.tools, self.registry = changes_between(save.registry, registry), registry
        if before is None:
            return set()
        if self.is_running:
            save.keys = before.keys
            save.trigger = tuple(dict.fromkeys((*before.trigger, *save.trigger)))
            return set()
        touched = {key for key in before.keys if key in self.rows}
        for key in touched:
            row = self.rows[key]
            row.before = row.changed = None
            self.counts.update(row)
        return touched

    def finish(self, result: CaseResult) -> None:
        """Take a result: it is fresh, so the row is neither stale nor compared any more."""
        row = self.rows.get(result.key)
        if row is None:
            return
        if self.save is not None:
            if row.key not in self.save.keys:
                self.save.keys[row.key] = None
                row.before = row.result
            row.changed = effect_of(row.before, result, row.baseline)
        if row.result is not None:
            took = row.result.duration_ms
            row.usual_ms = (row.usual_ms + took) / 2 if row.usual_ms else took
        row.result = result
        row.stale = None
        row.recent = (*row.recent, result.shown_status)[-STRIP_LENGTH:]
        row.live_text = ""
        row.live_calls = []
        self._move(row, Phase.IDLE)
        self._judge(row)

    def resume(self, keys: Iterable[CaseKey]) -> set[CaseKey]:
        """Take what an interrupted run had finished as done by the one that goes on with it.

        Of the results before only the verdicts are known. Returns the keys.
        """
        touched: set[CaseKey] = set()
        for key in keys:
            row = self.rows.get(key)
            if row is not None and row.result is not None and self.save is not None:
                before = None
                if len(row.recent) > 1:
                    before = CaseResult(key, "", self.agent, row.recent[-2])
                row.changed = effect_of(before, row.result, row.baseline)
                self.save.keys[key] = None
                self.counts.update(row)
                touched.add(key)
        return touched

    def changes(self, keys: Iterable[CaseKey]) -> RunChanges:
        """What the last save made of these cases."""
        found: dict[Effect | None, list[CaseKey]] = {}
        for key in keys:
            if row := self.rows.get(key):
                found.setdefault(row.effect, []).append(key)
        return RunChanges(
            tuple(found.get(Effect.WORSE, ())),
            tuple(found.get(Effect.BETTER, ())),
            tuple(found.get(Effect.ERROR, ())),
            tuple(found.get(Effect.CALLS_DIFFER, ())),
            len(found.get(Effect.AS_BEFORE, ())),
            len(found.get(Effect.NEW, ())),
        )

    def recall_effects(self, changes: RunChanges) -> set[CaseKey]:
        """Take over what a run said of its cases where the results before it are not known, as
        when it is played again. Returns keys whose effect changed."""
        said = {
            **dict.fromkeys(changes.worse, Effect.WORSE),
            **dict.fromkeys(changes.better, Effect.BETTER),
            **dict.fromkeys(changes.errors, Effect.ERROR),
            **dict.fromkeys(changes.calls_differ, Effect.CALLS_DIFFER),
        }
        rest = Effect.AS_BEFORE if changes.as_before else Effect.NEW
        touched: set[CaseKey] = set()
        if not any(changes.counts.values()):
            return touched
        for key in self.save.keys if self.save is not None else ():
            row = self.rows.get(key)
            if row is not None and row.before is None:
                effect = said.get(key, rest)
                if row.changed is not effect:
                    row.changed = effect
                    self.counts.update(row)
                    touched.add(key)
        return touched

    def restore(self, result: CaseResult, recent: tuple[CaseStatus, ...] | None) -> None:
        """Put back what an earlier process knew; what is known to be stale stays so.

        A case that has finished since keeps its new result, behind the recent of the old ones, and
        one that is known in detail keeps the details.
        """
        row = self.rows.get(result.key)
        if row is None:
            return
        if _is_later(row.result, result):
            row.recent = (*(recent or ()), *row.recent)[-STRIP_LENGTH:]
            row.usual_ms = row.usual_ms or result.typical_ms
            if row.changed is not None and row.before is None and row.result is not None:
                row.before = result
                row.changed = effect_of(result, row.result, row.baseline)
                self.counts.update(row)
            return
        if not _says_less(result, row.result):
            row.result = _with_difference(result, row.result)
        if result.typical_ms:  # the history halves the way to each new duration
            row.usual_ms = max(0.0, 2 * result.typical_ms - result.duration_ms)
        if recent is not None:
            row.recent = recent[-STRIP_LENGTH:]
        self._judge(row)

    def mute(self, mutes: Mapping[str, str]) -> set[CaseKey]:
        """Replace the mutes in force. Returns keys whose mute changed."""
        before, self.mutes = self.mutes, mutes
        touched: set[CaseKey] = set()
        for name, _ in before.items() ^ mutes.items():
            row = self.rows.get(CaseKey(*name.split("::", 1))) if "::" in name else None
            if row is not None:
                row.muted = mutes.get(name, "")
                self._judge(row)
                touched.add(row.key)
        return touched

    def follow_sampling(self, is_sampled: bool) -> set[CaseKey]:
        """Whether falls are proof or not. Returns keys whose mark changed."""
        if self.is_sampled is is_sampled:
            return set()
        self.is_sampled = is_sampled
        fallen = [row for row in self.rows.values() if row.regressed or row.moved]
        for row in fallen:
            self._judge(row)
        return {row.key for row in fallen}

    def known_costs(self, keys: Iterable[CaseKey]) -> KnownCosts:
        """What these cases took last time; where that is not known, what the others took."""
        known = [self.rows[key].result for key in keys if key in self.rows]
        ran = _asked(known)
        others = ran or _asked(row.result for row in self.rows.values())
        seconds = [result.duration_ms / 1000 for result in others]
        dollars = [
            result.cost_usd / max(1, result.trials)
            for result in others
            if result.cost_usd is not None
        ]
        return KnownCosts(
            sum(seconds) / len(seconds) if seconds else None,
            sum(dollars) / len(dollars) if dollars else None,
            len(known) - len(ran),
        )

    def mark_stale(self, cases: Iterable[StaleCase]) -> set[CaseKey]:
        """Replace the stale list. Returns keys whose mark changed."""
        now: Mapping[CaseKey, StaleCase] = {case.key: case for case in cases}
        touched: set[CaseKey] = set()
        for row in self.rows.values():
            stale = now.get(row.key)
            if row.stale != stale:
                row.stale = stale
                self.counts.update(row)
                touched.add(row.key)
        return touched

    def measure_reach(self, cases: Collection[StaleCase], total: int) -> None:
        """Note how far a change reaches."""
        reasons = Counter(reason for case in cases for reason in case.reasons[:1])
        why = max(reasons, key=lambda reason: reasons[reason], default="")
        self.reach = Reach(len(cases), total, why)

    def compare_with(self, baselines: Iterable[Baseline]) -> set[CaseKey]:
        """Replace the baselines in force. Returns keys whose comparison changed."""
        self.baselines = {baseline.suite: baseline for baseline in baselines}
        touched: set[CaseKey] = set()
        for row in self.rows.values():
            baseline = self.baselines.get(row.key.suite)
            then = baseline.cases.get(row.key.case) if baseline else None
            if then != row.baseline:
                row.baseline = then
                self._judge(row)
                touched.add(row.key)
        return touched

    def _move(self, row: Row, phase: Phase) -> None:
        self.phases[row.phase] -= 1
        row.phase = phase
        self.phases[phase] += 1

    def _judge(self, row: Row) -> None:
        """Compare a row whose result or baseline changed, and count it."""
        change = _against(row)
        row.regressed = change is Change.REGRESSED and not self.is_sampled
        row.moved = change is Change.REGRESSED and self.is_sampled
        row.newly_passed = change is Change.NEWLY_PASSED
        if row.result is not None:
            self.results_at = max(self.results_at, row.result.finished_at)
        self.faults.update(row)
        self.counts.update(row)


def _is_later(result: CaseResult | None, other: CaseResult) -> bool:
    """Of one run they are the same: files tell the time less exactly than the history does."""
    return (
        result is not None
        and result.run_id != other.run_id
        and result.finished_at > other.finished_at
    )


def _says_less(result: CaseResult, known: CaseResult | None) -> bool:
    """Whether it is what the history keeps of a result that is known with all its details."""
    return (
        known is not None
        and result.run_id == known.run_id
        and not (result.verdicts or result.response)
        and bool(known.verdicts or known.response)
    )


def _with_difference(result: CaseResult, known: CaseResult | None) -> CaseResult:
    """With the words that the history kept: what it was held against may not be at hand."""
    if known is None or not known.in_short or known.run_id != result.run_id or result.in_short:
        return result
    return replace(result, in_short=known.in_short)


def _against(row: Row) -> Change:
    """How the row moved against its baseline; one that is muted does not."""
    if row.baseline is None or row.result is None or row.muted:
        return Change.SAME
    return judge_change(row.baseline, row.result)


def _asked(results: Iterable[CaseResult | None]) -> list[CaseResult]:
    """Those for which an agent was asked."""
    return [
        result
        for result in results
        if result is not None and result.status is not CaseStatus.SKIPPED
    ]
