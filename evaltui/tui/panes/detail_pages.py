"""What the detail pane has in place of a case: the page of a tool, of a suite or of a group."""

from evaltui.expectations.coverage import ToolCoverage
from evaltui.store.row import Row
from evaltui.tui.order import SaveGroup
from evaltui.tui.panes.tools import coverage_of
from evaltui.tui.render.group_page import write_group_page
from evaltui.tui.render.row_difference import RowDifferences
from evaltui.tui.render.text_builder import TextBuilder
from evaltui.tui.render.tool_page import write_suite_page, write_tool_page
from evaltui.tui.sessions.past_session import PastSession
from evaltui.tui.sessions.session_protocol import SessionProtocol, board_of


class DetailPages:
    """Remembers what differs in the rows of a group."""

    def __init__(self) -> None:
        self._differences = RowDifferences()

    def write(
        self,
        builder: TextBuilder,
        session: SessionProtocol,
        agent: str,
        tool: str,
        suite: str,
        group: SaveGroup | None,
    ) -> None:
        """Of the first of the three that is named; nothing of a suite that is not there."""
        store, board = session.store, board_of(session, agent)
        if tool:
            entries = coverage_of(session, agent)
            entry = next((one for one in entries if one.tool == tool), ToolCoverage(tool))
            write_tool_page(builder, entry, store.registry.get(tool), board)
        elif found := next((one for one in store.suites if one.id == suite), None):
            write_suite_page(builder, found, board)
        elif group is not None:
            self._write_group(builder, session, agent, group)

    def _write_group(
        self, builder: TextBuilder, session: SessionProtocol, agent: str, group: SaveGroup
    ) -> None:
        board, multiset = board_of(session, agent), session.config.multiset_tools
        rows = [board.rows[key] for key in group.keys if key in board.rows]

        def difference(row: Row) -> str:
            return self._differences.of(row, builder.look, multiset=multiset)

        whole = session.whole if isinstance(session, PastSession) else None
        write_group_page(builder, group, rows, board.headline.save, difference, whole)
