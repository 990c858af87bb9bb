"""What a comparison of two states will ask: the two sides, and the cases that can differ."""

from collections.abc import Collection

from msgspec import Struct

from evaltui.core.bearing import are_sides_alike
from evaltui.core.case import CaseKey
from evaltui.core.varying import may_differ
from evaltui.project import Project
from evaltui.session.agent_queue import AgentQueue
from evaltui.session.inputs_of import InputsOf
from evaltui.session.running.jobs import cases_of


class AbSide(Struct, frozen=True):
    """One of the two states."""

    name: str
    queue: AgentQueue
    project: Project


class AbPlan(Struct, frozen=True):
    """What will be asked; nothing has been yet."""

    before: AbSide
    now: AbSide
    keys: tuple[CaseKey, ...]
    """Cases that can differ between the two."""
    cases: int
    """Those that were chosen."""
    trials: int
    """A side, of each case that is not `certain`."""
    seed: int
    as_now: tuple[str, ...] = ()
    muted: int = 0
    """Cases that were chosen too and are not asked, since their failures do not count."""
    unread: tuple[str, ...] = ()
    """Why not all tools of now can be read."""
    certain: frozenset[CaseKey] = frozenset()
    """Those of the keys that come to the same verdict each time: they are tried once a side."""

    @property
    def varying(self) -> tuple[CaseKey, ...]:
        """Those of the keys that may come to another verdict the next time."""
        return tuple(key for key in self.keys if key not in self.certain)

    @property
    def trials_in_words(self) -> str:
        """A side: `1 trial`, `5 trials`, or `up to 5 trials` where some cases are certain."""
        if self.trials == 1:
            return "1 trial"
        return f"{'up to ' if self.certain else ''}{self.trials:,} trials"

    @property
    def calls(self) -> int:
        return self.calls_of(self.trials)

    def calls_of(self, trials: int) -> int:
        """So many trials a side of each case that is not certain."""
        varying = len(self.varying)
        return 2 * (trials * varying + len(self.keys) - varying)


def that_can_differ(before: AbSide, now: AbSide, keys: Collection[CaseKey]) -> tuple[CaseKey, ...]:
    """In file order: those that are asked or judged otherwise on the other side."""
    if before.queue is not now.queue:
        return tuple(keys)
    agent = now.queue.agent
    then, since = InputsOf(before.project, agent), InputsOf(now.project, agent)
    return tuple(
        case.key
        for case, suite in cases_of(now.project, keys)
        if not are_sides_alike(then(case, suite), since(case, suite))
    )


def that_are_certain(before: AbSide, now: AbSide, keys: Collection[CaseKey]) -> frozenset[CaseKey]:
    """Those that come to the same verdict each time, on either side."""
    agents = (before.queue.agent, now.queue.agent)
    is_sampled = not all(agent.traits.is_deterministic for agent in agents)
    known = cases_of(now.project, keys)
    return frozenset(case.key for case, _ in known if not may_differ(case, is_sampled=is_sampled))
