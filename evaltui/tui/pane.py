"""The contract between the screen and its panes."""

from typing import ClassVar

from textual.widget import Widget

from evaltui.core.case import CaseKey
from evaltui.store.changes import Changes
from evaltui.tui.render.look import Look
from evaltui.tui.wishes import Wishes


class Pane(Widget):
    """Shows facts of the store and keeps only what is chosen in it; never asks twice.

    The screen sets the border title to `title` and `count`; `show` and `refresh_from` are called
    on the screen's thread and must return within a few milliseconds. What a user chose in a pane
    goes up as one of `tui.messages`.
    """

    title: ClassVar[str] = ""
    """With the digit that leads here, e.g. `3 Detail`."""
    session: Wishes
    agent: str = ""

    def bind(self, session: Wishes, agent: str) -> None:
        """Read from this session and this agent's board from now on; called again on a switch."""
        self.session, self.agent = session, agent

    def show(self, key: CaseKey | None) -> None:
        """Another case is chosen, or none; panes that are about no single case ignore it."""

    def refresh_from(self, changes: Changes) -> None:
        """Show what changed, if it is visible here."""

    @property
    def count(self) -> str:
        """What stands after the title, e.g. `3` or `48/312`; empty for nothing."""
        return ""

    @property
    def look(self) -> Look:
        """Theme and glyphs in force."""
        from evaltui.tui.themes import look_of

        return look_of(self.app)
