"""The panes of one dashboard: which are shown, which has the focus, what their titles say."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from evaltui.store.changes import Changes
from evaltui.tui.age_clock import AgeClock
from evaltui.tui.navigation import DRAWERS, Navigation, PaneId
from evaltui.tui.pane import Pane, ReadingPane
from evaltui.tui.panes.cases import CasesPane
from evaltui.tui.panes.header import HeaderPane
from evaltui.tui.panes.suites import SuitesPane
from evaltui.tui.sessions.session_protocol import board_of

if TYPE_CHECKING:
    from textual.screen import Screen
    from textual.widget import Widget

    from evaltui.core.case import CaseKey
    from evaltui.tui.panes.footer import FooterPane
    from evaltui.tui.sessions.session_protocol import SessionProtocol


class PaneLayout:
    """Makes the panes and puts them in place; what they show is their own business."""

    def __init__(
        self, screen: Screen[Any], footer: FooterPane, session: SessionProtocol, agent: str
    ) -> None:
        self.screen = screen
        self.ages = AgeClock()
        self.header, self.footer = HeaderPane(self.ages), footer
        self.cases = CasesPane(self.ages)
        self.suites = SuitesPane()
        self.detail = ReadingPane(id="detail", classes="pane -bare")
        """Empty until `mount_detail_panes`."""
        self.drawers: dict[PaneId, ReadingPane] = {}
        self.navigation = Navigation()
        self.shown: CaseKey | None = None
        """The case that the detail is about."""
        self.is_settling = False
        """Whether the panes were arranged and Textual has yet to work out their sizes."""
        for pane in self._all:
            pane.attach(session, agent)

    @property
    def panes(self) -> dict[PaneId, Pane]:
        """Those that can have the focus, in the order of their digits."""
        return {
            PaneId.SUITES: self.suites,
            PaneId.CASES: self.cases,
            PaneId.DETAIL: self.detail,
            **self.drawers,
        }

    @property
    def current(self) -> Pane:
        """The pane that keys are about."""
        return self.panes.get(self.navigation.pane, self.cases)

    @property
    def is_about_tool(self) -> bool:
        """Whether keys are about the tool under the side pane's cursor, and not about cases."""
        if self.navigation.pane is PaneId.SUITES:
            return self.suites.has_tools
        return self.navigation.pane is PaneId.DETAIL and bool(self.detail.tool)

    @property
    def reading(self) -> ReadingPane | None:
        """The pane that keys are about, when it is one of text."""
        return self.current if isinstance(self.current, ReadingPane) else None

    @property
    def is_typing(self) -> bool:
        """Whether keys belong to a line of text now."""
        focused = self.screen.focused
        return focused is not None and focused.is_attached and self._pane_of(focused) is None

    async def mount_detail_panes(self) -> None:
        """Mount what the first frame had no time for: the panes of text."""
        from evaltui.tui.panes.detail import DetailPane
        from evaltui.tui.panes.problems import ProblemsPane
        from evaltui.tui.panes.tools import ToolsPane

        await self.detail.remove()
        self.detail = DetailPane(clock=self.ages.read)
        self.drawers = {
            PaneId.PROBLEMS: ProblemsPane(),
            PaneId.TOOLS: ToolsPane(clock=self.ages.read),
        }
        visible = self.navigation.visible
        for pane_id, pane in self.panes.items():
            if pane_id in (PaneId.DETAIL, *DRAWERS):
                pane.add_class("pane")
                pane.attach(self.cases.session, self.cases.agent)
                pane.rebuild()
                pane.display = pane_id in visible
        with self.screen.app.batch_update():
            await self.screen.query_one("#panes").mount(self.detail)
            await self.screen.query_one("#board").mount_all(self.drawers.values())
        if self.header.look.is_ascii:
            from evaltui.tui.screens.plain_bars import use_plain_bars

            use_plain_bars(self.screen)
        self.show_case(self.shown)
        self.arrange()

    def attach(self, session: SessionProtocol, agent: str) -> None:
        """Show this agent's board in every pane."""
        for pane in self._all:
            pane.attach(session, agent)
            pane.rebuild()
        self.arrange()

    def refresh_from(self, changes: Changes) -> None:
        """Show what changed, where it can be seen; lists follow every change."""
        if changes.is_run_changed:  # a run says for how long from its first frame on
            self._refresh_ages(self.panes.values())
        was_several = self.cases.matrix.is_several
        if changes:
            visible = (*self.navigation.visible, PaneId.SUITES, PaneId.CASES)
            for pane_id, pane in self.panes.items():
                if pane_id in visible:
                    pane.refresh_from(changes)
            self.header.refresh_from(changes)
        if self.cases.matrix.is_several is not was_several:
            self.arrange()
        self.update_titles()

    def refresh_ages(self) -> None:
        """Let every age on the screen be of this moment."""
        self._refresh_ages((*self.panes.values(), self.header))

    def _refresh_ages(self, panes: Iterable[Pane]) -> None:
        before, now = self.ages.tick()
        for pane in panes:
            if pane.display:
                pane.refresh_ages(before, now)

    def show_case(self, key: CaseKey | None) -> None:
        """Show this case in the panes that are about one; `None` for none."""
        self.shown = key
        for pane in self.panes.values():
            pane.show(key)
        self._show_breadcrumb()
        self.update_titles()

    def go(self, pane: PaneId) -> None:
        """Give a pane the focus, once it is mounted."""
        if pane in self.panes:
            self.navigation.go(pane)
            self.arrange()

    def focused(self, widget: Widget) -> None:
        """The mouse, or Textual, gave a widget the focus."""
        pane = self._pane_of(widget)
        if pane is not None and pane is not self.navigation.pane:
            self.go(pane)

    def resize(self, width: int) -> None:
        if width != self.navigation.width:
            self.navigation.resize(width)
            self.arrange()
        self.cases.fit_height()

    def arrange(self) -> None:
        """Make the screen what the navigation says."""
        self.is_settling = True
        self.screen.call_after_refresh(self._settled)
        self.place_panes()
        self._show_breadcrumb()
        self.update_titles()

    def place_panes(self) -> None:
        """Show the visible panes and no others; put the focus into the one that has it."""
        navigation, visible = self.navigation, self.navigation.visible
        classes = {f"-{size}": navigation.size == size for size in ("wide", "medium", "narrow")}
        classes["-zoomed"] = navigation.is_zoomed
        classes["-compared"] = self.cases.matrix.is_several and navigation.size == "wide"
        classes["-alone"] = all(pane_id in DRAWERS for pane_id in visible)
        # While it is mounted, it is known already how many agents there are.
        is_styled = self.screen.is_mounted or classes["-compared"]
        self.screen.update_classes(classes, update=is_styled)
        for pane_id, pane in self.panes.items():
            pane.display = pane_id in visible
            if pane.display and pane_id in DRAWERS:
                pane.call_after_refresh(pane.refresh_from, _everything(pane))
        if navigation.pane in (PaneId.SUITES, PaneId.CASES):
            self.show_page()
        self.cases.group(navigation.is_grouped)
        is_below = navigation.size == "medium" and PaneId.DETAIL in visible
        self.cases.limit_height(has_detail_below=is_below and not navigation.is_zoomed)
        focused = self.screen.focused
        is_elsewhere = focused is None or self.current not in focused.ancestors_with_self
        if is_elsewhere and not self.is_typing:  # else the rest of the text would be commands
            self.screen.set_focus(focus_of(self.current), scroll_visible=False)

    def show_page(self) -> None:
        """Let the detail be about what the side pane's cursor is on while that has the focus, else
        about the suite or group on whose heading the cursor of the cases is."""
        is_here = self.navigation.pane is PaneId.SUITES
        tool = self.suites.tool if is_here else ""
        suite = self.suites.suite if is_here else self.cases.suite
        group = None if is_here else self.cases.saved_group
        self.detail.show_page(tool=tool, suite=suite, group=group)

    def follow_heading(self) -> None:
        """The cursor of the cases came to a heading, or left it."""
        if self.navigation.pane is PaneId.CASES:
            self.show_page()

    def update_titles(self) -> None:
        """Write the titles with their counts into the borders."""
        for pane in self.panes.values():
            if pane.display:
                pane.update_title()

    def _settled(self) -> None:
        self.is_settling = False

    @property
    def _all(self) -> tuple[Pane, ...]:
        return (*self.panes.values(), self.header, self.footer)

    def _pane_of(self, widget: Widget) -> PaneId | None:
        """The pane that the widget is, or is a part of."""
        parents = widget.ancestors_with_self
        return next((name for name, pane in self.panes.items() if pane in parents), None)

    def _show_breadcrumb(self) -> None:
        case = self.shown.case if self.shown else ""
        group = self.detail.group
        page = self.detail.tool or self.detail.suite or (group.name if group else "")
        of = PaneId.TOOLS if self.is_about_tool else PaneId.SUITES if self.detail.suite else None
        self.header.show_breadcrumb(self.navigation.crumb(page or case, of))


def focus_of(pane: Pane) -> Widget:
    """What takes the focus in a pane: itself, or the first of its parts that can."""
    if pane.can_focus:
        return pane
    return next((part for part in pane.query("*") if part.focusable), pane)


def _everything(pane: Pane) -> Changes:
    board, agent = board_of(pane.session, pane.agent), pane.agent
    rows, suites = {agent: set(board.rows)}, {agent: set(board.counts.suites)}
    return Changes(rows, suites, True, True, True, True, True, True)
