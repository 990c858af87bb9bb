"""What one save, or key, started, and what it did to the cases."""

from collections.abc import Container, Iterable, Mapping
from typing import Self

from msgspec import Struct, field

from evaltui.core.case import CaseKey
from evaltui.core.case_changes import case_changes
from evaltui.core.comparison import Effect, RunChanges, StoodBefore, is_same, last_verdict
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.core.staleness import DueCase
from evaltui.core.suite import Suite
from evaltui.core.tool import GoneTool, ToolChange, ToolRegistry, changes_between, gone_between
from evaltui.store.row import Row
from evaltui.store.run_view import RunView
from evaltui.store.sample import Sample


class SaveView(Struct):
    """The unit that a tool developer thinks in."""

    trigger: tuple[str, ...]
    """The files that were saved; empty when it was a key."""
    registry: ToolRegistry
    """As it was before."""
    suites: tuple[Suite, ...]
    """As they were before."""
    tools: Mapping[str, ToolChange]
    """What it changed, by tool; nothing when it was a key and no save waited for it."""
    gone: tuple[GoneTool, ...] = ()
    """The tools that it removed or renamed."""
    cases: tuple[str, ...] = ()
    """What it changed in the cases, in words."""
    reason: str = ""
    """Why cases ran, in words: `get_weather.description changed`."""
    keys: dict[CaseKey, None] = field(default_factory=dict)
    """Used as an ordered set: the cases that ran."""
    reported_effects: Mapping[str, Effect] = {}
    """Of a run of the past, by `suite::case`: what it told itself, which counts."""
    runs: dict[str, RunView] = field(default_factory=dict)
    """Those that it set going, in order, by id. Results of others are not its doing."""
    repeats: dict[str, RunView] = field(default_factory=dict)
    """Those that asked its cases again as they are, by id."""
    with_results: set[str] = field(default_factory=set)
    """Those of `runs` that had results before they ended, or were superseded."""
    stood_before: Mapping[CaseKey, StoodBefore] = {}
    """Where its run goes on with an interrupted one: what cases of that had come to before."""
    sample: Sample = field(default_factory=Sample)
    """What was drawn for its runs."""
    under_way: tuple[CaseKey, ...] = ()
    """What its last run is, or was, about."""
    left: frozenset[CaseKey] = frozenset()
    """What runs of its own that were broken off had not come to: the rest of a run may."""
    besides: set[CaseKey] = field(default_factory=set)
    """Cases that ran since, and not because of it."""
    again: set[CaseKey] = field(default_factory=set)
    """Cases of the last of them, or of what asked its cases again since, that ran in one before
    too."""
    due: frozenset[CaseKey] = frozenset()
    """What it makes due by itself, as it was told last."""
    reached: dict[CaseKey, DueCase] = field(default_factory=dict)
    """What its runs are for, each with why: all of `due`; what a save before it made due and was
    not done yet; and cases whose inputs were edited while they were being asked."""

    @classmethod
    def after(
        cls,
        before: "SaveView | None",
        trigger: tuple[str, ...],
        registries: tuple[ToolRegistry, ToolRegistry],
        suites: tuple[tuple[Suite, ...], tuple[Suite, ...]],
        *,
        goes_on: bool,
    ) -> Self:
        """The one that comes next; `registries` and `suites` are those before and after it.

        Several saves in a row are one run: where it `goes_on`, what the one before has done already
        counts. What an earlier save changed counts too while nothing ran because of it, as when a
        key runs what that one made due.
        """
        then, now = registries
        if before is not None and (goes_on or not before.keys):
            then = before.registry
        save = cls(trigger, then, suites[0], changes_between(then, now))
        save.gone, save.cases = gone_between(then, now), case_changes(*suites)
        if before is not None and goes_on:
            save.keys, save.runs = before.keys, before.runs
            save.repeats, save.with_results = before.repeats, before.with_results
            save.reached, save.besides = before.reached, before.besides
            save.under_way, save.left = before.under_way, before.left
            save.sample = before.sample
            save.trigger = tuple(dict.fromkeys((*before.trigger, *trigger)))
        return save

    def begin_run(self, run: RunView, cases: Iterable[CaseKey]) -> None:
        """A run of its own begins: the first one says why, and the files of each are its files."""
        self.reason = self.reason or run.reason
        self.under_way = tuple(cases)
        self.runs[run.run_id] = run
        self.again = set()
        if run.draw is not None:
            self.sample.draw(run.draw)
        self.trigger = tuple(dict.fromkeys((*run.trigger, *self.trigger)))

    def break_off(self) -> None:
        """The run of its own that is on ends before it came to all of its cases."""
        self.left |= {key for key in self.under_way if key not in self.keys}

    def reach(self, due: Iterable[DueCase]) -> None:
        """It makes these due; what the save before reached counts as long as its run is on."""
        made = {case.key: case for case in due}
        self.due, self.reached = frozenset(made), self.reached | made
        self.sample.make_due(made.values())

    def take_on(self, cases: Iterable[DueCase], waiting: Container[CaseKey] = ()) -> None:
        """A run of its own is about these. What an earlier save reached is due no more, but for
        cases that this save makes due too, that ran because of it, or that are `waiting` still."""
        taken = {case.key: case for case in cases}
        stay = (self.due, self.keys, waiting)
        left = {k: case for k, case in self.reached.items() if any(k in one for one in stay)}
        self.reached = taken | left

    def goes_on_with(self, run_id: str) -> int | None:
        """Number of the last run before this one that had results, or of that which it resumes;
        `None` where there is none."""
        if (repeat := self.repeats.get(run_id)) is not None:
            known = [run.number for one, run in self.runs.items() if one in self.with_results]
            known += [run.number for run in self.repeats.values() if run.done]
            return max((one for one in known if one < repeat.number), default=None)
        before = [*self.runs][: [*self.runs].index(run_id)]
        known = [self.runs[one].number for one in before if one in self.with_results]
        return known[-1] if known else self.runs[run_id].resumed_from or None

    @property
    def spent_usd(self) -> float:
        """What all of its runs cost, and those that asked its cases again."""
        total = 0.0
        for run in (*self.runs.values(), *self.repeats.values()):
            # What it goes on with may be one of these.
            total = max(total, run.resumed_usd) + run.spent_usd - run.resumed_usd
        return total

    def compare(
        self, row: Row, result: CaseResult, run_id: str = "", *, is_rejudged: bool = False
    ) -> None:
        """Hold a new result against the one that the row had before this save; one for which
        nothing ran is none of its doing. `run_id`: of the run, where that is not the result's."""
        if not result.has_run:
            return
        self.with_results.add(run_id or result.run_id)
        is_asked = not is_rejudged or (row.key in self.keys and not row.is_rejudged)
        row.is_rejudged = not is_asked
        row.ran_besides, row.of_save = False, None
        if not is_rejudged:
            self.sample.note_run(row.key)
        if row.key not in self.keys:
            self.keys[row.key] = None
            self._hold_against(row, row.result, last_verdict(row.recent))
        elif row.result is None or row.result.run_id != result.run_id:
            self.again.add(row.key)
        row.changed = self.reported_effects.get(str(row.key)) if self.reported_effects else None
        if row.changed is None:
            row.changed = row.effect_of(result)

    def note_other(self, row: Row, result: CaseResult, run: RunView | None) -> None:
        """A case ran, and not because of it: what it did to the case stays as its own run left it,
        and is how the case stands as long as it comes out like that.

        Where one of its cases is asked again as it is, what it did to that is known better.
        """
        if not result.has_run:
            return
        is_its = row.key in self.keys
        if is_its and run is not None and run.is_repeat and not run.is_correction:
            row.changed, row.ran_besides, row.of_save = row.effect_of(result), False, None
            self.again.add(row.key)
            return
        self.besides.add(row.key)
        if is_its and row.of_save is None:
            row.of_save = row.result
        row.ran_besides = row.of_save is None or not is_same(row.of_save, result)

    def compare_late(self, rows: Iterable[Row]) -> None:
        """Hold results against baselines of before them that are read only now, or against none
        where it was taken away."""
        for row in rows:
            if row.changed is not None and row.result is not None and not self.reported_effects:
                row.changed = row.effect_of(row.of_save or row.result)

    def resume(self, rows: Iterable[Row], before: Iterable[StoodBefore]) -> Iterable[Row]:
        """Take what an interrupted run had finished as done by the one that goes on with it;
        `before` is what stood before both. Yields the rows that have a result."""
        self.stood_before = {one.result.key: one for one in before}
        for row in rows:
            if row.result is not None and row.result.has_run:
                self._hold_against(row, None, None)
                row.changed = row.effect_of(row.result)
                row.ran_besides, row.of_save = False, None
                self.keys[row.key] = None
                yield row

    def _hold_against(
        self, row: Row, before: CaseResult | None, verdict: CaseStatus | None
    ) -> None:
        """These, unless it goes on with a run before which something else stood."""
        stood = self.stood_before.get(row.key)
        row.before = before if stood is None else stood.result
        row.verdict_before = verdict if stood is None else stood.verdict

    def recall(self, rows: Mapping[CaseKey, Row], said: RunChanges) -> Iterable[Row]:
        """Take over what a run said of its cases where the results before it are not known, as
        when it is played again. Yields rows whose effect changed."""
        if not any(said.counts.values()):
            return
        effects, rest = said.effects, said.rest
        for key in self.keys:
            row = rows.get(key)
            if row is not None and row.before is None:
                effect = effects.get(key, rest)
                if row.changed is not effect:
                    row.changed = effect
                    yield row

    def forget(self, rows: Mapping[CaseKey, Row]) -> Iterable[Row]:
        """Its comparisons are over. Yields the rows that had one."""
        for key in self.keys.keys() | self.besides:
            row = rows.get(key)
            if row is not None:
                row.before = row.changed = row.verdict_before = None
                row.is_rejudged = row.ran_besides = False
                row.of_save = None
                yield row
