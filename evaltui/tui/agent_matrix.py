"""The boards of all agents side by side, and the cases on which agents disagree."""

from collections.abc import Iterable, Iterator

from evaltui.core.case import CaseKey
from evaltui.core.result import CaseStatus
from evaltui.store.changes import Changes
from evaltui.store.row import Row
from evaltui.tui.agent_names import short_names
from evaltui.tui.filter_terms import Others
from evaltui.tui.sessions.session_protocol import SessionProtocol, board_of


class AgentMatrix:
    """Follows changed rows; everything is compared again only when the boards are others."""

    def __init__(self) -> None:
        self.agents: tuple[str, ...] = ()
        """Whose boards are compared, in the order of the settings."""
        self.names: dict[str, str] = {}
        """What each is called on the screen."""
        self.differing: set[CaseKey] = set()
        """Cases that some agents pass and others fail."""

    @property
    def is_several(self) -> bool:
        return len(self.agents) > 1

    def rebuild(self, session: SessionProtocol) -> None:
        """Compare everything again: another project, other agents."""
        self.agents = session.agents
        self.names = short_names(self.agents)
        self.differing = set(_differing(session)) if self.is_several else set()

    def update(self, session: SessionProtocol, changes: Changes) -> None:
        """Follow changed rows."""
        if not self.is_several:
            return
        for key in {key for keys in changes.rows.values() for key in keys}:
            if disagree(self.rows_of(session, key)):
                self.differing.add(key)
            else:
                self.differing.discard(key)

    def others(self, session: SessionProtocol) -> Others:
        """What a filter may ask of agents that are not shown, and of the tools."""
        if not self.is_several:
            return Others(registry=lambda: session.store.registry)
        return Others(
            {short: name for name, short in self.names.items()},
            lambda agent, key: board_of(session, agent).rows.get(key),
            lambda key: key in self.differing,
            lambda: session.store.registry,
        )

    def rows_of(self, session: SessionProtocol, key: CaseKey) -> tuple[Row | None, ...]:
        """One case on every board, in the order of the agents."""
        boards = session.store.boards
        return tuple(
            board.rows.get(key) if (board := boards.get(agent)) else None for agent in self.agents
        )


def disagree(rows: Iterable[Row | None]) -> bool:
    """Whether one agent passes the case and another fails it; an error and a pass of nothing are no
    opinion, and a muted case, which counts for nothing, differs in nothing."""
    counted = (row for row in rows if row is not None and not row.muted)
    said = {row.result.shown_status for row in counted if row.result is not None}
    return CaseStatus.PASSED in said and CaseStatus.FAILED in said


def _differing(session: SessionProtocol) -> Iterator[CaseKey]:
    """Of all cases; every board has its rows in file order, so they are read side by side."""
    boards = [session.store.boards.get(agent) for agent in session.agents]
    known = [board.rows.values() for board in boards if board is not None]
    for rows in zip(*known, strict=True):
        if disagree(rows):
            yield rows[0].key
