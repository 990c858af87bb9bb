"""The detail pane: everything about one case, opening on what went wrong."""

import time
from collections.abc import Callable
from typing import ClassVar

from textual.app import ComposeResult
from textual.geometry import Size
from textual.widgets import Static

from evaltui.core.case import CaseKey
from evaltui.core.result import CaseResult
from evaltui.store.changes import Changes
from evaltui.store.row import Row
from evaltui.tui.agent_names import short_names
from evaltui.tui.messages import AgentWanted, CaseOpened, FilterWanted
from evaltui.tui.order import SaveGroup
from evaltui.tui.panes.against import Against
from evaltui.tui.panes.detail_pages import DetailPages
from evaltui.tui.panes.detail_tabs import Tab, anchor_of, tab_for, tabs_of, write_tab
from evaltui.tui.panes.diff_tab import diff_of
from evaltui.tui.panes.page import Page
from evaltui.tui.panes.sheet import SheetPane
from evaltui.tui.panes.shown_case import ShownCase
from evaltui.tui.panes.tab_bar import TabBar
from evaltui.tui.panes.whole_runs import WholeRuns
from evaltui.tui.render.agents import Peer
from evaltui.tui.render.diff import write_diff
from evaltui.tui.render.empty_states import no_case_shown
from evaltui.tui.render.head import write_head
from evaltui.tui.render.line import Folds
from evaltui.tui.render.save_blame import FLIPPED
from evaltui.tui.render.text import as_text
from evaltui.tui.render.text_builder import TextBuilder
from evaltui.tui.render.tool_page import key_of
from evaltui.tui.render.words import ago
from evaltui.tui.sessions.session_protocol import SessionProtocol, board_of

LEAST_PAGE = 4
"""Lines that the head leaves to the tab below it, where that has so many."""


