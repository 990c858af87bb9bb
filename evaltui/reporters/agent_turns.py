"""One agent after another: events of the next one wait until it has its turn."""

from collections.abc import Callable

from evaltui.core.events import CaseFinished, Event, RunFinished, RunStarted


class AgentTurns:
    """Passes events on in the order in which they came, but for those of agents that wait."""

    def __init__(self, tell: Callable[[Event], None]) -> None:
        self._tell = tell
        self._agent = ""
        """Whose turn it is: from its first event on, to the end of its run."""
        self._waiting: dict[str, list[Event]] = {}
        """By agent, in the order in which they were heard of."""

    def handle(self, event: Event) -> None:
        agent = _agent_of(event)
        if agent and self._agent and agent != self._agent:
            self._waiting.setdefault(agent, []).append(event)
            return
        self._pass_on(event, agent)
        while not self._agent and self._waiting:
            self._next()

    def close(self) -> None:
        """Pass on whatever waits: runs that were cut off have no end."""
        while self._waiting:
            self._next()

    def _next(self) -> None:
        agent = next(iter(self._waiting))
        for event in self._waiting.pop(agent):
            self._pass_on(event, agent)

    def _pass_on(self, event: Event, agent: str) -> None:
        self._tell(event)
        if agent:
            self._agent = "" if isinstance(event, RunFinished) else agent


def _agent_of(event: Event) -> str:
    """Empty for what is about no agent's run."""
    if isinstance(event, CaseFinished):
        return event.result.agent
    return event.agent if isinstance(event, RunStarted | RunFinished) else ""
