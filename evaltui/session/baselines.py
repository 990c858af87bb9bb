"""Pinning, unpinning, choosing a baseline by name; what is pinned by others is followed."""

import asyncio
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TypeAlias

from evaltui.core.agent import Agent
from evaltui.core.baseline import Baseline
from evaltui.core.case import CaseKey
from evaltui.core.errors import Problem, Severity, UserError
from evaltui.core.events import BaselinePinned, ProblemFound
from evaltui.core.statistics.trials import Trials
from evaltui.core.suite_result import SuiteResult
from evaltui.disk.baselines.baseline_reading import baseline_from_run
from evaltui.disk.baselines.baselines import NOTHING_FRESH
from evaltui.disk.baselines.baselines import Baselines as Pins
from evaltui.disk.baselines.pins import DEFAULT, PINS, Pin
from evaltui.disk.baselines.written_pins import PinChange
from evaltui.disk.history.history_file import HistoryError
from evaltui.disk.history.history_timeline import TimelinePoint
from evaltui.disk.history.pinned_inputs import NO_PINS, PinnedInputs
from evaltui.disk.history.shared_inputs import SamePrints
from evaltui.disk.results.result_file import read_suite_result
from evaltui.disk.results.results_folder import find_result
from evaltui.project.left_behind import LeftBehind, gone_cases, left_behind
from evaltui.project.pins_by_rules import (
    by_rules_of_now,
    not_judged_again,
    pinned_by_rules_of_now,
)
from evaltui.project.project import Project
from evaltui.session.baselines_in_force import BaselinesInForce
from evaltui.session.pin_counting import PinCounting
from evaltui.session.project_state import ProjectState
from evaltui.session.running.suite_results import last_result
from evaltui.session.undo import UndoStack

Stamps: TypeAlias = tuple[tuple[int, int], ...]


