"""Which baseline each agent is compared with, and what is pinned of it."""

from collections.abc import Mapping
from contextlib import suppress

from evaltui.core.baseline import Baseline, NamedBaseline
from evaltui.core.case import CaseKey
from evaltui.core.errors import UserError
from evaltui.core.result import CaseResult
from evaltui.disk.baselines.baseline_reading import PinnedDemands, read_demands
from evaltui.disk.baselines.baselines import Baselines as Pins
from evaltui.disk.baselines.pins import Pin, pins_folder
from evaltui.disk.history.pinned_inputs import PinnedInputs
from evaltui.disk.history.shared_inputs import SamePrints
from evaltui.disk.results.results_folder import files_of_run
from evaltui.session.project_state import ProjectState


class BaselinesInForce:
    """What is pinned, with the name in force for each agent."""

    def __init__(self, state: ProjectState) -> None:
        self._state = state
        self._names: dict[str, str] = {}
        self._wanted: dict[str, str] = {}
        """What the settings named when they were last followed, by agent."""
        self._from_run: set[str] = set()
        """Agents that are compared with a run of the settings instead of pins."""
        self._pins = Pins(pins_folder(state.config))

    def names(self, agent: str) -> tuple[str, ...]:
        return self._pins.listed.names(agent)

    def named(self, agent: str) -> tuple[NamedBaseline, ...]:
        """What is pinned under each of the `names`."""
        return self._pins.named(agent)

    def beside(self, agent: str) -> tuple[Baseline, ...]:
        """What is pinned under other names than the one in force, by name."""
        others = (name for name in self.names(agent) if name != self.name_in_force(agent))
        return tuple(one for name in others for one in self._pins.in_force(agent, name))

    def detail(self, key: CaseKey, agent: str) -> CaseResult | None:
        """The pinned result of one case with its calls; `None` when it is not pinned."""
        return self._pins.detail(key, agent, self.name_in_force(agent))

    def inputs(self, agent: str, prints: SamePrints) -> dict[CaseKey, PinnedInputs]:
        """What each pinned case of the baseline in force is compared with; reads copies."""
        if agent in self._from_run:
            return {}
        return self._pins.inputs(agent, prints, self.name_in_force(agent))

    def inputs_beside(
        self, agent: str, prints: SamePrints
    ) -> tuple[Mapping[CaseKey, PinnedInputs], ...]:
        """The same of every other name: what runs counts for it too, whatever it is held against
        meanwhile."""
        in_force = None if agent in self._from_run else self.name_in_force(agent)
        others = (name for name in self.names(agent) if name != in_force)
        return tuple(self._pins.inputs(agent, prints, name) for name in others)

    def demands(self, agent: str) -> dict[CaseKey, PinnedDemands]:
        """What is known of the checks of each case of the baseline in force; reads copies."""
        if agent not in self._from_run:
            return self._pins.demands(agent, self.name_in_force(agent))
        config = self._state.config
        folder, found = config.root / config.output_dir, dict[CaseKey, PinnedDemands]()
        for path in files_of_run(folder, self._wanted.get(agent, "")):
            with suppress(UserError):  # who compares with it says so
                suite, read = read_demands(path)
                found |= {CaseKey(suite, case): one for case, one in read.items()}
        return found

    def name_in_force(self, agent: str) -> str:
        """Chosen by hand or by the settings, which name that of agents not under test too."""
        wanted = self._state.config.baseline_run_id or ""
        return self._names.get(agent) or self._pins.listed.name_in_force(agent, wanted)

    def in_force(self, agent: str) -> str:
        """What the agent is compared with: the name of a baseline, or the id of a run."""
        return self._wanted[agent] if agent in self._from_run else self.name_in_force(agent)

    def pinned_agents(self, agent: str) -> tuple[str, ...]:
        """Those of which something is pinned under the name that is in force for the agent."""
        return (
            () if agent in self._from_run else self._pins.listed.agents(self.name_in_force(agent))
        )

    def of_other_versions(self, agent: str) -> tuple[Pin, ...]:
        """What is pinned of earlier versions of the embedded agent only, and not compared with."""
        return self._pins.listed.of_other_versions(agent, self.name_in_force(agent))

    def _follow_settings(self, agent: str, wanted: str, *, is_run: bool = False) -> None:
        """A name chosen by hand stays until the settings name another one, or one no more."""
        if wanted != self._wanted.get(agent, ""):
            self._names.pop(agent, None)
            self._from_run.discard(agent)
        if is_run:
            self._from_run.add(agent)
        elif wanted:
            self._from_run.discard(agent)
            self._names[agent] = wanted
        self._wanted[agent] = wanted
