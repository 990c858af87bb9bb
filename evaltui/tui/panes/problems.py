"""The problems drawer: what is wrong, where, and what to do about it."""

from pathlib import Path
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.widgets import Static

from evaltui.core.code_frame import code_frame
from evaltui.core.errors import Problem
from evaltui.core.watch_state import WatchState
from evaltui.files import open_file
from evaltui.store.changes import Changes
from evaltui.tui.messages import CaseOpened, FileWanted
from evaltui.tui.panes.page import Page
from evaltui.tui.panes.sheet import SheetPane
from evaltui.tui.render.empty_states import still_reading
from evaltui.tui.render.problems import (
    Entry,
    Group,
    gather,
    summary,
    write_problem,
    write_problems,
)
from evaltui.tui.render.text import as_text
from evaltui.tui.render.text_builder import TextBuilder
from evaltui.tui.sessions.session_protocol import board_of

LARGEST = 4_000_000
"""Bytes of a file of which a code frame is shown."""
WIDE = 100
"""Cells from which the code frame is beside the list."""
_NOT_KEPT = "problems in files are not kept"


class ProblemsPane(SheetPane):
    """A list; of the entry under the cursor the place, the hint and the lines around it."""

    title: ClassVar[str] = "4 Problems"
    DEFAULT_CSS = """
    ProblemsPane > VerticalScroll { height: 50%; max-height: 12; padding: 0 1; }
    ProblemsPane > VerticalScroll { background: $surface; }
    ProblemsPane.-wide { layout: horizontal; }
    ProblemsPane.-wide > Page { width: 1fr; }
    ProblemsPane.-wide > VerticalScroll { width: 1fr; height: 1fr; max-height: 100%; }
    """

    def __init__(self, *, id: str = "problems") -> None:
        super().__init__(id=id)
        self._groups: tuple[Group, ...] = ()
        self._entries: dict[str, Entry] = {}

    def compose(self) -> ComposeResult:
        yield Page(self.look)
        yield VerticalScroll(Static(classes="preview"), can_focus=False)

    @property
    def count(self) -> str:
        """Of all groups, also while the drawer is closed."""
        return summary(self._groups)

    def refresh_from(self, changes: Changes) -> None:
        if changes.is_problems_changed or changes.is_rearranged:
            self.paint()
        elif changes.rows.get(self.agent):
            self.paint_soon()

    def on_resize(self) -> None:
        self.set_class(self.size.width >= WIDE, "-wide")
        self.call_after_refresh(self.paint)

    def write(self, builder: TextBuilder) -> None:
        store = self.session.store
        self._groups = gather(store.problems.shown, board_of(self.session, self.agent))
        if not self._groups and not store.read_at:
            then = "Then what is wrong with its files appears here."
            builder.empty_state(*still_reading(self.session, then))
            self._entries = {}
        elif not self._groups and self.session.state is WatchState.PAST:
            then = f"Nothing had regressed then; {_NOT_KEPT}."
            builder.empty_state(then, "Esc returns to now, and to the problems of now.")
            self._entries = {}
        else:
            if self.session.state is WatchState.PAST:
                builder.write(
                    (f"Of the results of then: {_NOT_KEPT}. Esc returns to now.", "quiet")
                )
            self._entries = write_problems(builder, self._groups)
        if self.begins_at == "":
            self.begins_at = next(iter(self._entries), "")
        self.call_after_refresh(
            self.update_title
        )  # its title was put up before the entries were known
        self.call_after_refresh(self._preview)

    def chosen(self, anchor: str) -> None:
        entry = self._entries.get(anchor)
        if entry is None:
            return
        if entry.key is not None:
            self.post_message(CaseOpened(entry.key))
        elif entry.problem is not None and entry.problem.file:
            self.post_message(FileWanted(entry.problem.file, entry.problem.line))

    def on_page_moved(self, event: Page.Moved) -> None:
        event.stop()
        self._preview()

    def _preview(self) -> None:
        if not self.is_ready:
            return
        area = self.query_one(VerticalScroll)
        line = self.sheet.line
        entry = self._entries.get(line.anchor) if line is not None else None
        area.display = bool(self._groups)
        builder = TextBuilder(self.look, max(8, area.size.width - 2))
        if entry is not None and entry.problem is not None:
            self._write_problem(builder, entry.problem)
        elif entry is not None:
            builder.write((entry.about, "quiet"), hang=2)
            builder.write(entry.text, hang=2)
            builder.write(("Enter opens the case", "quiet"))
        else:
            builder.write(("Enter folds or unfolds the group; its lines say more here", "quiet"))
        self.query_one(".preview", Static).update(as_text(builder) if builder.lines else Text())

    def _write_problem(self, builder: TextBuilder, problem: Problem) -> None:
        write_problem(builder, problem)
        if problem.file:
            context = 2 if self.has_class("-wide") else 1
            # Only what was read has lines: a file that is refused is not opened here, either.
            if problem.line and not write_code_frame(
                builder,
                _read(Path(self.session.config.root, problem.file)),
                problem.line,
                problem.column,
                indent=0,
                context=context,
                hides_secrets=problem.file not in {one.id for one in self.session.store.suites},
            ):
                builder.write(("the file has no such line any more", "quiet"))
            builder.write(("Enter opens it in the editor", "quiet"), hang=2)


def _read(path: Path) -> str:
    """Empty when it cannot be read; half a character is no obstacle."""
    try:
        with open_file(path) as file:
            return file.read(LARGEST).decode("utf-8", "replace")
    except (OSError, ValueError):
        return ""


def write_code_frame(
    builder: TextBuilder,
    text: str,
    line: int,
    column: int = 0,
    *,
    indent: int = 2,
    context: int = 2,
    hides_secrets: bool = False,
) -> bool:
    """Whether there was something to show; `line` and `column` are 1-based, 0 for none.

    `hides_secrets`: as settings may hold some, and cases only values that are meant to be read.
    """
    width = builder.width - indent
    frame = code_frame(text, line, column, context, width, hides_secrets=hides_secrets)
    for row in frame:
        if row.startswith(">"):
            style = builder.look.style("strong", bold=True)
        elif row.endswith("^"):
            style = builder.look.style("severity-error", bold=True)
        else:
            style = builder.look.style("quiet")
        builder.write((row, style), indent=indent)
    return bool(frame)
