"""The lines of the side pane while it shows tools: each with the counts of its cases."""

from collections.abc import Collection

from rich.segment import Segment

from evaltui.core.case import CaseKey
from evaltui.core.tool import ToolDefinition, ToolStatus, plain_tool_name
from evaltui.store.board import Board
from evaltui.store.counts import Counts
from evaltui.store.row import RANK, Row
from evaltui.tui.filter_terms import tools_of
from evaltui.tui.panes.line_source import LineSource
from evaltui.tui.render.look import Look
from evaltui.tui.render.tool_line import Columns, tool_line
from evaltui.tui.session_protocol import board_of


class ToolLines(LineSource):
    """Worst first, in the order of the registry among equals; removed tools are left out."""

    def __init__(self) -> None:
        self.tools: list[ToolDefinition] = []
        self._keys: dict[str, list[CaseKey]] = {}
        """Cases that mention a tool, by its name in plain spelling."""
        self._counts: dict[str, Counts] = {}

    @property
    def count(self) -> int:
        return len(self.tools)

    def keys_of(self, tool: str) -> Collection[CaseKey]:
        """The cases that mention it, in file order."""
        return self._keys.get(plain_tool_name(tool), ())

    def counts_of(self, tool: str) -> Counts:
        counts = self._counts.get(tool)
        if counts is None:
            rows = board_of(self.session, self.agent).rows
            mentioned = [rows[key] for key in self.keys_of(tool) if key in rows]
            counts = self._counts[tool] = Counts.of(mentioned)
        return counts

    def recount(self) -> None:
        """Results came: what was counted is no longer true."""
        self._counts.clear()

    def arrange(self) -> None:
        """Tools or cases came or went: find out again which mention which, and sort."""
        self._keys = {}
        for key, row in board_of(self.session, self.agent).rows.items():
            for name in tools_of(row):
                self._keys.setdefault(name, []).append(key)
        self.sort()

    def sort(self) -> None:
        self.recount()
        tools = (t for t in self.session.store.registry if t.status is not ToolStatus.REMOVED)
        self.tools = sorted(tools, key=lambda tool: RANK[self.counts_of(tool.name).worst])

    def line(self, index: int, width: int, look: Look, cursor: str) -> list[Segment]:
        tool = self.tools[index]
        columns = Columns.of((each.name for each in self.tools), width)
        return tool_line(tool.name, self.counts_of(tool.name), columns, look, cursor)

    def empty_state(self) -> tuple[str, ...]:
        return ("No tools yet.", "", "One line a tool,", "with its pass rate.")


def mentioning(board: Board, tool: str) -> list[Row]:
    """The cases that mention a tool, in file order: those that its filter finds."""
    return [row for row in board.rows.values() if plain_tool_name(tool) in tools_of(row)]
