"""The demo's guide: three steps about a line to edit and a row to watch."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import events
from textual.content import Content
from textual.widgets import Static

from evaltui.core.events import Event, ProjectRead, RunEnd, RunFinished, RunStarted
from evaltui.core.tool import ToolDefinition
from evaltui.tui.render.glyphs import REGRESSED, RUNNING
from evaltui.tui.render.sentence import sentence
from evaltui.tui.themes import look_of

if TYPE_CHECKING:
    from evaltui.tui.controller import DashboardController
    from evaltui.tui.screens.dashboard import DashboardScreen
    from evaltui.tui.sessions.session_protocol import SessionProtocol


class Guide(Static):
    """Walks on by itself as the person does what it says; a click closes it."""

    DEFAULT_CSS = """
    Guide {
        height: auto; width: 100%; padding: 0 1; background: $surface;
        border-top: solid $line-focused; border-title-color: $strong;
    }
    """

    STEPS: ClassVar[tuple[str, ...]] = (
        "This is a project with evals of its own; nothing here calls a network. "
        "Press O on a case: its tool opens in your editor. Change the `description`, save.",
        "Saved. The header names the file and how many cases it can affect; only those rerun. "
        "Watch the rows with {running}.",
        "Done. {outcome} b pins results you agree with, z takes that back, ? lists every key.",
    )
    REGRESSED = "{down} passed before and fails now: Enter shows what differs."
    AS_BEFORE = (
        "Nothing that passed before fails now: that edit did no harm. Another one may: say in one "
        "description what another tool is for."
    )

    def __init__(self, controller: DashboardController) -> None:
        super().__init__(id="guide", markup=False)
        self._controller = controller
        self.step = 0
        self._has_regressed = False

    def on_mount(self) -> None:
        self.border_title = "Demo"
        self._controller.listeners.append(self)
        self._controller.session.add_sink(self)
        self._tell()

    def on_unmount(self) -> None:
        self._controller.listeners.remove(self)
        self._controller.session.remove_sink(self)

    def handle(self, event: Event) -> None:
        """A sink: the run that a save started moves the guide on."""
        if self.step == 0 and isinstance(event, ProjectRead):
            self._tell()
        elif isinstance(event, RunStarted) and event.trigger:
            self.step = 1
            self._tell()
        elif self.step == 1 and isinstance(event, RunFinished) and event.end is RunEnd.COMPLETED:
            self.step = 2
            rows = self._controller.session.store.board(event.agent).rows.values()
            self._has_regressed = any(row.regressed for row in rows)
            self._tell()

    def on_click(self, event: events.Click) -> None:
        event.stop()
        self.remove()

    def _tell(self) -> None:
        look = look_of(self.app)
        outcome = self.REGRESSED if self._has_regressed else self.AS_BEFORE
        text = self.STEPS[self.step].format(
            running=look.symbol(RUNNING), outcome=outcome.format(down=look.symbol(REGRESSED))
        )
        if self.step == 0:
            text += where(self._controller.session)
        number = f"{self.step + 1}/{len(self.STEPS)}  "
        self.update(
            Content.assemble(
                (number, "bold"), sentence(text, look), ("  Esc closes this.", "$quiet")
            )
        )


def where(session: SessionProtocol) -> str:
    """The line to edit, once the project has been read."""
    tools = [tool for tool in session.store.registry if tool.file]
    return f" It is {_place(tools[0])}." if tools else ""


def open_guide(screen: DashboardScreen) -> None:
    screen.mount(Guide(screen.controller), before=screen.controller.layout.footer)


def _place(tool: ToolDefinition) -> str:
    return f"`{tool.name}` in {tool.file}:{tool.line}"
