"""The lines of the side pane while it shows tools: each with the counts of its cases."""

from collections.abc import Collection

from rich.segment import Segment

from evaltui.core.case import CaseKey
from evaltui.core.tool import ToolDefinition, ToolStatus
from evaltui.store.counts import Counts
from evaltui.store.row_status import RANK
from evaltui.tui.panes.line_source import LineSource
from evaltui.tui.render.empty_states import beginning
from evaltui.tui.render.look import Look
from evaltui.tui.render.tool_line import Columns, tool_line
from evaltui.tui.sessions.session_protocol import board_of


class ToolLines(LineSource):
    """Worst first, among equals those of which least passed, then in the order of the registry;
    removed tools are left out."""

    def __init__(self) -> None:
        self.tools: list[ToolDefinition] = []
        self._keys: dict[str, tuple[CaseKey, ...]] = {}
        """The cases of each tool."""
        self._counts: dict[str, Counts] = {}
        self._columns: tuple[object, Columns | None] = None, None
        """For what they were laid out."""

    @property
    def count(self) -> int:
        return len(self.tools)

    def keys_of(self, tool: str) -> Collection[CaseKey]:
        """Its cases, in file order."""
        return self._keys.get(tool, ())

    def counts_of(self, tool: str) -> Counts:
        counts = self._counts.get(tool)
        if counts is None:
            rows = board_of(self.session, self.agent).rows
            counts = self._counts[tool] = Counts.of_cases(self.keys_of(tool), rows)
        return counts

    def recount(self) -> None:
        """Results came: what was counted is no longer true."""
        self._counts.clear()

    def arrange(self) -> None:
        """Tools or cases came or went: find out again which name which, and sort."""
        from evaltui.expectations.coverage import cover  # loads every assertion

        store = self.session.store
        self._keys = {entry.tool: entry.naming for entry in cover(store.registry, store.suites)}
        self.sort()

    def sort(self) -> None:
        self.recount()
        self._columns = None, None
        tools = (t for t in self.session.store.registry if t.status is not ToolStatus.REMOVED)
        self.tools = sorted(tools, key=lambda tool: _badness(self.counts_of(tool.name)))

    def line(self, index: int, width: int, look: Look, cursor: str) -> list[Segment]:
        tool = self.tools[index]
        return tool_line(
            tool.name, self.counts_of(tool.name), self._laid_out(width, look), look, cursor
        )

    def _laid_out(self, width: int, look: Look) -> Columns:
        """Once for all lines, until they are sorted again."""
        wanted, columns = (width, look.is_ascii), self._columns[1]
        if columns is None or self._columns[0] != wanted:
            counts = {tool.name: self.counts_of(tool.name) for tool in self.tools}
            columns = Columns.of(counts, width, look)
            self._columns = wanted, columns
        return columns

    def empty_state(self) -> tuple[str, ...]:
        then = ("", "One line per tool,", "with its pass rate.")
        return (beginning(self.session, self.agent, "No tools yet."), *then)


def _badness(counts: Counts) -> tuple[int, float]:
    """The lowest is the worst."""
    return RANK[counts.worst], counts.passed / counts.judged if counts.judged else 1.0
