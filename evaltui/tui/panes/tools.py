"""The tools drawer: the registry, its coverage by cases, and what changed last."""

import time
from collections.abc import Callable
from typing import ClassVar

from evaltui.core.tool import ToolRegistry, changes_between
from evaltui.expectations.coverage import ToolCoverage, cover
from evaltui.store.changes import Changes
from evaltui.tui.messages import FilterWanted
from evaltui.tui.panes.sheet import SheetPane
from evaltui.tui.render.empty_states import still_reading
from evaltui.tui.render.text_builder import TextBuilder
from evaltui.tui.render.tool_details import LastChange
from evaltui.tui.render.tools import write_tools
from evaltui.tui.sessions.session_protocol import SessionProtocol, board_of


class ToolsPane(SheetPane):
    """Enter shows the cases of a tool, unfolding shows the tool itself."""

    title: ClassVar[str] = "5 Tools"

    def __init__(self, *, id: str = "tools", clock: Callable[[], float] = time.time) -> None:
        super().__init__(id=id)
        self._clock = clock
        self._seen: ToolRegistry | None = None
        self._changed: dict[str, LastChange] = {}
        self._coverage: tuple[ToolCoverage, ...] | None = None

    def rebuild(self) -> None:
        self._coverage = None
        self._note_changes()
        super().rebuild()

    @property
    def count(self) -> str:
        size = len(self.session.store.registry)
        return f"{size:,}" if size else ""

    def refresh_from(self, changes: Changes) -> None:
        if changes.is_registry_changed or changes.is_rearranged or changes.is_run_changed:
            self._coverage = None
            self.paint()
        elif changes.rows.get(self.agent):
            self.paint_soon()

    def write(self, builder: TextBuilder) -> None:
        store = self.session.store
        self._note_changes()
        if not store.read_at and not len(store.registry):
            then = "Then its tools and what covers them appear here."
            builder.empty_state(*still_reading(self.session, then))
            return
        if self._coverage is None:
            self._coverage = coverage_of(self.session, self.agent)
        board = board_of(self.session, self.agent)
        write_tools(builder, store.registry, self._coverage, board, self._changed, self._clock())

    def on_opened(self) -> None:
        """Enter leads to the cases; `l` and a click unfold."""
        line = self.sheet.line
        if line is not None and line.anchor:
            self.chosen(line.anchor)
        else:
            self.sheet.open()

    def chosen(self, anchor: str) -> None:
        if anchor:
            self.post_message(FilterWanted(f"tool:{anchor}"))

    def _note_changes(self) -> None:
        """Compare with the registry seen before; an unchanged one is the same object."""
        registry = self.session.store.registry
        if registry is self._seen:
            return
        if self._seen is not None:
            at = self.session.store.read_at or self._clock()
            for name, change in changes_between(self._seen, registry).items():
                self._changed[name] = LastChange(change.words, at)
        self._seen = registry


def coverage_of(session: SessionProtocol, agent: str) -> tuple[ToolCoverage, ...]:
    """Which cases name or call each tool, with what this agent called last."""
    rows = board_of(session, agent).rows
    calls = {
        key: row.result.response.tool_calls
        for key, row in rows.items()
        if row.result is not None and row.result.response is not None
    }
    return cover(session.store.registry, session.store.suites, calls)
