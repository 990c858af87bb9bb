"""The lines of the cases pane: cases, headings of suites, and the columns of agents."""

from rich.segment import Segment
from textual import constants

from evaltui.store.board import Board
from evaltui.store.row import Row
from evaltui.store.save_view import SaveView
from evaltui.tui.age_clock import AgeClock
from evaltui.tui.agent_matrix import AgentMatrix
from evaltui.tui.arrangement import Arrangement
from evaltui.tui.heading_counts import HeadingCounts
from evaltui.tui.order import BLAMED, SaveGroup
from evaltui.tui.panes.choice import Choice
from evaltui.tui.panes.line_source import LineSource
from evaltui.tui.render.agent_columns import NO_COLUMNS, place_at
from evaltui.tui.render.case_columns import LEAD, Columns, lay_out, lay_out_compared
from evaltui.tui.render.case_line import case_line, is_news, when_of
from evaltui.tui.render.case_note import DOWN
from evaltui.tui.render.empty_states import folded, no_cases
from evaltui.tui.render.glyphs import Symbols
from evaltui.tui.render.look import Look
from evaltui.tui.render.row_difference import RowDifferences
from evaltui.tui.render.suite_line import group_line, heading_line
from evaltui.tui.sessions.session_protocol import board_of
from evaltui.tui.suite_parts import SuitePart, count_headings

ROOMY = 7
"""Lines of the pane from which the counts of the agents get a line of their own."""


