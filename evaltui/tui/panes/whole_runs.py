"""How the other agents do over all cases, against the one that is shown."""

from evaltui.core.case import CaseKey
from evaltui.core.paired_runs import PairedRuns, paired_results
from evaltui.core.result import CaseResult
from evaltui.store.changes import Changes
from evaltui.tui.agent_names import short_names
from evaltui.tui.sessions.session_protocol import SessionProtocol, board_of


class WholeRuns:
    """Worked out once for what the boards say: it looks at every case of every agent."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[tuple[str, PairedRuns], ...]] = {}
        """By the agent that is shown."""

    def follow(self, changes: Changes) -> bool:
        """Whether it has to be worked out again."""
        is_changed = bool(changes.rows or changes.is_rearranged)
        if is_changed:
            self._known.clear()
        return is_changed

    def of(self, session: SessionProtocol, agent: str) -> tuple[tuple[str, PairedRuns], ...]:
        """Each other agent, by the name that it has on the screen."""
        if agent not in self._known:
            self._known[agent] = tuple(_wholes(session, agent))
        return self._known[agent]


def _wholes(session: SessionProtocol, agent: str) -> list[tuple[str, PairedRuns]]:
    def results(of: str) -> dict[CaseKey, CaseResult]:
        rows = board_of(session, of).rows.values()
        return {row.key: row.result for row in rows if row.result is not None}

    mine, suites = results(agent), session.store.suites
    others = (
        (name, paired_results(mine, results(other), suites, session.store.mutes))
        for other, name in short_names(session.agents).items()
        if other != agent
    )
    return [(name, whole) for name, whole in others if whole is not None]
