"""The suites pane: every eval file with its counts; the line under the cursor narrows the cases."""

from rich.segment import Segment

from evaltui.core.suite import Suite
from evaltui.store.changes import Changes
from evaltui.store.counts import BoardCounts
from evaltui.tui.messages import CommandWanted, SuiteShown
from evaltui.tui.order import RANK
from evaltui.tui.panes.line_list import LineList
from evaltui.tui.render import glyphs
from evaltui.tui.render.suite_line import named_line
from evaltui.tui.session_protocol import SessionProtocol, board_of


class SuitesPane(LineList):
    """First line: all of them. Then worst first, in file order among equals."""

    title = "1 Suites"

    def __init__(self) -> None:
        super().__init__(id="suites")
        self._suites: list[Suite] = []
        self._was_running = False

    @property
    def counts(self) -> BoardCounts:
        return board_of(self.session, self.agent).counts

    @property
    def suite(self) -> str:
        """Id of the suite under the cursor; empty for all."""
        return self._suites[self.cursor - 1].id if 0 < self.cursor <= len(self._suites) else ""

    @property
    def count(self) -> str:
        return f"{len(self._suites):,}" if self._suites else ""

    def attach(self, session: SessionProtocol, agent: str) -> None:
        super().attach(session, agent)
        self.sort()

    def refresh_from(self, changes: Changes) -> None:
        run = board_of(self.session, self.agent).run
        is_running = run is not None and run.end is None
        is_quiet = not is_running and not self.has_focus and not self.cursor
        has_ended = self._was_running and not is_running
        if changes.is_rearranged or has_ended or (changes.rows and is_quiet):
            self.sort()
        elif changes.rows:
            touched = {key.suite for key in changes.rows.get(self.agent, ())}
            indexes = (i for i, suite in enumerate(self._suites, 1) if suite.id in touched)
            self.refresh_index(0, *indexes)
        self._was_running = is_running

    def sort(self) -> None:
        """Put the suites in order; the cursor stays on its suite."""
        here = self.suite
        suites = self.session.store.suites
        counts = self.counts
        self._suites = sorted(suites, key=lambda suite: RANK[counts.of(suite.id).worst])
        ids = [suite.id for suite in self._suites]
        self.lines_changed(ids.index(here) + 1 if here in ids else 0)

    def show_all(self) -> bool:
        """Narrow to nothing; False when that is so already."""
        if not self.cursor:
            return False
        self.go(0)
        return True

    @property
    def line_count(self) -> int:
        return len(self._suites) + 1 if self._suites else 0

    def make_line(self, index: int, width: int) -> list[Segment]:
        look, counts = self.look, self.counts
        on = self.cursor_variable if index == self.cursor else "background"
        lead = look.symbols.crumb if index == self.cursor else " "
        if index == 0:
            return named_line(f"{lead}All suites", counts.all, look, width, on=on)
        suite = self._suites[index - 1]
        mark = glyphs.ROW_STATUS[counts.of(suite.id).worst]
        return [
            Segment(lead, look.style("line-focused", on)),
            Segment(look.symbol(mark) + " ", look.style(mark.variable, on)),
            *named_line(short_name(suite), counts.of(suite.id), look, width - 3, on=on),
        ]

    def empty_state(self) -> tuple[str, ...]:
        return ("No suites yet.", "", "One line a file,", "with its totals.")

    def on_moved(self) -> None:
        self.post_message(SuiteShown(self.suite))

    def on_opened(self) -> None:
        self.post_message(CommandWanted("pane.cases"))


def short_name(suite: Suite) -> str:
    """The file's name without folders and `.json`: the end that tells suites apart."""
    return suite.id.rsplit("/", 1)[-1].removesuffix(".json")
