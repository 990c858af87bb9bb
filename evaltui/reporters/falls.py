"""What a case that passed in the baseline and fails now is called: the board's word and mark."""

from evaltui.core.events import Event, ProjectRead
from evaltui.store.row import RowMark


class Falls:
    """By agent: of one that may answer otherwise the next time a fall is no proof."""

    hears = frozenset({ProjectRead})

    def __init__(self) -> None:
        self._sampled: frozenset[str] = frozenset()

    def handle(self, event: Event) -> None:
        if isinstance(event, ProjectRead):
            self._sampled = frozenset(event.sampled)

    def mark(self, agent: str) -> str:
        return "↓?" if agent in self._sampled else "↓"

    def word(self, agent: str) -> str:
        """`moved` or `regressed`."""
        return (RowMark.MOVED if agent in self._sampled else RowMark.REGRESSED).value

    def noun(self, agent: str) -> str:
        """`moved` or `regression`, for a title of one."""
        return self.word(agent) if agent in self._sampled else "regression"

    def nouns(self, agent: str) -> str:
        """`moved` or `regressions`, behind their number or over it."""
        return self.word(agent) if agent in self._sampled else "regressions"
