"""The contract between the screen and its panes."""

from typing import TYPE_CHECKING, ClassVar, Self

from textual.geometry import Region
from textual.widget import Widget

from evaltui.core.case import CaseKey
from evaltui.store.changes import Changes
from evaltui.tui.render.clip import clip
from evaltui.tui.render.look import Look
from evaltui.tui.render.sanitize import sanitize
from evaltui.tui.sessions.session_protocol import SessionProtocol
from evaltui.tui.themes import look_of

if TYPE_CHECKING:
    from evaltui.tui.order import SaveGroup


class Pane(Widget):
    """Shows facts of the store and keeps only what is chosen in it.

    The screen sets the border title to `title` and `count`; `show` and `refresh_from` are called
    on the screen's thread and must return within a few milliseconds. What a user chose in a pane
    goes up as one of `tui.messages`.
    """

    title: ClassVar[str] = ""
    """With the digit that leads here, e.g. `3 Detail`."""
    session: SessionProtocol
    agent: str = ""
    _written_title: str = ""
    _is_titled: bool = False
    """Whether nothing but the title is being changed."""

    def attach(self, session: SessionProtocol, agent: str) -> None:
        """Read from this session and this agent's board from now on; called again on a switch."""
        self.session, self.agent = session, agent

    def rebuild(self) -> None:
        """Show everything again: it is another session, agent or board."""

    def show(self, key: CaseKey | None) -> None:
        """Another case is chosen, or none; panes that are about no single case ignore it."""

    def refresh_from(self, changes: Changes) -> None:
        """Show what changed, if it is visible here."""

    def refresh_ages(self, before: float, now: float) -> None:
        """Time went on: show again what reads otherwise now. Called for visible panes only."""

    @property
    def count(self) -> str:
        """Written after the title, e.g. `3` or `48/312`; empty for nothing."""
        return ""

    def update_title(self) -> None:
        """Put title and count into the border; brackets in an id are no markup."""
        look = self.look
        title = sanitize(f"{self.title} {self.count}".rstrip(), look.is_ascii)
        if look.is_ascii and self.size.width:  # Textual's own mark of a cut is no ASCII
            title = clip(title, self.size.width - 4, look.symbols.cut)
        if title != self._written_title:
            self._written_title = title
            self._is_titled = True
            try:
                self.border_title = title.replace("[", "\\[")
            finally:
                self._is_titled = False

    def refresh(self, *regions: Region, **options: bool) -> Self:
        """Textual draws a whole widget again for its title: the upper border is enough."""
        if self._is_titled and not regions:
            x, y = self.content_offset
            regions = (Region(-x, -y, self.outer_size.width, 1),)
        return super().refresh(*regions, **options)

    def on_resize(self) -> None:
        if hasattr(self, "session") and self.look.is_ascii:
            self.update_title()

    @property
    def look(self) -> Look:
        """Theme and glyphs in force."""
        return look_of(self.app)

    # --- keys of a pane with lines; each does nothing where it makes no sense

    def move(self, by: int) -> None:
        """Down (1) or up (-1) by lines."""

    def page(self, by: int) -> None:
        """By pages."""

    def go(self, index: int) -> None:
        """To a line; 0 is the first, a very large number the last."""

    def fold(self, is_folded: bool) -> bool:  # noqa: ARG002
        """Fold or unfold the line under the cursor; False when there is nothing to fold."""
        return False

    def on_opened(self) -> None:
        """Enter or a double click."""


class ReadingPane(Pane):
    """A pane of text that can be searched and copied: Detail, Problems and Tools are one each.

    Every method does nothing where it makes no sense.
    """

    tool: str = ""
    """Detail: the tool whose page is shown in place of a case."""
    suite: str = ""
    """Detail: the id of the suite whose page is."""
    group: "SaveGroup | None" = None
    """Detail: the group of cases whose page is."""

    @property
    def has_matches(self) -> bool:
        """Whether something is searched for and found."""
        return False

    def scroll_text(self, by: int) -> None:
        """By lines down (1) or up (-1), wherever the focus is."""

    def next_tab(self, step: int) -> None:
        """Detail: the tab to the right (1) or left (-1)."""

    def show_page(
        self, *, tool: str = "", suite: str = "", group: "SaveGroup | None" = None
    ) -> None:
        """Detail: the page of a tool, a suite or a group in place of the case; without all of them
        the case again."""

    def next_against(self) -> str:
        """Detail: diff against expected → baseline → previous; returns the word now in force."""
        return ""

    def search(self, text: str) -> int:  # noqa: ARG002
        """Mark `text` where it occurs and go to the first place; returns how many there are."""
        return 0

    def next_match(self, step: int) -> bool:  # noqa: ARG002
        """Go to the next (1) or previous (-1) place of the last search."""
        return False

    def diff_text(self) -> str:
        """Detail: the diff as plain text, for the copy menu."""
        return ""

    def copy_text(self) -> str:
        """What `y` copies: the line or value under the cursor; empty for nothing."""
        return ""
