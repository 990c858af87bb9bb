"""The program itself: help, palette, themes, log, leaving."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evaltui.core.watch_state import WatchState

if TYPE_CHECKING:
    from evaltui.tui.controller import DashboardController


def help(controller: DashboardController) -> None:
    from evaltui.tui.screens.palette import help_of, run_choice

    controller.ask(help_of(controller), lambda name: run_choice(controller, name))


def palette(controller: DashboardController) -> None:
    from evaltui.tui.screens.palette import palette_of, run_choice

    controller.ask(palette_of(controller), lambda name: run_choice(controller, name))


def theme(controller: DashboardController) -> None:
    from evaltui.tui.screens.theme_picker import open_theme_picker

    open_theme_picker(controller)


def no_settings(controller: DashboardController) -> str | None:
    """Why there is nothing to agree to here."""
    is_here = controller.session.state not in (WatchState.REPLAY, WatchState.PAST, WatchState.PACK)
    return None if is_here else "this is a recorded run; nothing runs here"


def trust(controller: DashboardController) -> None:
    """Show what the settings run and send, and agree to it."""
    from evaltui.tui.screens.trust import Trust

    session = controller.session
    grants, is_agreed = session.grants(), session.is_trusted
    if not grants:
        controller.say("These settings run and send nothing: there is nothing to agree to.")
        return

    def agreed(_: bool) -> None:
        session.agree(grants)
        controller.say("Agreed, until one of these changes.")

    controller.ask(Trust(grants, is_agreed=is_agreed), agreed)


def log(controller: DashboardController) -> None:
    from evaltui.tui.screens.log import LogScreen

    controller.app.push_screen(LogScreen(controller.log))


def interrupt(controller: DashboardController) -> None:
    """Copy what the mouse selected; else cancel the run; twice in a row quits."""
    selected = controller.layout.screen.get_selected_text()
    if selected:
        controller.app.copy_to_clipboard(selected)
        controller.layout.screen.clear_selection()
        controller.say("Copied.")
        return
    if controller.is_second_interrupt():
        quit_app(controller)
        return
    if controller.session.is_running:
        controller.session.requests.cancel()
        controller.say("The run is cancelled. Ctrl+C again quits.")
    else:
        controller.say("Ctrl+C again quits.")


def quit_app(controller: DashboardController) -> None:
    controller.app.run_worker(controller.app.action_quit(), name="quit")
