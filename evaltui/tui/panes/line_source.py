"""What a list shows: its lines, and how each of them looks."""

from rich.segment import Segment

from evaltui.tui.render.look import Look
from evaltui.tui.sessions.session_protocol import SessionProtocol


class LineSource:
    """Asked for visible lines only, one by one; knows nothing of the widget that shows them."""

    session: SessionProtocol
    agent: str = ""

    def attach(self, session: SessionProtocol, agent: str) -> None:
        """Read from this session and this agent's board from now on."""
        self.session, self.agent = session, agent

    @property
    def count(self) -> int:
        """How many lines there are."""
        raise NotImplementedError

    @property
    def extent(self) -> int:
        """How many lines there will be, with those that are not known yet."""
        return self.count

    def line(self, index: int, width: int, look: Look, cursor: str) -> list[Segment]:
        """Exactly `width` cells; `cursor` is the theme variable behind the line that has the
        cursor, and empty for all others."""
        raise NotImplementedError

    def head_rows(self, height: int) -> int:  # noqa: ARG002
        """Lines above the others that do not scroll, in a list of this height."""
        return 0

    def head(self, y: int, width: int, look: Look) -> list[Segment]:
        """One of the lines that do not scroll; exactly `width` cells."""
        raise NotImplementedError

    def empty_state(self) -> tuple[str, ...]:
        """What is shown while there are no lines."""
        return ()

    def after_last(self) -> tuple[str, ...]:
        """What is shown below the last line, where the lines alone would not explain themselves."""
        return ()
