"""The history's counts of one agent's trials, read as needed. Runs on workers."""

import asyncio
from collections.abc import Iterable

from evaltui.core.agent import Agent
from evaltui.core.baseline import Change, judge_change
from evaltui.core.case import CaseKey
from evaltui.core.proof import Proof
from evaltui.core.statistics.trials import Trials, TwoSides
from evaltui.disk.history.history_trials import Of
from evaltui.disk.history.shared_inputs import SamePrints, is_alike
from evaltui.project import Project
from evaltui.session.baselines import Baselines
from evaltui.session.inputs_of import InputsOf
from evaltui.session.project_state import ProjectState
from evaltui.session.trials.trial_counts import TrialCounts
from evaltui.store.row import Row


class TrialReading:
    """Adds to `counts` what the history knows. Raises HistoryError."""

    def __init__(
        self, agent: Agent, state: ProjectState, baselines: Baselines, counts: TrialCounts
    ) -> None:
        self.prints = SamePrints(state)
        self.are_pins_read = False
        """Whether what is pinned now is what `counts` has."""
        self._agent = agent
        self._state = state
        self._baselines = baselines
        self._counts = counts

    async def read_pins(self) -> None:
        """Have the pins in force, and what counts for them; note those of other names."""
        self.are_pins_read = True  # as long as none comes meanwhile
        try:
            name, history = self._agent.name, self._state.record.history
            pins = await asyncio.to_thread(self._baselines.inputs, name, self.prints)
            beside = await asyncio.to_thread(self._baselines.inputs_beside, name, self.prints)
            same = self._counts.same
            await self.read(
                (name, inputs)
                for key, pin in pins.items()
                for inputs in (pin.same, *([same[key]] if pin.earlier and key in same else ()))
                for name in pin.names(key)
            )
            self._counts.discounts = await asyncio.to_thread(
                history.trials.note_pins, name, pins, beside, self._state.project.former_prints
            )
            self._counts.rebuilt_at = await asyncio.to_thread(history.rebuilt_at)
            self._counts.pins = pins
        except BaseException:
            self.are_pins_read = False
            raise

    async def read(self, wanted: Iterable[Of]) -> None:
        """Have the history's counts of these that are not known yet."""
        self._add(await asyncio.to_thread(self._look_up_unknown, wanted))

    async def read_again(self) -> set[CaseKey]:
        """Replace what the history alone knows; returns whose it is. What is unread again by the
        time of the answer is left to the next."""
        wanted, self._counts.unread = {*self._counts.unread}, set()  # more may come meanwhile
        if not wanted:
            return set()
        self._counts.asked = wanted
        try:
            found = await asyncio.to_thread(self._look_up, [*wanted])
        except BaseException:
            self._counts.unread |= wanted
            raise
        finally:
            self._counts.asked = ()
        unread = self._counts.unread
        self._counts.counted |= {of: made for of, made in found.items() if of not in unread}
        return {key for key, _ in wanted}

    async def read_next(self, rows: list[Row], project: Project, trials: int) -> None:
        """Have the history's counts of the inputs with which these cases are about to be run."""
        self._add(await asyncio.to_thread(self._next, rows, project, trials))

    async def same(self, rows: Iterable[Row]) -> dict[CaseKey, str]:
        """The inputs of their last results."""
        return await asyncio.to_thread(self._same, [*rows])

    def is_judged_otherwise(self, row: Row) -> bool:
        """Whether its last answer was asked for as the pinned one, and judged by other checks."""
        pin = self._counts.pins.get(row.key)
        if pin is None or row.result is None or not self._counts.is_edited(row.key):
            return False
        return bool(pin.asked) and pin.asked == self.prints.asked(row.result.inputs)

    def not_weighed(self, row: Row, sides: TwoSides, project: Project) -> Proof:
        """What there is to say of a case as long as its trials are not held against each other."""
        is_due = row.result is not None and row.has_other_inputs and sides != TwoSides()
        # Only of what changed it is told, and to find it out of each case would take a while.
        is_told = is_due and judge_change(row.baseline, row.result) is not Change.SAME
        as_pinned = is_told and self.is_as_pinned(row, project)
        return Proof(row.key, sides, is_due=is_due, is_as_pinned=as_pinned)

    def is_as_pinned(self, row: Row, project: Project) -> bool:
        """Whether it would run with the pinned inputs. `project`: the one that has its suite."""
        pin = self._counts.pins.get(row.key)
        if pin is None or project.suite(row.suite.id) is not row.suite:
            return False
        now = self.prints.of(InputsOf(project, self._agent)(row.case, row.suite))
        return is_alike(now, pin.same)

    def _add(self, found: dict[Of, Trials]) -> None:
        for of, counted in found.items():
            self._counts.counted.setdefault(of, counted)

    def _look_up_unknown(self, wanted: Iterable[Of]) -> dict[Of, Trials]:
        return self._look_up(self._counts.unknown(wanted))

    def _look_up(self, wanted: list[Of]) -> dict[Of, Trials]:
        former, history = self._state.project.former_prints, self._state.record.history
        running = self._counts.running
        on = {key: one for key, _ in wanted if (one := running.get(key)) is not None}
        made = {key: (one.run_id, one.made) for key, one in on.items()}  # added when it is over
        found = history.trials.of(self._agent.name, wanted, former, made)
        nothing = Trials()
        return {of: found.get(of, nothing) for of in wanted}

    def _same(self, rows: Iterable[Row]) -> dict[CaseKey, str]:
        results = ((row.key, row.result) for row in rows)
        return {key: self.prints.of(one.inputs) for key, one in results if one is not None}

    def _next(self, rows: list[Row], project: Project, trials: int) -> dict[Of, Trials]:
        inputs_of = InputsOf(project, self._agent, trials)
        there = (row for row in rows if project.suite(row.suite.id) is row.suite)
        return self._look_up_unknown(
            (row.key, self.prints.of(inputs_of(row.case, row.suite))) for row in there
        )