class Baselines(BaselinesInForce):
    """Pins and unpins, chooses what is in force, and tells of it."""

    def __init__(self, state: ProjectState, undo: UndoStack) -> None:
        super().__init__(state)
        self._emit = state.events.emit
        self._undo = undo
        self._left: tuple[LeftBehind, ...] = ()
        self._followed: Stamps = ()
        self._last_stamp: Stamps = ()
        self._changing = asyncio.Lock()
        """What is changed here is told before it is looked for on disk, as others' changes are."""

    async def open(self) -> None:
        """Read what is pinned; damaged files become problems."""
        unread = self._pins.listed.stamp()
        self._pins = await asyncio.to_thread(Pins.load, self._pins.folder)
        # The list as it was before it was read: what is written meanwhile is read again.
        self._followed = (*unread[:1], *self._pins.listed.stamp()[1:])
        self._report_problems()

    async def follow(self, agents: Iterable[str]) -> None:
        """Show what another process or version control pinned; called again and again."""
        before, self._last_stamp = self._last_stamp, self._pins.listed.stamp()
        is_written_on = before != self._last_stamp  # a list may come before its copies do
        if is_written_on or self._last_stamp == self._followed:
            return
        self._followed = self._last_stamp
        async with self._changing:
            if await asyncio.to_thread(self._pins.listed.follow):
                for agent in agents:
                    if agent not in self._from_run:
                        await self._emit_changed(agent)
            self._report_problems()

    async def _emit_changed(self, agent: str) -> None:
        found = await asyncio.to_thread(self._found, agent)
        known = self._state.events.store.board(agent).standards.baselines
        if {one.suite: one for one in found} != known:
            name = self.name_in_force(agent)
            self._emit_pinned(agent, name, found, f"Baseline {name} changed on disk")

    async def restore(self, agent: str) -> None:
        """Put in force what the settings name, and emit it. Raises UserError for an unknown run id
        (A52); what was in force stays then.
        """
        config = self._state.config
        wanted = config.baseline_run_id or ""
        before = self._wanted.get(agent)
        is_saved = before is not None and before != wanted
        message = f"Comparing with baseline {wanted or DEFAULT}" if is_saved else ""
        if not wanted or wanted in self.names(agent):
            self._follow_settings(agent, wanted)
        else:
            folder, suites = config.root / config.output_dir, self._state.project.suites
            found = await asyncio.to_thread(
                baseline_from_run, folder, wanted, suites, endpoint=agent
            )
            read = partial(_of_run, folder, wanted)
            found = await asyncio.to_thread(by_rules_of_now, found, read, self._state.project)
            self._follow_settings(agent, wanted, is_run=True)
            self._emit_pinned(agent, wanted, found, message)
            return
        await self._emit_in_force(agent, message)
        earlier = self.of_other_versions(agent)
        if earlier:
            place = self._pins.folder / PINS
            shown = self._state.project.shown(place)
            self._emit(ProblemFound(_not_compared(shown, agent, earlier)))

    async def use(self, name: str, agent: str) -> None:
        """Compare with the baseline of that name from now on."""
        self._names[agent] = name
        self._from_run.discard(agent)
        await self._emit_in_force(agent, f"Comparing with baseline {name}")

    async def pin(
        self,
        keys: Collection[CaseKey],
        agent: str,
        name: str = "",
        fresh: Mapping[CaseKey, Trials] = NOTHING_FRESH,
        begun: Mapping[CaseKey, PinnedInputs] = NO_PINS,
    ) -> None:
        """Make the last results of the cases the baseline. Raises OSError.

        `fresh`: trials that were made to be pinned since they were `begun`, whatever they came to.
        They count as evidence; any other result is pinned because of how it looks, and does not,
        unless it was made with the inputs that were pinned already.
        """
        chosen = name or self.name_in_force(agent)
        wanted = frozenset(keys)
        results = await asyncio.to_thread(self._results, agent, wanted, is_fresh=bool(fresh))
        prints = SamePrints(self._state.project)
        count = PinCounting(self._state, self._pins, agent).count
        await self._change(
            agent,
            self._pins.pin,
            chosen,
            agent,
            results,
            wanted,
            fresh,
            prints,
            count,
            begun,
        )

    async def pin_at(
        self, keys: Collection[CaseKey], agent: str, at: TimelinePoint, name: str
    ) -> None:
        """Make the results of a point in time a baseline of that name.

        Raises UserError when a result file of then is gone, and OSError.
        """
        wanted = frozenset(keys)
        suites = {key.suite for key in wanted}
        history = self._state.record.history
        found = await asyncio.to_thread(history.suites_at, agent, at, suites)
        results = await asyncio.to_thread(self._with_demands, found, self._state.config.trials)
        prints = SamePrints(self._state.project)
        count = PinCounting(self._state, self._pins, agent).count
        await self._change(
            agent,
            self._pins.pin,
            name,
            agent,
            results,
            wanted,
            NOTHING_FRESH,
            prints,
            count,
        )

    async def unpin(self, keys: Collection[CaseKey], agent: str, name: str = "") -> None:
        """Forget the baseline of the cases. Raises OSError."""
        chosen = name or self.name_in_force(agent)
        await self._change(agent, self._pins.unpin, chosen, agent, None, frozenset(keys))

    def refuse_unreadable(self, keys: Collection[CaseKey], agent: str, name: str = "") -> None:
        """Before anything is paid for that is to be pinned beside what cannot be read. Raises
        UserError."""
        chosen = name or self.name_in_force(agent)
        self._pins.refuse_unreadable(chosen, agent, {key.suite for key in keys})

    def begin(
        self, agent: Agent, keys: Collection[CaseKey], trials: int
    ) -> Mapping[CaseKey, PinnedInputs]:
        """Before so many trials of each are made to be pinned: what `pin` gets as `begun`."""
        return PinCounting(self._state, self._pins, agent.name).begin(agent, keys, trials)

    def find_left_behind(self, project: Project) -> tuple[LeftBehind, ...]:
        """What stayed under the old name of a file or case; reads copies, and the history."""
        self._left = left_behind(project, self._pins, self.name_in_force, self._last_run)
        return self._left

    def _last_run(self, agent: str, keys: Collection[CaseKey]) -> Mapping[CaseKey, str]:
        """As `PrintsOfLastRun`; nothing where the history cannot be used, which others say."""
        with suppress(HistoryError):
            found = self._state.record.history.last_results(agent, keys).results
            return {one.key: one.inputs.case for one in found}
        return {}

    def moved_cases(self, agent: str) -> Mapping[CaseKey, CaseKey]:
        """Pinned cases that have another name by now, as last found, and that name."""
        name = self.name_in_force(agent)
        found = (one.moves for one in self._left if (one.agent, one.name) == (agent, name))
        return next(found, {})

    def gone(self, agent: str) -> set[CaseKey]:
        """Pinned cases that the project has no more, without those that `moved_cases` tells."""
        pinned = self._pins.ids(agent, self.name_in_force(agent))
        return {*gone_cases(self._state.project, pinned)} - self.moved_cases(agent).keys()

    async def move(self, agent: str, moves: Mapping[CaseKey, CaseKey]) -> None:
        """Give the baseline of renamed cases to their new names. Raises OSError."""
        name = self.name_in_force(agent)
        if moves:
            await self._change(agent, self._pins.move, name, agent, moves)

    async def _change(self, agent: str, write: Callable[..., PinChange], *what: object) -> None:
        def again(step: Callable[[], None]) -> Callable[[], None]:
            def run() -> None:
                step()
                self._emit_pinned(agent, self.name_in_force(agent), self._found(agent))

            return run

        async with self._changing:
            change = await asyncio.to_thread(write, *what)
            self._undo.did(change.message, again(change.undo), again(change.redo))
            await self._emit_in_force(agent, change.message)

    async def _emit_in_force(self, agent: str, message: str) -> None:
        found = await asyncio.to_thread(self._found, agent)
        self._emit_pinned(agent, self.name_in_force(agent), found, message)
        self._report_problems()

    def _emit_pinned(
        self, agent: str, name: str, found: tuple[Baseline, ...], message: str = ""
    ) -> None:
        self._emit(BaselinePinned(agent, name, found, message))
        shown = self._state.project.shown(self._pins.folder)
        problems = not_judged_again(found, agent, shown)
        self._state.emit_unloaded(f"rules of what is pinned of {agent}", problems)

    def _report_problems(self) -> None:
        """Say what is wrong with the files that were read so far, if it is not said already; that
        the list cannot be read is said as long as it cannot."""
        unread = self._pins.listed.unread
        self._state.emit_unloaded("baselines", () if unread is None else (unread,))
        for problem in self._pins.problems:
            if problem not in self._state.events.store.problems.reported:
                self._emit(ProblemFound(problem))
        self._pins.problems.clear()

    def _found(self, agent: str) -> tuple[Baseline, ...]:
        name, project = self.name_in_force(agent), self._state.project
        return pinned_by_rules_of_now(self._pins, agent, name, project, endpoint=agent)

    def _results(
        self, agent: str, keys: frozenset[CaseKey], *, is_fresh: bool
    ) -> list[SuiteResult]:
        """The suites of the cases with their last results, details filled in; `is_fresh`: their
        trials were made to be pinned."""
        project, board = self._state.project, self._state.events.store.board(agent)
        suites = {key.suite for key in keys}
        found = (
            last_result(suite, board, project.registry, self._state.record.history)
            for suite in project.suites
            if suite.id in suites
        )
        trials = 1 if is_fresh else self._state.config.trials
        return self._with_demands([one for one in found if one is not None], trials)

    def _with_demands(self, results: Iterable[SuiteResult], trials: int) -> list[SuiteResult]:
        from evaltui.session.pinned_demands import with_demands

        return [*with_demands(results, self._state.project.suites, trials=trials)]


def _of_run(folder: Path, run_id: str, suite: str) -> SuiteResult | None:
    """What a run that the settings name made of a suite; `None` where its file is gone."""
    with suppress(UserError):
        return read_suite_result(find_result(folder, run_id, suite))
    return None


def _not_compared(file: str, agent: str, pins: Collection[Pin]) -> Problem:
    of = " and ".join(sorted({f"`{pin.agent}`" for pin in pins}))
    suites = "1 suite is" if len(pins) == 1 else f"{len(pins)} suites are"
    return Problem(
        file,
        f"{suites} pinned with results of {of}, which `{agent}` is not compared with",
        "Look through the results of now and pin them: `evaltui baseline pin`, or press b.",
        severity=Severity.WARNING,
        code="baseline-of-another-version",
    )