class DetailPane(SheetPane):
    """Head and tabs do not scroll; the tab that was chosen stays from case to case."""

    title: ClassVar[str] = "3 Detail"

    def __init__(self, *, id: str = "detail", clock: Callable[[], float] | None = None) -> None:
        super().__init__(id=id)
        self.key: CaseKey | None = None
        self.tab = Tab.DIFF
        self.against = Against()
        self._clock = clock or time.time
        self._written_empty_state: tuple[str, ...] = ()
        self._asked: set[tuple[CaseKey, str, str]] = set()
        self._pages = DetailPages()
        self._wholes = WholeRuns()

    def compose(self) -> ComposeResult:
        yield Static(classes="head")
        yield TabBar(self.look)
        yield Page(self.look)

    def on_mount(self) -> None:
        self.paint()

    def on_show(self) -> None:
        self._wholes = WholeRuns()  # hidden panes are not told what changes; then it is painted

    @property
    def row(self) -> Row | None:
        board = board_of(self.session, self.agent)
        return None if self.key is None or board.is_cached else board.rows.get(self.key)

    @property
    def count(self) -> str:
        if self.group is not None:
            return self.group.name
        if self.has_page or self.key is None:
            return self.tool or self.suite
        row = self.row  # the list has no room for its suite on most screens
        return f"{self.key.case} · {row.suite.short_name}" if row is not None else self.key.case

    @property
    def peers(self) -> tuple[Peer, ...]:
        """Every agent with this case, in the order of the settings."""
        key = self.key
        return tuple(
            Peer(
                agent,
                name,
                board_of(self.session, agent).rows.get(key) if key is not None else None,
                agent == self.agent,
            )
            for agent, name in short_names(self.session.agents).items()
        )

    @property
    def tabs(self) -> tuple[Tab, ...]:
        row = self.row
        is_several = len(self.session.agents) > 1 or self.tab is Tab.AGENTS
        return tabs_of(is_several, row.case if row is not None else None, self.against.target)

    @property
    def shown_tab(self) -> Tab:
        """The chosen one, or what stands in its place for the case under the cursor."""
        return tab_for(self.tab, self.tabs)

    def attach(self, session: SessionProtocol, agent: str) -> None:
        super().attach(session, agent)
        self._wholes = WholeRuns()
        self.against.follow(session, agent)
        if self.tab is Tab.AGENTS and len(session.agents) < 2:
            self.tab = Tab.DIFF

    def show(self, key: CaseKey | None) -> None:
        if key == self.key:
            return
        self.key = key
        self.folds = Folds()
        self.against.forget()
        self.begin(anchor_of(self.shown_tab))

    @property
    def has_page(self) -> bool:
        """Whether a tool, a suite or a group is shown in place of a case."""
        return bool(self.tool or self.suite or self.group)

    def show_page(self, *, tool: str = "", suite: str = "", group: SaveGroup | None = None) -> None:
        before, self.group = self.group, group
        is_same_group = (before and before.id) == (group and group.id)
        if (tool, suite) == (self.tool, self.suite) and is_same_group:
            if before != group:
                self.paint()
        else:
            self.tool, self.suite = tool, suite
            self.folds = Folds()
            self.begin("" if self.has_page else anchor_of(self.tab))
            self.update_title()

    def refresh_from(self, changes: Changes) -> None:
        is_new_whole = self._wholes.follow(changes)
        if self.has_page:
            self.paint_soon()
            return
        is_compared = self.tab is Tab.AGENTS or self.against.is_agent
        agents = self.session.agents if is_compared else (self.agent,)
        is_touched = changes.is_queue_changed or any(
            self.key in changes.rows.get(agent, ()) for agent in agents
        )
        is_known = self._written_empty_state and self._written_empty_state != no_case_shown(
            self.session, self.agent
        )  # the project was read meanwhile
        if is_touched or is_known or changes.is_rearranged or changes.is_baselines_changed:
            self.against.forget()
            self.paint()
        elif is_new_whole and self.tab is Tab.AGENTS:
            self.paint_soon()

    def refresh_ages(self, before: float, now: float) -> None:
        result = self.row.result if self.row and not self.has_page else None
        then = result.finished_at if result else 0.0
        if then and ago(before - then) != ago(now - then):
            if self.tab is Tab.HISTORY:
                self.paint()
            else:
                self._write_head(len(self.sheet.lines))

    def choose(self, tab: Tab) -> None:
        """Show this tab of the case, also in place of the page of something else."""
        self.tab, self.tool, self.suite, self.group = tab, "", "", None
        self.begin(anchor_of(self.tab))

    def next_tab(self, step: int) -> None:
        tabs = self.tabs
        self.choose(tabs[(tabs.index(self.shown_tab) + step) % len(tabs)])

    def next_against(self) -> str:
        self.against.next(self.session, self.agent)
        self.choose(Tab.DIFF)
        return self.against.words(self.session)

    def diff_text(self) -> str:
        row = self.row
        result = row.result if row is not None else None
        diff = diff_of(self._shown(row)) if row is not None else None
        if diff is None or result is None or result.response is None:
            return ""
        builder = TextBuilder(self.look, 100)
        write_diff(builder, diff, is_silent=result.response.is_silent_on_calls)
        return builder.plain

    def write(self, builder: TextBuilder) -> None:
        row = self.row
        bar = self.query_one(TabBar)
        bar.display = not self.has_page
        if self.has_page:
            self._pages.write(builder, self.session, self.agent, self.tool, self.suite, self.group)
            self._write_head()
            return
        against = (
            self.look.hint(f"against {self.against.words(self.session)} `d`")
            if self.shown_tab is Tab.DIFF and row
            else ""
        )
        bar.put(self.shown_tab, self.tabs, against, self.look)
        self._written_empty_state = no_case_shown(self.session, self.agent) if row is None else ()
        if row is None:
            builder.empty_state(*self._written_empty_state)
            self._write_head()
            return
        self._load(self.agent, row)
        if self.tab is Tab.AGENTS or self.against.is_agent:
            for peer in self.peers:
                if peer.row is not None:
                    self._load(peer.agent, peer.row)
        write_tab(builder, self.shown_tab, self._shown(row))
        self._write_head(len(builder.lines))

    def on_tab_bar_chosen(self, event: TabBar.Chosen) -> None:
        event.stop()
        self.choose(event.tab)

    def _write_head(self, below: int = 0) -> None:
        """In the room that so many lines of the tab leave, half of the pane at most being theirs.

        Without one below it, the head is empty.
        """
        if not self.is_ready:
            return
        row = self.row
        head = TextBuilder(self.look, self.size.width)
        if row is not None and not self.has_page:
            height = self.size.height - 1  # the tabs' names
            room = height - min(below, max(LEAST_PAGE, height // 2))
            affected = board_of(self.session, self.agent).affected
            write_head(head, row, self.agent, self._clock(), room=room, affected=affected)
        shown = self.query_one(".head", Static)
        if shown.display != bool(head.lines):
            shown.display = bool(head.lines)
        # Laying out the whole screen for each case would make the cursor of the list wait; another
        # height does, and a height that is set is never one measured at the width of before.
        shown.styles.height = len(head.lines)
        # Told by the layout, it would have everything laid out a second time.
        shown.set_reactive(Static.virtual_size, Size(shown.size.width, len(head.lines)))
        shown.update(as_text(head), layout=False)

    def chosen(self, anchor: str) -> None:
        kind, _, name = anchor.partition(":")
        if kind == "agent":
            self.post_message(AgentWanted(name))
        elif (key := key_of(anchor)) is not None:
            self.post_message(CaseOpened(key))
        elif self.tool and anchor:
            self.post_message(FilterWanted(f"tool:{self.tool}"))

    def _load(self, agent: str, row: Row) -> None:
        """Ask once for what a result from disk does not carry yet."""
        result = row.result
        if result is None or result.verdicts or result.response is not None:
            return
        request = (row.key, agent, result.run_id)
        if request not in self._asked:
            self._asked.add(request)
            self.session.load_detail(row.key, agent)

    def _before_save(self, row: Row) -> CaseResult | None:
        """What the history kept has no answer; it is asked for, and only where it is shown."""
        before = row.before
        if before is None or before.response is not None or row.still_changed not in FLIPPED:
            return before
        return self.against.previous(self.session, self.agent, row.key)

    def _shown(self, row: Row) -> ShownCase:
        board = board_of(self.session, self.agent)
        save = board.headline.save
        return ShownCase(
            row,
            self.against.target,
            self.against.result(self.session, self.agent, row.key),
            lambda: self.session.past(row.key, self.agent),
            self._clock(),
            multiset=self.session.config.multiset_tools,
            before_save=self._before_save(row),
            tools=save.tools if save is not None else {},
            affected=board.affected,
            peers=self.peers if self.tab is Tab.AGENTS else (),
            wholes=self._wholes.of(self.session, self.agent) if self.tab is Tab.AGENTS else (),
            against=self.against.name(self.session),
        )
