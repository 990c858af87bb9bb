"""The suites pane: every eval file with its counts; the line under the cursor narrows the cases."""

from rich.segment import Segment

from evaltui.core.suite import Suite
from evaltui.store.changes import Changes
from evaltui.store.counts import BoardCounts
from evaltui.tui.messages import CommandWanted, SuiteShown
from evaltui.tui.order import RANK
from evaltui.tui.panes.line_list import LineList
from evaltui.tui.panes.line_source import LineSource
from evaltui.tui.render import glyphs
from evaltui.tui.render.look import Look
from evaltui.tui.render.suite_line import named_line
from evaltui.tui.session_protocol import board_of


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
            return named_line(f"{lead}All suites", counts.all, look, width, on=on)
        suite = self.suites[index - 1]
        mark = glyphs.ATTENTION[counts.of(suite.id).worst]
        return [
            Segment(lead, look.style("line-focused", on)),
            Segment(look.symbol(mark) + " ", look.style(mark.variable, on)),
            *named_line(short_name(suite), counts.of(suite.id), look, width - 3, on=on),
        ]

    def empty_state(self) -> tuple[str, ...]:
        return ("No suites yet.", "", "One line a file,", "with its totals.")


class SuitesPane(LineList):
    """The suite under the cursor narrows the cases."""

    title = "1 Suites"

    def __init__(self) -> None:
        self.lines = SuiteLines()
        super().__init__(self.lines, id="suites")
        self._was_running = False

    @property
    def suite(self) -> str:
        """Id of the suite under the cursor; empty for all."""
        return (
            self.lines.suites[self.cursor - 1].id
            if 0 < self.cursor <= len(self.lines.suites)
            else ""
        )

    @property
    def count(self) -> str:
        return f"{len(self.lines.suites):,}" if self.lines.suites else ""

    def rebuild(self) -> None:
        self.sort()

    def refresh_from(self, changes: Changes) -> None:
        is_running = board_of(self.session, self.agent).is_running
        is_quiet = not is_running and not self.has_focus and not self.cursor
        has_ended = self._was_running and not is_running
        if changes.is_rearranged or has_ended or (changes.rows and is_quiet):
            self.sort()
        elif changes.rows:
            touched = {key.suite for key in changes.rows.get(self.agent, ())}
            indexes = (i for i, suite in enumerate(self.lines.suites, 1) if suite.id in touched)
            self.refresh_index(0, *indexes)
        self._was_running = is_running

    def sort(self) -> None:
        """Put the suites in order; the cursor stays on its suite."""
        here = self.suite
        self.lines.sort()
        ids = [suite.id for suite in self.lines.suites]
        self.lines_changed(ids.index(here) + 1 if here in ids else 0)

    def show_all(self) -> bool:
        """Narrow to nothing; False when that is so already."""
        if not self.cursor:
            return False
        self.go(0)
        return True

    def on_moved(self) -> None:
        self.post_message(SuiteShown(self.suite))

    def on_opened(self) -> None:
        self.post_message(CommandWanted("pane.cases"))


def short_name(suite: Suite) -> str:
    """The file's name without folders and `.json`: the end that tells suites apart."""
    return suite.id.rsplit("/", 1)[-1].removesuffix(".json")
