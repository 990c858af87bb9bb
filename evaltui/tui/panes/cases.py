"""The cases pane: every case of the board, worst first, steady while a run is on."""

from evaltui.core.case import CaseKey
from evaltui.store.board import Board
from evaltui.store.changes import Changes
from evaltui.store.row import Row
from evaltui.tui.age_clock import AgeClock
from evaltui.tui.agent_matrix import AgentMatrix
from evaltui.tui.arranged_lines import name_of
from evaltui.tui.arrangement import Arrangement
from evaltui.tui.filter import parse
from evaltui.tui.messages import AgentWanted, CaseOpened, CaseShown
from evaltui.tui.order import Order
from evaltui.tui.panes.case_lines import CaseLines
from evaltui.tui.panes.choice import Choice
from evaltui.tui.panes.choice_list import ChoiceList
from evaltui.tui.panes.list_height import ListHeight
from evaltui.tui.run_ends import RunEnds
from evaltui.tui.save_grouping import SaveGrouping
from evaltui.tui.view import View


class CasesPane(ChoiceList):
    """Has the arrangement of the lines and the choice among them; the rows are the board's."""

    title = "2 Cases"

    def __init__(self, clock: AgeClock | None = None) -> None:
        self.arrangement, self.matrix, choice = Arrangement(), AgentMatrix(), Choice()
        self.lines = CaseLines(self.arrangement, self.matrix, choice, clock or AgeClock())
        super().__init__(self.lines, self.arrangement, choice, id="cases")
        self.is_unsorted = False
        """Rows moved since they were put in order."""
        self._ends = RunEnds()
        self._was_running = False
        """Whether a run was on when the lines were last looked at."""
        self._height_limits = ListHeight(self)
        self._grouping = SaveGrouping(self.arrangement)

    # --- what is asked of it

    @property
    def board(self) -> Board:
        return self.lines.board

    @property
    def selection(self) -> tuple[CaseKey, ...]:
        """Chosen cases, else the one under the cursor, else those under the heading."""
        keys = tuple(self.choice.keys) or self.keys_below
        return tuple(key for key in keys if key in self.board.rows)

    @property
    def count(self) -> str:
        counts = self.board.counts.all
        total = counts.total
        if not total and not self.session.store.read_at:
            return ""  # how many there are nobody knows yet
        text = self.arrangement.title(counts)
        is_cut = self.is_mounted and len(self.in_sight) < self.lines.count
        position = self.arrangement.position(self.cursor, total) if is_cut else ""
        text += f" · {position}" if position else ""
        text += f", {len(self.choice.keys)} chosen" if self.choice.keys else ""
        return text + (", S sorts" if self.is_unsorted and not self.board.runs.is_on else "")

    # --- what changes the lines

    def lines_changed(self, cursor: int, screen_line: int | None = None) -> None:
        super().lines_changed(cursor, screen_line)
        self.fit_height()

    def limit_height(self, *, has_detail_below: bool) -> None:
        """Whether what the lines do not fill is the detail's, which stands below."""
        self._height_limits.has_detail_below = has_detail_below
        self.fit_height()

    def fit_height(self) -> None:
        """The lines, or what is there for them, are other ones than before."""
        lines = self.lines.extent
        teaches = not lines or bool(self.lines.after_last())
        self._height_limits.fit(lines + self.lines.head_rows(lines), teaches=teaches)

    def rebuild(self) -> None:
        is_wanted = self.arrangement.is_by_save or not self.board.runs.is_on
        if is_wanted and self._grouping.is_other(self.board):
            self._grouping.group(self.board)
        self._was_running = self.board.runs.is_on
        self.sort()

    def refresh_from(self, changes: Changes) -> None:
        is_running, has_ended = self.board.runs.is_under_way, self._ends.has_ended(self.board)
        goes_on = self._was_running and is_running
        self._was_running = is_running
        was_by_save = self.arrangement.is_by_save
        if has_ended or self._grouping.is_save_new(self.board):
            self._grouping.group(self.board)
            # A save that breaks into the run of one before leaves the cursor where it is.
            self._grouping.is_fresh = has_ended or not is_running
        are_others = self.matrix.agents != self.session.agents
        if changes.is_rearranged or are_others or not self.arrangement.lines:
            self.matrix.rebuild(self.session)
            if goes_on and not are_others:
                self._arrange(keeps_order=True)
            else:
                self.sort()
            return
        if changes.is_queue_changed or changes.is_problems_changed:
            self.refresh()
        elif changes.rows or changes.is_run_changed:
            self.refresh_head()
        self.matrix.update(self.session, changes)
        keys: set[CaseKey] = set().union(*changes.rows.values())
        suites: set[str] = set().union(*changes.counts.values())
        asks_others = self.arrangement.asks_others
        is_moved = bool(suites if asks_others else changes.counts.get(self.agent))
        if has_ended or (is_moved and not self.is_held and not is_running):
            self.sort()
            return
        # The headings were another save's, or a case does not belong below its own any more.
        is_regrouped = self.arrangement.is_by_save is not was_by_save
        # Below no heading of a save they wait for the end of the run, which lays them out.
        is_settled = self.arrangement.is_by_save or not is_running
        is_outgrown = is_settled and self.arrangement.is_outgrown(keys)
        if is_regrouped or is_outgrown or self.arrangement.is_misplaced(self.board, keys):
            self._arrange(keeps_order=True)
        self.is_unsorted = self.is_unsorted or is_moved
        new = keys if asks_others else changes.rows.get(self.agent, set())
        if self.arrangement.append(self.board, self.matrix.differing, new):
            self.lines_changed(self.cursor, self.screen_line)
        self.refresh_index(*map(self.arrangement.index_of, keys))
        self.refresh_index(*self.arrangement.indexes_of(suites))

    def refresh_ages(self, before: float, now: float) -> None:
        changed = (i for i in self.in_sight if self.lines.reads_otherwise(i, before, now))
        self.refresh_index(*changed)

    def ungroup(self) -> bool:
        """Group by the last save no longer; False when the lines are not."""
        if not self.arrangement.is_by_save:
            return False
        self._grouping.ungroup(self.board)
        self._narrow()
        return True

    def sort(self) -> None:
        """Put the rows in order; the cursor stays on its case and the case on its line."""
        self.is_unsorted = False
        self._arrange(keeps_order=False)

    def _narrow(self) -> None:
        """Other lines are to be shown; while a run is on they stay in the order they had."""
        if self.board.runs.is_on:
            self._arrange(keeps_order=True)
        else:
            self.sort()

    def _arrange(self, *, keeps_order: bool, is_held: bool = False) -> None:
        line, arrangement, grouping = self.line, self.arrangement, self._grouping
        screen_line = self.screen_line if self.is_held else None
        is_held = is_held or self.is_held
        arrangement.sort(self.board, self.matrix.differing, keeps_order=keeps_order)
        if is_held and line is not None and arrangement.unfold(name_of(line), self.board):
            arrangement.sort(self.board, self.matrix.differing, keeps_order=True)
        if grouping.unfold():
            arrangement.sort(self.board, self.matrix.differing, keeps_order=True)
        is_kept = is_held or grouping.is_opened
        kept = arrangement.place_of(line) if line and is_kept else -1
        cursor = kept if kept >= 0 else arrangement.first_case
        if grouping.is_fresh and arrangement.is_news_first:
            # What the save did is looked for now: it is in sight, the cursor with it if it can be.
            cursor = arrangement.beside_news(cursor, self._line_rows)
            screen_line = min(cursor, self._line_rows - 1)
        grouping.is_fresh = False
        self.lines_changed(cursor, screen_line)
        self.on_moved()

    def apply_filter(self, text: str) -> str:
        """Filter by the filter language; returns what was not understood."""
        if self.row is None:  # not on a heading any more: what is looked for is a case
            self.is_held = False
        self.arrangement.filter = parse(text, self.matrix.others(self.session))
        self._narrow()
        return self.arrangement.filter.mistake

    def look_at(self, view: View) -> None:
        self.arrangement.view = view
        self._narrow()

    def sort_by(self, order: Order) -> None:
        self.arrangement.order = order
        self._grouping.ungroup(self.board)
        self.is_unsorted = False
        self._arrange(keeps_order=False, is_held=True)

    def show_suite(self, suite: str) -> None:
        """Narrow the lines to one suite; empty for all."""
        if suite != self.arrangement.suite:
            self.arrangement.suite, self.is_held = suite, False
            self._narrow()

    def group(self, is_grouped: bool) -> None:
        """Put headings of suites above the cases, or take them away; no case changes its order."""
        if is_grouped != self.arrangement.is_grouped:
            self.arrangement.is_grouped = is_grouped
            self._arrange(keeps_order=True, is_held=isinstance(self.line, Row))

    def fold(self, is_folded: bool) -> bool:
        """Fold or unfold the heading under the cursor; False when there is nothing to fold."""
        line, screen_line = self.line, self.screen_line
        folded = self.arrangement.fold(line, is_folded) if line is not None else ""
        if not folded:
            return False
        # On its heading from now on: for a case below that it would be unfolded again.
        self.cursor = max(0, self.arrangement.index_of(folded))
        # In another order the heading might have other rows below it, or be gone.
        self._arrange(keeps_order=True)
        heading = max(0, self.arrangement.index_of(folded))
        self.lines_changed(heading, max(0, screen_line) if is_folded else None)
        self.on_moved()
        return True

    def reveal(self, key: CaseKey) -> bool:
        """Go to a case, and unfold the heading that it stands below, no other; False when the
        filter, view or suite hides it."""
        if self.arrangement.index_of(key) < 0:
            self.arrangement.unfold(key, self.board)
            self._arrange(keeps_order=True, is_held=True)
        return self.go_to(key)

    def show_all(self, key: CaseKey) -> None:
        """Drop whatever hides a case, and go to it."""
        self.arrangement.drop_narrowing()
        self._narrow()
        self.reveal(key)

    # --- what the list tells of

    def on_moved(self) -> None:
        self.post_message(CaseShown(self.row.key if self.row else None))

    def on_opened(self) -> None:
        line = self.line
        if isinstance(line, Row):
            self.post_message(CaseOpened(line.key))
        elif line is not None:
            self.fold(line.id not in self.arrangement.folded)

    def on_head_clicked(self, x: int) -> None:
        agent = self.lines.agent_at(x, self.scrollable_content_region.width)
        if agent:
            self.post_message(AgentWanted(agent))
