"""The cases pane: every case of the board, worst first, steady while a run is on."""

from evaltui.core.case import CaseKey
from evaltui.store.changes import Changes
from evaltui.store.row import Row
from evaltui.tui.arrangement import name_of, suite_of
from evaltui.tui.filter import Filter, parse
from evaltui.tui.filter_terms import ALONE, Others
from evaltui.tui.messages import CaseOpened, CaseShown
from evaltui.tui.panes.case_choosing import CaseChoosing
from evaltui.tui.session_protocol import SessionProtocol, board_of
from evaltui.tui.view import View


class CasesPane(CaseChoosing):
    """Keeps what is chosen, filtered and folded; the rows themselves are the board's."""

    title = "2 Cases"

    def __init__(self) -> None:
        super().__init__(id="cases")
        self.is_unsorted = False
        """Rows moved since they were put in order."""
        self._was_running = False

    # --- what is asked of it

    @property
    def suite(self) -> str:
        return self.arrangement.suite

    @property
    def view(self) -> View:
        return self.arrangement.view

    @property
    def filter(self) -> Filter:
        return self.arrangement.filter

    @property
    def shown(self) -> tuple[CaseKey, ...]:
        """Keys of the lines, in their order."""
        return self.arrangement.keys

    @property
    def count(self) -> str:
        total = self.board.counts.all.total
        if not total and not self.session.store.read_at:
            return ""  # how many there are nobody knows yet
        shown = total if self.arrangement.is_everything else len(self.shown)
        text = f"{shown:,}" if shown == total else f"{shown:,}/{total:,}"
        text += f" {self.view}" if self.view is not View.ALL else ""
        text += f", {len(self.chosen)} chosen" if self.chosen else ""
        return text + (", S sorts" if self.is_unsorted and not self._is_running else "")

    # --- what changes it

    def attach(self, session: SessionProtocol, agent: str) -> None:
        """The board of this agent; the cursor stays on its case."""
        super().attach(session, agent)
        self.sort()

    def refresh_from(self, changes: Changes) -> None:
        keys = changes.rows.get(self.agent, set())
        is_running, was_running = self._is_running, self._was_running
        self._was_running = is_running
        are_others = self.matrix.agents != self.session.agents
        if changes.is_rearranged or are_others or not self.arrangement.lines:
            self.matrix.rebuild(self.session)
            self.sort()
            return
        if changes.is_queue_changed:
            self.refresh()
        elif changes.rows or changes.is_run_changed:
            self.refresh_head()
        self.matrix.update(self.session, changes)
        moved = changes.counts
        heard = {key for found in changes.rows.values() for key in found}
        deciding = moved.get(self.agent, set())
        if self.arrangement.asks_others:
            keys, deciding = heard, {suite for suites in moved.values() for suite in suites}
        may_sort = deciding and not self._is_touched and not is_running
        if (was_running and not is_running) or may_sort:
            self.sort()
            return
        self.is_unsorted = self.is_unsorted or bool(deciding)
        if self.arrangement.append(self.board, self.matrix.differing, keys):
            self.lines_changed(self.cursor, self.screen_line)
        touched: set[CaseKey | str] = {
            *heard,
            *(name for names in moved.values() for name in names),
        }
        self.refresh_index(*map(self.arrangement.index_of, touched))

    def sort(self) -> None:
        """Put the rows in order; the cursor stays on its case and the case on its line."""
        line = self.line
        screen_line = self.screen_line if self._is_touched else None
        arrangement = self.arrangement
        arrangement.sort(self.board, self.matrix.differing)
        self.is_unsorted = False
        first = 1 if arrangement.is_grouped and len(arrangement.lines) > 1 else 0
        kept = arrangement.index_of(name_of(line)) if line and self._is_touched else -1
        self.lines_changed(kept if kept >= 0 else first, screen_line)
        self.on_moved()

    def hold(self) -> None:
        """Let the cursor stay on its case, whatever the order."""
        self._is_touched = True

    def apply_filter(self, text: str) -> str:
        """Filter by the filter language; returns what was not understood."""
        self.arrangement.filter = parse(text, self._what_others_made())
        self.sort()
        return self.filter.mistake

    def look_at(self, view: View) -> None:
        self.arrangement.view = view
        self.sort()

    def show_suite(self, suite: str) -> None:
        if suite != self.suite:
            self.arrangement.suite, self._is_touched = suite, False
            self.sort()

    def group(self, is_grouped: bool) -> None:
        if is_grouped != self.arrangement.is_grouped:
            self.arrangement.is_grouped = is_grouped
            self.sort()

    def fold(self, is_folded: bool) -> bool:
        """Fold or unfold the suite of the line under the cursor; False when there is nothing to."""
        line = self.line
        if line is None or not self.arrangement.fold(suite_of(line), is_folded):
            return False
        screen_line = self.screen_line
        self.sort()
        heading = max(0, self.arrangement.index_of(suite_of(line)))
        self.lines_changed(heading, max(0, screen_line) if is_folded else None)
        self.on_moved()
        return True

    def go_to(self, key: CaseKey) -> bool:
        """Put the cursor on a case; False when the filter, view or suite hides it."""
        index = self.arrangement.index_of(key)
        if index < 0:
            return False
        self.go(index)
        self.on_moved()
        return True

    def show_all(self, key: CaseKey) -> None:
        """Drop whatever hides a case, and go to it."""
        self.arrangement.drop_narrowing(key)
        self.sort()
        self.go_to(key)

    # --- how it is moved in

    def on_moved(self) -> None:
        row = self.row
        self.post_message(CaseShown(row.key if row else None))

    def on_opened(self) -> None:
        line = self.line
        if isinstance(line, Row):
            self.post_message(CaseOpened(line.key))
        elif line is not None:
            self.fold(line.id not in self.arrangement.folded)

    @property
    def _is_running(self) -> bool:
        run = self.board.run
        return run is not None and run.end is None

    def _what_others_made(self) -> Others:
        if not self.matrix.is_several:
            return ALONE
        session, matrix = self.session, self.matrix
        return Others(
            {short: name for name, short in matrix.names.items()},
            lambda agent, key: board_of(session, agent).rows.get(key),
            lambda key: key in matrix.differing,
        )