class CaseLines(LineSource):
    """Draws what the arrangement says, and marks what is chosen."""

    def __init__(
        self, arrangement: Arrangement, matrix: AgentMatrix, choice: Choice, clock: AgeClock
    ) -> None:
        self.arrangement, self.matrix, self.choice = arrangement, matrix, choice
        self._clock = clock
        self._heading_counts = HeadingCounts(arrangement)
        self._differences = RowDifferences()
        self._blamed: tuple[SaveView | None, str] = (None, "")
        """What the heading says of the words that a save changed."""
        self._laid_out: tuple[object, Columns] = (None, Columns(0, 0, 0, 0))

    @property
    def board(self) -> Board:
        return board_of(self.session, self.agent)

    @property
    def count(self) -> int:
        return len(self.arrangement.lines)

    @property
    def extent(self) -> int:
        board = self.board
        if not board.is_cached:
            return self.count
        total = board.counts.all.total
        if self.arrangement.is_grouped:
            total += count_headings(board.counts, is_parted=self.arrangement.is_parted)
        return total

    def head_rows(self, height: int) -> int:
        if not self.matrix.is_several:
            return 0
        return 2 if height >= ROOMY else 1

    def head(self, y: int, width: int, look: Look) -> list[Segment]:
        from evaltui.tui.render.agent_counts import progress_of
        from evaltui.tui.render.agent_heading import agent_heading, counts_heading

        matrix, columns = self.matrix, self.columns(width)
        if y == 0:
            return agent_heading(tuple(matrix.names.values()), columns, look, width)
        boards = [board_of(self.session, agent) for agent in matrix.agents]
        return counts_heading(
            [board.counts.all for board in boards],
            [progress_of(board) for board in boards],
            len(matrix.differing),
            len(self.board.rows),
            columns,
            look,
            width,
        )

    def line(self, index: int, width: int, look: Look, cursor: str) -> list[Segment]:
        line = self.arrangement.lines[index]
        symbols = look.symbols
        if isinstance(line, SaveGroup):
            is_folded = line.id in self.arrangement.folded
            blame = self._blame(line) if index == 0 and line.name in BLAMED else ""
            said = DOWN if self.arrangement.is_down_said(line, self.board) else ""
            return group_line(
                line, look, width, cursor, is_folded=is_folded, blame=blame, said=said
            )
        if isinstance(line, SuitePart):
            return self._heading(line, width, look, cursor or "background")
        is_chosen = line.key in self.choice.keys
        matrix = self.matrix
        return case_line(
            line,
            self.columns(width),
            look,
            now=self._clock.now,
            on=cursor or ("chosen" if is_chosen else "background"),
            lead=self._lead(line, symbols, is_chosen=is_chosen, is_current=bool(cursor)),
            others=matrix.rows_of(self.session, line.key) if matrix.is_several else (),
            is_cached=self.board.is_cached,
            difference=self._differences.of(
                line, look, multiset=self.session.config.multiset_tools
            ),
            down=self._down(line),
            outdated=self.arrangement.outdated_word(line, look),
        )

    def _blame(self, group: SaveGroup) -> str:
        """The words that the last save changed, found out once; nothing above cases that were all
        judged again by their kept answers, which no description bears on."""
        save = self.board.headline.save
        if save is not self._blamed[0]:
            # Imported late: it knows every assertion, and the first frame has no heading.
            from evaltui.tui.render.save_blame import changed_words

            words = changed_words(save.tools, save.gone) if save is not None else ""
            self._blamed = (save, words)
        words, rows = self._blamed[1], self.board.rows
        is_asked = words and any(not rows[key].is_rejudged for key in group.keys if key in rows)
        return words if is_asked else ""

    def _down(self, row: Row) -> str | None:
        """See `note_of`."""
        if not self.board.faults.is_down_for(row.key):
            return None
        return "" if self.arrangement.is_down_said(row, self.board) else DOWN

    def reads_otherwise(self, index: int, before: float, now: float) -> bool:
        """Whether time alone changed what the line says, or that it is marked as news."""
        line, is_cached = self.arrangement.at(index), self.board.is_cached
        return isinstance(line, Row) and (
            when_of(line, before, is_cached=is_cached) != when_of(line, now, is_cached=is_cached)
            or is_news(line, before) is not is_news(line, now)
        )

    def _lead(self, row: Row, symbols: Symbols, *, is_chosen: bool, is_current: bool) -> str:
        """Chosen, under the cursor, or news; the last not where no motion is wanted."""
        if is_chosen or is_current:
            return symbols.chosen if is_chosen else symbols.crumb
        is_marked = constants.TEXTUAL_ANIMATIONS != "none" and is_news(row, self._clock.now)
        return symbols.live if is_marked else " "

    def empty_state(self) -> tuple[str, ...]:
        arrangement = self.arrangement
        return no_cases(self.session, self.board, arrangement.view, arrangement.filter.text)

    def after_last(self) -> tuple[str, ...]:
        lines = self.arrangement.lines
        if any(isinstance(line, Row) for line in lines):
            return ()
        if any(isinstance(line, SaveGroup) for line in lines):
            return folded(len(lines), "group")
        return folded(
            len({line.suite.id for line in lines if isinstance(line, SuitePart)}), "suite"
        )

    def columns(self, width: int) -> Columns:
        """Widths of the columns in a line of this width; laid out again when something changed."""
        matrix, needs = self.matrix, self.arrangement.needs
        shown = matrix.agents.index(self.agent) if self.agent in matrix.agents else 0
        names = tuple(matrix.names.values()) if matrix.is_several else ()
        asked = (width, needs, names, shown)
        if self._laid_out[0] != asked:
            self._laid_out = (
                asked,
                lay_out_compared(width, needs, names, shown) if names else lay_out(width, needs),
            )
        return self._laid_out[1]

    def agent_at(self, x: int, width: int) -> str:
        """The agent whose column a cell belongs to; empty for none."""
        columns = self.columns(width)
        place = place_at(x - LEAD - columns.id, columns.agents)
        return "" if place is None else self.matrix.agents[place]

    def _heading(self, part: SuitePart, width: int, look: Look, on: str) -> list[Segment]:
        """With the figures of the rows below it, for each agent its own."""
        is_folded = part.id in self.arrangement.folded
        suite, columns = part.suite, self.columns(width)
        if columns.agents is NO_COLUMNS:
            counts = self._heading_counts.of(part, self.board)
            return heading_line(suite, counts, look, width, on=on, is_folded=is_folded)
        from evaltui.tui.render.agent_heading import compared_heading

        boards = [board_of(self.session, agent) for agent in self.matrix.agents]
        counts_by_agent = [self._heading_counts.of(part, board) for board in boards]
        return compared_heading(
            suite, counts_by_agent, columns, look, width, on=on, is_folded=is_folded
        )
