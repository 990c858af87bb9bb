"""What the history counts for pins at the moment they are made."""

import time
from collections.abc import Collection, Mapping
from contextlib import suppress

from evaltui.core.agent import Agent
from evaltui.core.case import CaseKey
from evaltui.core.statistics.trials import Trials
from evaltui.disk.baselines.baselines import NOTHING_FRESH
from evaltui.disk.baselines.pinned import Pinned
from evaltui.disk.history.history_file import HistoryError
from evaltui.disk.history.pinned_inputs import NO_PINS, PinnedInputs, Pins
from evaltui.disk.history.shared_inputs import SamePrints
from evaltui.session.inputs_of import InputsOf
from evaltui.session.project_state import ProjectState


class PinCounting:
    """Of one agent. Nothing is counted of one that always answers alike, nor where the history
    cannot be used, which is told by whoever counts trials."""

    def __init__(self, state: ProjectState, pins: Pinned, agent: str) -> None:
        self._state = state
        self._pins = pins
        self._agent = agent

    def begin(self, agent: Agent, keys: Collection[CaseKey], trials: int) -> Pins:
        """Remember what is known of these cases' inputs, before trials are made to be pinned: all
        that are made from now on count, as nobody has seen any of them."""
        project, at = self._state.project, time.time()
        earlier = self._pins.earlier_names({key.suite for key in keys})
        inputs_of, prints = InputsOf(project, agent, trials), self._prints()
        made: dict[CaseKey, PinnedInputs] = {}
        for key in keys:
            row = self._state.events.store.board(self._agent).rows.get(key)
            if row is not None and project.suite(row.suite.id) is row.suite:
                same = prints.of(inputs_of(row.case, row.suite))
                made[key] = PinnedInputs(same, at, earlier=earlier.get(key, ()))
        self.count(NO_PINS, made)
        return made

    def count(self, since: Pins, made: Pins) -> Mapping[CaseKey, Trials]:
        """As `disk.baselines.Counting`."""
        if not self._state.events.store.board(self._agent).standards.is_sampled:
            return NOTHING_FRESH
        prints, names = self._prints(), self._pins.listed.names(self._agent)
        suites = {name.suite for key, pin in made.items() for name in pin.names(key)}
        named = [self._pins.inputs(self._agent, prints, name, suites) for name in names]
        former, history = self._state.project.former_prints, self._state.record.history
        with suppress(HistoryError):
            return history.trials.count_for_pins(self._agent, since, made, named, former)
        return NOTHING_FRESH

    def _prints(self) -> SamePrints:
        return SamePrints(self._state.project)
