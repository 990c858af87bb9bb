"""The program itself: help, palette, themes, log, leaving."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from evaltui.tui.desk import Desk


def help(desk: Desk) -> None:
    from evaltui.tui.screens.palette import help_of, run_choice

    desk.ask(help_of(desk), lambda name: run_choice(desk, name))


def palette(desk: Desk) -> None:
    from evaltui.tui.screens.palette import palette_of, run_choice

    desk.ask(palette_of(desk), lambda name: run_choice(desk, name))


def theme(desk: Desk) -> None:
    from evaltui.tui.screens.theme_picker import open_theme_picker

    open_theme_picker(desk)


def log(desk: Desk) -> None:
    from evaltui.tui.screens.log import LogScreen

    desk.app.push_screen(LogScreen(desk.log))


def interrupt(desk: Desk) -> None:
    """Copy what the mouse selected; else cancel the run; twice in a row quits."""
    selected = desk.screen.get_selected_text()
    if selected:
        desk.app.copy_to_clipboard(selected)
        desk.screen.clear_selection()
        desk.say("Copied.")
        return
    if desk.is_second_interrupt():
        quit_app(desk)
        return
    if desk.is_running:
        desk.session.cancel()
        desk.say("The run is cancelled. Ctrl+C again quits.")
    else:
        desk.say("Ctrl+C again quits.")


def quit_app(desk: Desk) -> None:
    desk.app.run_worker(desk.app.action_quit(), name="quit")
