"""A command: one row with its keys, its label, its action and why it is unavailable now."""

from collections.abc import Callable
from enum import StrEnum
from importlib import import_module
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from evaltui.core.watch_state import WatchState
from evaltui.settings.default_keys import DEFAULT_KEYS

if TYPE_CHECKING:
    from evaltui.tui.controller import DashboardController


class Group(StrEnum):
    """Headings of the help, in its order."""

    MOVE = "Move"
    LOOK = "Look"
    RUN = "Run"
    BASELINE = "Baseline"
    EDIT = "Edit"
    COPY = "Copy"
    APP = "evaltui"


_ALWAYS = ("pane.zoom", "cases.filter")
"""What is typed behind the key of the filter would be commands, were the filter not there yet."""


_NEEDS_NOT_THE_SHOWN_ONE = ("run.walk", "watch.pause", "run.cancel", "run.everywhere", "run.due")
"""Commands of the group RUN that can do something although the agent that is shown cannot be asked.
When they cannot, their own condition says so."""


class Command(Struct, frozen=True):
    """One row of the table in `commands.py`."""

    id: str
    """A key of `DEFAULT_KEYS`."""
    label: str
    """Two or three words, for footer and palette."""
    help: str
    group: Group
    action: str
    """`views.zoom` is the function `zoom` in `actions/views.py`, which is loaded once it is needed:
    the first frame asks nothing of a command."""
    condition: str = ""
    """The same of the function that says why it cannot run now, `None` when it can; empty where it
    always can."""
    footer: int = 0
    """Importance in the footer, higher first; 0 leaves it out."""
    panes: str = ""
    """Panes in whose footer it is; empty for all."""
    ahead: str = ""
    """Panes in whose footer it comes right after the help: what one can do only there."""
    needs_project: bool = False
    """Whether it has the session run or change something, which a recorded run cannot."""

    @property
    def keys(self) -> tuple[str, ...]:
        """Before presets and the user's own; the first is shown."""
        return DEFAULT_KEYS[self.id]

    def reason_against(self, controller: "DashboardController") -> str | None:
        """Why it cannot run now; `None` when it can."""
        needs_rows = self.group not in (Group.MOVE, Group.APP) and self.id not in _ALWAYS
        if needs_rows and controller.is_opening:
            return "still reading the project"
        return self.reason_here(controller)

    def reason_here(self, controller: "DashboardController") -> str | None:
        """As `reason_against`, whatever is still being read: the footer leaves these out."""
        if self.needs_project and controller.session.state is WatchState.REPLAY:
            return "this is a recorded run; open the project with `evaltui` to run"
        if self.needs_project and controller.session.state in (WatchState.PAST, WatchState.PACK):
            return controller.session.why_not_run
        if self.group is Group.RUN and self.id != "run.walk" and controller.session.why_not_run:
            return controller.session.why_not_run
        if self.group is Group.RUN and self.id not in _NEEDS_NOT_THE_SHOWN_ONE:
            why = controller.session.why_not_ask(controller.agent)
            if why:
                return why
        return _function(self.condition)(controller) if self.condition else None

    def perform(self, controller: "DashboardController") -> None:
        """Run it, or say why not."""
        reason = self.reason_against(controller)
        if reason is not None:
            controller.warn(f"{self.label[0].upper()}{self.label[1:]}: {reason}")
            return
        controller.attempt(lambda: _function(self.action)(controller))


def _function(name: str) -> Callable[["DashboardController"], Any]:
    module, _, function = name.partition(".")
    found: Callable[[DashboardController], Any] = getattr(
        import_module(f"evaltui.tui.actions.{module}"), function
    )
    return found
