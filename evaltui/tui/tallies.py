"""The totals of every agent's board, and the cases on which agents disagree."""

from collections.abc import Iterable, Iterator

from evaltui.core.case import CaseKey
from evaltui.core.result import CaseStatus
from evaltui.disk.last_board import LastBoard
from evaltui.store.changes import Changes
from evaltui.store.row import Row
from evaltui.tui.agent_names import short_names
from evaltui.tui.session_protocol import SessionProtocol, board_of
from evaltui.tui.tally import Tally


class Tallies:
    """Follows changed rows; everything is counted again only when the boards are others."""

    def __init__(self) -> None:
        self.agents: tuple[str, ...] = ()
        """Whose boards are counted, in the order of the settings."""
        self.names: dict[str, str] = {}
        """What each is called on the screen."""
        self.shown = Tally()
        """Of the agent whose board is shown."""
        self.differing: set[CaseKey] = set()
        """Cases that some agents pass and others fail."""
        self._by_agent: dict[str, Tally] = {}

    @property
    def is_several(self) -> bool:
        return len(self.agents) > 1

    def of(self, session: SessionProtocol, agent: str) -> Tally:
        """The totals of one agent; counted when they are first asked for."""
        tally = self._by_agent.get(agent)
        if tally is None:
            tally = self._by_agent[agent] = Tally()
            tally.rebuild(board_of(session, agent))
        return tally

    def rebuild(self, session: SessionProtocol, shown: str) -> None:
        """Count everything again: another project, other agents."""
        self.agents = session.agents
        self.names = short_names(self.agents)
        self._by_agent = {}
        self.switch_agent(session, shown)
        self.differing = set(_differing(session)) if self.is_several else set()

    def show_cached(self, last: LastBoard) -> None:
        """Take over the totals of the last known board."""
        self.shown = Tally()
        self.shown.show_cached(last)

    def switch_agent(self, session: SessionProtocol, agent: str) -> None:
        """Another agent's board is shown."""
        self.shown = self.of(session, agent)

    def update(self, session: SessionProtocol, changes: Changes) -> dict[str, set[str]]:
        """Follow changed rows; returns the suites whose totals moved, by agent."""
        moved: dict[str, set[str]] = {}
        for agent, keys in changes.rows.items():
            if self.is_several:
                self._compare(session, keys)
            tally = self._by_agent.get(agent)
            if tally is not None:
                moved[agent] = tally.update(board_of(session, agent), keys)
        return moved

    def rows_of(self, session: SessionProtocol, key: CaseKey) -> tuple[Row | None, ...]:
        """One case on every board, in the order of the agents."""
        boards = session.store.boards
        return tuple(
            board.rows.get(key) if (board := boards.get(agent)) else None for agent in self.agents
        )

    def _compare(self, session: SessionProtocol, keys: Iterable[CaseKey]) -> None:
        for key in keys:
            if disagree(self.rows_of(session, key)):
                self.differing.add(key)
            else:
                self.differing.discard(key)


def disagree(rows: Iterable[Row | None]) -> bool:
    """Whether one agent passes the case and another fails it; an error is no opinion."""
    said = {row.result.status for row in rows if row is not None and row.result is not None}
    return CaseStatus.PASSED in said and CaseStatus.FAILED in said


def _differing(session: SessionProtocol) -> Iterator[CaseKey]:
    """Of all cases; every board has its rows in file order, so they are read side by side."""
    boards = [session.store.boards.get(agent) for agent in session.agents]
    known = [board.rows.values() for board in boards if board is not None]
    for rows in zip(*known, strict=True):
        if disagree(rows):
            yield rows[0].key
