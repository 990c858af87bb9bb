"""How the lines of the cases pane are drawn: cases, headings, and the columns of agents."""

import time

from rich.segment import Segment

from evaltui.core.suite import Suite
from evaltui.store.board import Board
from evaltui.store.row import Row
from evaltui.tui.agent_matrix import AgentMatrix
from evaltui.tui.arrangement import Arrangement
from evaltui.tui.messages import AgentWanted
from evaltui.tui.panes.choice import Choice
from evaltui.tui.panes.line_list import LineList
from evaltui.tui.render.agent_columns import NO_COLUMNS, place_at
from evaltui.tui.render.case_line import LEAD, Columns, case_line, lay_out, lay_out_compared
from evaltui.tui.render.empty_states import no_cases
from evaltui.tui.render.suite_line import heading_line
from evaltui.tui.session_protocol import board_of

ROOMY = 7
"""Lines of the pane from which totals of the agents get a line of their own."""


class CaseList(LineList):
    """Draws what is in sight; subclasses say what is chosen, and follow what changes."""

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self.matrix = AgentMatrix()
        self.arrangement = Arrangement()
        self._choice = Choice()
        self._laid_out: tuple[object, Columns] = (None, Columns(0, 0, 0, 0, 0, 0))

    @property
    def board(self) -> Board:
        return board_of(self.session, self.agent)

    @property
    def line_count(self) -> int:
        return len(self.arrangement.lines)

    @property
    def extent(self) -> int:
        board = self.board
        if not board.is_cached:
            return self.line_count
        headings = len(board.counts.suites) if self.arrangement.is_grouped else 0
        return board.counts.all.total + headings

    @property
    def head_rows(self) -> int:
        if not self.matrix.is_several:
            return 0
        return 2 if self.scrollable_content_region.height >= ROOMY else 1

    def make_head(self, y: int, width: int) -> list[Segment]:
        from evaltui.tui.render.agent_counts import progress_of
        from evaltui.tui.render.agent_heading import agent_heading, counts_heading

        matrix, columns = self.matrix, self.columns(width)
        if y == 0:
            return agent_heading(tuple(matrix.names.values()), columns, self.look, width)
        boards = [board_of(self.session, agent) for agent in matrix.agents]
        return counts_heading(
            [board.counts.all for board in boards],
            [progress_of(board) for board in boards],
            len(matrix.differing),
            len(self.board.rows),
            columns,
            self.look,
            width,
        )

    def on_head_clicked(self, x: int) -> None:
        columns = self.columns(self.scrollable_content_region.width)
        place = place_at(x - LEAD - columns.id, columns.agents)
        if place is not None:
            self.post_message(AgentWanted(self.matrix.agents[place]))

    def make_line(self, index: int, width: int) -> list[Segment]:
        line = self.arrangement.lines[index]
        look = self.look
        symbols = look.symbols
        is_here = index == self.cursor
        on = self.cursor_variable if is_here else "background"
        if isinstance(line, Suite):
            return self._heading(line, width, on)
        is_chosen = line.key in self._choice.keys
        lead = symbols.chosen if is_chosen else symbols.crumb if is_here else " "
        if is_chosen and not is_here:
            on = "chosen"
        return case_line(
            line,
            self.columns(width),
            look,
            now=time.time(),
            on=on,
            lead=lead,
            others=self._others(line),
            is_cached=self.board.is_cached,
        )

    def empty_state(self) -> tuple[str, ...]:
        arrangement = self.arrangement
        return no_cases(self.session, self.board, arrangement.view, arrangement.filter.text)

    def columns(self, width: int) -> Columns:
        """Where everything stands in a line of this width."""
        matrix, arrangement = self.matrix, self.arrangement
        is_compared = self.head_rows > 0
        shown = matrix.agents.index(self.agent) if self.agent in matrix.agents else 0
        asked = (width, arrangement.needs, tuple(matrix.names) if is_compared else (), shown)
        if self._laid_out[0] != asked:
            id_need, tool_need = arrangement.needs
            self._laid_out = (
                asked,
                lay_out_compared(width, id_need, tuple(matrix.names.values()), shown)
                if is_compared
                else lay_out(width, id_need, tool_need),
            )
        return self._laid_out[1]

    def _heading(self, suite: Suite, width: int, on: str) -> list[Segment]:
        is_folded = suite.id in self.arrangement.folded
        columns = self.columns(width)
        if columns.agents is NO_COLUMNS:
            counts = self.board.counts.of(suite.id)
            return heading_line(suite, counts, self.look, width, on=on, is_folded=is_folded)
        from evaltui.tui.render.agent_heading import compared_heading

        boards = [board_of(self.session, agent) for agent in self.matrix.agents]
        return compared_heading(
            suite,
            [board.counts.of(suite.id) for board in boards],
            columns,
            self.look,
            width,
            on=on,
            is_folded=is_folded,
        )

    def _others(self, row: Row) -> tuple[Row | None, ...]:
        if not self.matrix.is_several:
            return ()
        return self.matrix.rows_of(self.session, row.key)
