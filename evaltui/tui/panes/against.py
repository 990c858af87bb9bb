"""What the diff compares the calls with: the expectation, an earlier run, or another agent."""

from evaltui.core.case import CaseKey
from evaltui.core.result import CaseResult
from evaltui.expectations.call_diff import DiffTarget
from evaltui.tui.agent_names import short_names
from evaltui.tui.sessions.session_protocol import SessionProtocol, board_of


class Against:
    """One key goes through all that there are."""

    def __init__(self) -> None:
        self.target = DiffTarget.EXPECTED
        self.agent = ""
        """The other agent, when it is one."""
        self._earlier: dict[tuple[str, CaseKey, DiffTarget], CaseResult | None] = {}
        """Earlier runs as they were read, until `forget`."""

    @property
    def is_agent(self) -> bool:
        return self.target is DiffTarget.AGENT

    def next(self, session: SessionProtocol, shown: str) -> None:
        others = _others(session, shown)
        if self.target is DiffTarget.PREVIOUS and others:
            self.target, self.agent = DiffTarget.AGENT, others[0]
        elif self.is_agent and self.agent in others[:-1]:
            self.agent = others[others.index(self.agent) + 1]
        else:
            self.target = self.target.next()

    def follow(self, session: SessionProtocol, shown: str) -> None:
        """Another agent is shown, or there are other ones: none is compared with itself."""
        self.forget()
        if self.is_agent and self.agent not in _others(session, shown):
            self.target = DiffTarget.EXPECTED

    def name(self, session: SessionProtocol) -> str:
        """What the other agent is called on the screen; empty when it is none."""
        return short_names(session.agents).get(self.agent, "") if self.is_agent else ""

    def words(self, session: SessionProtocol) -> str:
        name = self.name(session)
        return f"agent `{name}`" if name else self.target.value

    def result(self, session: SessionProtocol, agent: str, key: CaseKey) -> CaseResult | None:
        """The result that the one of `agent` is compared with; `None` for the expectation."""
        if self.is_agent:
            row = board_of(session, self.agent).rows.get(key)
            return row.result if row is not None else None
        if self.target is DiffTarget.EXPECTED:
            return None
        return self._read(session, agent, key, self.target)

    def previous(self, session: SessionProtocol, agent: str, key: CaseKey) -> CaseResult | None:
        """The result before the last one, with its answer; `None` when it is not kept."""
        return self._read(session, agent, key, DiffTarget.PREVIOUS)

    def _read(
        self, session: SessionProtocol, agent: str, key: CaseKey, target: DiffTarget
    ) -> CaseResult | None:
        request = (agent, key, target)
        if request not in self._earlier:
            self._earlier[request] = session.earlier(key, agent, target)
        return self._earlier[request]

    def forget(self) -> None:
        """Results came: ask again for earlier ones."""
        self._earlier.clear()


def _others(session: SessionProtocol, agent: str) -> tuple[str, ...]:
    return tuple(name for name in session.agents if name != agent)
