"""The theme picker: previews the theme under the cursor; Esc restores the old one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.widgets import OptionList

from evaltui.tui.screens.picker import Choice, Picker
from evaltui.tui.themes import load_themes

if TYPE_CHECKING:
    from evaltui.tui.controller import DashboardController


class ThemePicker(Picker):
    """Themes by title; those of the user's own folder are among them."""

    # Nothing dims the board below: its colours are what there is to choose.
    DEFAULT_CSS = "ThemePicker { background: transparent; }"

    def __init__(self, choices: list[Choice], before: str) -> None:
        super().__init__("Themes", choices, first=before)
        self._before = before

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        event.stop()
        if event.option_id:
            self.app.theme = event.option_id

    def closed(self) -> None:
        self.app.theme = self._before


def open_theme_picker(controller: DashboardController) -> None:
    """Read all themes, then let one be chosen; a broken file is said and left out."""
    themes, problems = load_themes()
    for theme in themes.values():
        controller.app.register_theme(theme.theme())
    if problems:
        others = f" {len(problems) - 1:,} more cannot be read." if len(problems) > 1 else ""
        controller.warn(f"{problems[0]}{others}")
    choices = [Choice(name, theme.title, note=name) for name, theme in themes.items()]

    def answer(name: str) -> None:
        controller.app.theme = name
        controller.say(f'Theme `{name}`; `theme = "{name}"` in evaltui.toml keeps it.')

    controller.ask(ThemePicker(choices, controller.app.theme), answer)
