"""The cases pane: every case of the board, worst first, steady while a run is on."""

import time
from collections.abc import Iterable, Mapping

from rich.segment import Segment
from textual import events

from evaltui.core.case import CaseKey
from evaltui.core.suite import Suite
from evaltui.store.board import Board
from evaltui.store.changes import Changes
from evaltui.store.last_board import LastBoard
from evaltui.store.row import Row
from evaltui.tui.filter import PROBLEMS, Filter, View, parse
from evaltui.tui.messages import CaseOpened, CaseShown
from evaltui.tui.order import Line, arrange
from evaltui.tui.panes.choice import Choice
from evaltui.tui.panes.line_list import LineList
from evaltui.tui.render.case_line import Columns, case_line, lay_out
from evaltui.tui.render.clip import width_of
from evaltui.tui.render.lessons import no_cases
from evaltui.tui.render.suite_line import heading_line
from evaltui.tui.tally import Tally
from evaltui.tui.wishes import Wishes, board_of


class CasesPane(LineList):
    """Keeps what is chosen, filtered and folded; the rows themselves are the board's."""

    title = "2 Cases"

    def __init__(self) -> None:
        super().__init__(id="cases")
        self.tally = Tally()
        self.suite = ""
        self.view = View.ALL
        self.filter = Filter()
        self.is_grouped = False
        self.is_unsorted = False
        """Rows moved since they were put in order."""
        self._choice = Choice()
        self._folded: set[str] = set()
        self._lines: list[Line] = []
        self._index: dict[CaseKey | str, int] = {}
        self._columns = (0, Columns(0, 0, 0, 0, 0, 0))
        self._needs = (0, 0)
        self._is_touched = False
        self._was_running = False
        self._last: LastBoard | None = None

    # --- what is asked of it

    @property
    def board(self) -> Board:
        return self._last.board if self._last else board_of(self.session, self.agent)

    @property
    def chosen(self) -> Mapping[CaseKey, None]:
        """Cases chosen one by one, in that order."""
        return self._choice.keys

    @property
    def row(self) -> Row | None:
        """The case under the cursor."""
        line = self._lines[self.cursor] if self.cursor < len(self._lines) else None
        return line if isinstance(line, Row) else None

    @property
    def selection(self) -> tuple[CaseKey, ...]:
        """Chosen cases, else the one under the cursor, else those under the heading."""
        rows = self.board.rows
        if self.chosen:
            return tuple(key for key in self.chosen if key in rows)
        if self.cursor >= len(self._lines):
            return ()
        line = self._lines[self.cursor]
        if isinstance(line, Row):
            return (line.key,)
        return tuple(case.key for case in line.cases if case.key in rows)

    @property
    def shown(self) -> tuple[CaseKey, ...]:
        """Keys of the lines, in their order."""
        return tuple(line.key for line in self._lines if isinstance(line, Row))

    @property
    def count(self) -> str:
        if self._last is not None:
            return f"{self._last.total:,}"
        total = len(self.board.rows)
        shown = total if self._is_everything else len(self.shown)
        text = f"{shown:,}" if shown == total else f"{shown:,}/{total:,}"
        text += f" {self.view}" if self.view is not View.ALL else ""
        text += f", {len(self.chosen)} chosen" if self.chosen else ""
        return text + (", S sorts" if self.is_unsorted and not self._is_running else "")

    # --- what changes it

    def bind(self, session: Wishes, agent: str) -> None:
        super().bind(session, agent)
        self._last = None
        self.tally.rebuild(self.board)
        self.sort()

    def recall(self, last: LastBoard) -> None:
        """Show the first rows of the last known board, until the session is open."""
        self._last = last
        self.tally.recall(last)
        self.sort()

    def refresh_from(self, changes: Changes) -> None:
        keys = changes.rows.get(self.agent, set())
        is_running, was_running = self._is_running, self._was_running
        self._was_running = is_running
        if changes.is_rearranged or not self._lines:
            self.tally.rebuild(self.board)
            self.sort()
            return
        if changes.is_queue_changed:
            self.refresh()
        moved = self.tally.update(self.board, keys)
        if (was_running and not is_running) or (moved and not self._is_touched and not is_running):
            self.sort()
            return
        self.is_unsorted = self.is_unsorted or bool(moved)
        self._append(key for key in keys if key not in self._index)
        others = (
            other for name, found in changes.rows.items() if name != self.agent for other in found
        )
        touched: set[CaseKey | str] = {*keys, *moved, *others}
        self.refresh_index(*(self._index.get(name, -1) for name in touched))

    def sort(self) -> None:
        """Put the rows in order; the cursor stays on its case and the case on its line."""
        line = self._lines[self.cursor] if self.cursor < len(self._lines) else None
        screen_line = self.screen_line if self._is_touched else None
        self._lines = arrange(
            self.board,
            self.tally,
            suite="" if self._last else self.suite,
            view=self.view,
            narrowed=self.filter,
            is_grouped=self.is_grouped,
            folded=self._folded,
        )
        if self._last is not None:
            del self._lines[self._last.lines :]
        self._index = {_name(line): index for index, line in enumerate(self._lines)}
        self._needs = self._measure()
        self._columns = (0, self._columns[1])
        self.is_unsorted = False
        first = 1 if self.is_grouped and len(self._lines) > 1 else 0
        kept = self._index.get(_name(line), first) if line and self._is_touched else first
        self.lines_changed(kept, screen_line)
        self.on_moved()

    def narrow(self, text: str) -> str:
        """Filter by the filter language; returns what was not understood."""
        self.filter = parse(text)
        self.sort()
        return self.filter.mistake

    def look_at(self, view: View) -> None:
        self.view = view
        self.sort()

    def show_suite(self, suite: str) -> None:
        if suite != self.suite:
            self.suite, self._is_touched = suite, False
            self.sort()

    def group(self, is_grouped: bool) -> None:
        if is_grouped != self.is_grouped:
            self.is_grouped = is_grouped
            self.sort()

    def fold(self, is_folded: bool) -> bool:
        """Fold or unfold the suite of the line under the cursor; False when there is nothing to."""
        if not self.is_grouped or self.cursor >= len(self._lines):
            return False
        line = self._lines[self.cursor]
        suite = line.id if isinstance(line, Suite) else line.key.suite
        if (suite in self._folded) == is_folded:
            return False
        (self._folded.add if is_folded else self._folded.discard)(suite)
        screen_line = self.screen_line
        self.sort()
        self.lines_changed(self._index.get(suite, 0), max(0, screen_line) if is_folded else None)
        self.on_moved()
        return True

    def go_to(self, key: CaseKey) -> bool:
        """Put the cursor on a case; False when the filter, view or suite hides it."""
        index = self._index.get(key, -1)
        if index < 0:
            return False
        self.go(index)
        self.on_moved()
        return True

    def show_all(self, key: CaseKey) -> None:
        """Drop whatever hides a case, and go to it."""
        self.suite, self.view, self.filter = "", View.ALL, Filter()
        self._folded.discard(key.suite)
        self.sort()
        self.go_to(key)

    def next_problem(self, step: int) -> bool:
        """Go to the next (1) or previous (-1) row that failed, going round; False if none did."""
        total = len(self._lines)
        for distance in range(1, total + 1):
            index = (self.cursor + step * distance) % total
            line = self._lines[index]
            if isinstance(line, Row) and line.standing in PROBLEMS:
                self.go(index)
                return True
        return False

    def choose(self, step: int = 1) -> None:
        """Take the case under the cursor into the selection, or out of it, and go on by `step`."""
        line = self._lines[self.cursor] if self.cursor < len(self._lines) else None
        if line is None:
            return
        keys = (line.key,) if isinstance(line, Row) else tuple(case.key for case in line.cases)
        self._choice.toggle(keys)
        self.refresh()
        self.move(step)

    def choose_to(self, index: int) -> None:
        """Choose every line from the last one chosen to this one."""
        anchor = self._choice.anchor
        low, high = sorted((anchor, max(0, min(index, len(self._lines) - 1))))
        between = (line.key for line in self._lines[low : high + 1] if isinstance(line, Row))
        self._choice.span(between)
        self._put(index)
        self.refresh()

    def choose_none(self) -> None:
        self._choice.clear()
        self.refresh()

    # --- how it is drawn and moved in

    @property
    def line_count(self) -> int:
        return len(self._lines)

    @property
    def extent(self) -> int:
        if self._last is None:
            return self.line_count
        headings = self._last.suite_count if self.is_grouped else 0
        return max(self.line_count, self._last.total + headings)

    def make_line(self, index: int, width: int) -> list[Segment]:
        line = self._lines[index]
        symbols = self.look.symbols
        is_here = index == self.cursor
        on = self.cursor_variable if is_here else "background"
        if isinstance(line, Suite):
            return heading_line(
                line, self.tally, self.look, width, on=on, is_folded=line.id in self._folded
            )
        is_chosen = line.key in self.chosen
        lead = symbols.chosen if is_chosen else symbols.crumb if is_here else " "
        if is_chosen and not is_here:
            on = "chosen"
        return case_line(
            line,
            self._laid_out(width),
            self.look,
            now=time.time(),
            on=on,
            lead=lead,
            others=self._others(line.key),
            is_recalled=self._last is not None,
        )

    def teach(self) -> tuple[str, ...]:
        return no_cases(self.session, self.board, self.view, self.filter.text)

    def go(self, index: int) -> None:
        self._put(index)
        self._choice.rest(self.cursor)

    def on_moved(self) -> None:
        row = self.row
        self.post_message(CaseShown(row.key if row else None))

    def on_opened(self) -> None:
        row = self.row
        if row is None:
            self.fold(self._lines[self.cursor].id not in self._folded)  # type: ignore[union-attr]
        else:
            self.post_message(CaseOpened(row.key))

    def on_picked(self, event: events.Click) -> None:
        offset = event.get_content_offset(self)
        if event.shift and offset is not None:
            self.choose_to(offset.y + self.scroll_offset.y)
        elif event.ctrl:
            self.choose(0)

    @property
    def _is_running(self) -> bool:
        run = self.board.run
        return run is not None and run.end is None

    @property
    def _is_everything(self) -> bool:
        return not (self.suite or self.filter.tests or self.view is not View.ALL or self._folded)

    def _put(self, index: int) -> None:
        self._is_touched = True
        super().go(index)

    def _append(self, keys: Iterable[CaseKey]) -> None:
        rows = self.board.rows
        late = [
            row
            for key in keys
            if (row := rows.get(key))
            and not self.is_grouped
            and (not self.suite or key.suite == self.suite)
            and self.view.shows(row)
            and self.filter.matches(row)
        ]
        if not late:
            return
        for row in late:
            self._index[row.key] = len(self._lines)
            self._lines.append(row)
        self.lines_changed(self.cursor, self.screen_line)

    def _others(self, key: CaseKey) -> tuple[Row | None, ...]:
        agents = self.session.agents
        if len(agents) < 2:
            return ()
        return tuple(board_of(self.session, agent).rows.get(key) for agent in agents)

    def _laid_out(self, width: int) -> Columns:
        if self._columns[0] != width:
            agents = len(self.session.agents)
            self._columns = (width, lay_out(width, *self._needs, agents))
        return self._columns[1]

    def _measure(self) -> tuple[int, int]:
        rows = [line for line in self._lines if isinstance(line, Row)]
        tools = {row.suite.tool_name for row in rows}
        return (
            max((width_of(row.key.case) for row in rows), default=0),
            0 if self.suite or self.is_grouped else max(map(width_of, tools), default=0),
        )


def _name(line: Line) -> CaseKey | str:
    return line.key if isinstance(line, Row) else line.id
