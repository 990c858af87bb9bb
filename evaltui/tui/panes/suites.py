"""The side pane: every eval file with its counts, or every tool with its pass rate."""

from rich.segment import Segment

from evaltui.core.suite import Suite
from evaltui.store.board_counts import BoardCounts
from evaltui.store.changes import Changes
from evaltui.store.row_status import RANK
from evaltui.tui.messages import CommandWanted, FilterWanted, SuiteShown, ToolShown
from evaltui.tui.panes.line_list import LineList
from evaltui.tui.panes.line_source import LineSource
from evaltui.tui.panes.tool_lines import ToolLines
from evaltui.tui.render import glyphs
from evaltui.tui.render.empty_states import beginning
from evaltui.tui.render.look import Look
from evaltui.tui.render.suite_line import named_line
from evaltui.tui.run_ends import RunEnds
from evaltui.tui.sessions.session_protocol import SessionProtocol, board_of


class SuiteLines(LineSource):
    """First line: all of them. Then worst first, in file order among equals."""

    def __init__(self) -> None:
        self.suites: list[Suite] = []

    @property
    def counts(self) -> BoardCounts:
        return board_of(self.session, self.agent).counts

    @property
    def count(self) -> int:
        return len(self.suites) + 1 if self.suites else 0

    def sort(self) -> None:
        counts = self.counts
        self.suites = sorted(
            self.session.store.suites, key=lambda suite: RANK[counts.of(suite.id).worst]
        )

    def line(self, index: int, width: int, look: Look, cursor: str) -> list[Segment]:
        counts, on = self.counts, cursor or "background"
        lead = look.symbols.crumb if cursor else " "
        if index == 0:
            name, short = f"{lead}All suites", f"{lead}All"
            return named_line(name, counts.all, look, width, on=on, short=short)
        suite = self.suites[index - 1]
        of_suite = counts.of(suite.id)
        mark = glyphs.ATTENTION[of_suite.worst]
        return [
            Segment(lead, look.style("line-focused", on)),
            Segment(look.symbol(mark) + " ", look.style(mark.variable, on)),
            *named_line(suite.name, of_suite, look, width - 3, on=on),
        ]

    def empty_state(self) -> tuple[str, ...]:
        then = ("", "One line per file,", "with its totals.")
        return (beginning(self.session, self.agent, "No suites yet."), *then)


class SuitesPane(LineList):
    """The suite under the cursor narrows the cases; turned, it has the tools instead."""

    def __init__(self) -> None:
        self.lines = SuiteLines()
        self.tool_lines = ToolLines()
        super().__init__(self.lines, id="suites")
        self._ends = RunEnds()

    @property
    def has_tools(self) -> bool:
        """Whether it was turned to the tools."""
        return self.source is self.tool_lines

    @property
    def title(self) -> str:  # type: ignore[override]
        return "1 Tools" if self.has_tools else "1 Suites"

    @property
    def suite(self) -> str:
        """Id of the suite under the cursor; empty for all."""
        is_one = not self.has_tools and 0 < self.cursor <= len(self.lines.suites)
        return self.lines.suites[self.cursor - 1].id if is_one else ""

    @property
    def tool(self) -> str:
        """The tool under the cursor; empty while suites are shown, or without tools."""
        is_one = self.has_tools and self.cursor < len(self.tool_lines.tools)
        return self.tool_lines.tools[self.cursor].name if is_one else ""

    @property
    def count(self) -> str:
        shown = self.tool_lines.tools if self.has_tools else self.lines.suites
        return f"{len(shown):,}" if shown else ""

    def attach(self, session: SessionProtocol, agent: str) -> None:
        super().attach(session, agent)
        for lines in (self.lines, self.tool_lines):
            lines.attach(session, agent)

    def turn(self) -> None:
        """From suites to tools and back. Tools narrow nothing until one is opened."""
        self.show_all()
        self.source = self.lines if self.has_tools else self.tool_lines
        if self.has_tools:
            self.tool_lines.arrange()
        else:
            self.lines.sort()
        self.lines_changed(0)
        self.refresh()
        self.on_moved()

    def rebuild(self) -> None:
        if self.has_tools:
            self.tool_lines.arrange()
        self.sort()

    def refresh_from(self, changes: Changes) -> None:
        is_running = board_of(self.session, self.agent).runs.is_under_way
        is_idle = not is_running and not self.has_focus and not self.cursor
        has_ended = self._ends.has_ended(board_of(self.session, self.agent))
        is_other = changes.is_rearranged or changes.is_registry_changed
        if not self.source.count or (self.has_tools and is_other):
            self.rebuild()
        elif changes.is_rearranged or has_ended or (changes.rows and is_idle):
            self.sort()
        elif changes.rows and self.has_tools:
            self.tool_lines.recount()
            self.refresh_index(*self.in_sight)
        elif changes.rows:
            touched = {key.suite for key in changes.rows.get(self.agent, ())}
            indexes = (i for i, suite in enumerate(self.lines.suites, 1) if suite.id in touched)
            self.refresh_index(0, *indexes)

    def sort(self) -> None:
        """Put the lines in order; the cursor stays on its suite or tool."""
        if self.has_tools:
            tool = self.tool
            self.tool_lines.sort()
            names = [each.name for each in self.tool_lines.tools]
            self.lines_changed(names.index(tool) if tool in names else 0)
            return
        here = self.suite
        self.lines.sort()
        ids = [suite.id for suite in self.lines.suites]
        self.lines_changed(ids.index(here) + 1 if here in ids else 0)

    def show_all(self) -> bool:
        """Narrow to nothing; False when that is so already."""
        if not self.cursor or self.has_tools:
            return False
        self.go(0)
        return True

    def on_moved(self) -> None:
        self.post_message(ToolShown(self.tool) if self.has_tools else SuiteShown(self.suite))

    def on_opened(self) -> None:
        if self.tool:
            self.post_message(FilterWanted(f"tool:{self.tool}"))
        else:
            self.post_message(CommandWanted("pane.cases"))
