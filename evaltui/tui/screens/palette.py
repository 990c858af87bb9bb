"""The palette and the help: every row of the command table, to be found and run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from evaltui.settings.keymap import spelled
from evaltui.tui.command import Command, Group
from evaltui.tui.render import glyphs, marks, problems, tools
from evaltui.tui.render.glyphs import Mark
from evaltui.tui.screens.picker import Choice, Picker

if TYPE_CHECKING:
    from evaltui.tui.controller import DashboardController
    from evaltui.tui.render.glyphs import Mark
    from evaltui.tui.render.look import Look


class HelpScreen(Picker):
    """All keys by group, tall."""

    is_tall = True


def palette_of(controller: DashboardController) -> Picker:
    """Commands that can run first; the others say why they cannot."""
    choices = [_choice(controller, command, command.label) for command in controller.commands]
    order = {command.id: command.group is Group.MOVE for command in controller.commands}
    return Picker(
        "Commands",
        sorted(choices, key=lambda choice: (bool(choice.why_not), order[choice.id])),
    )


def help_of(controller: DashboardController) -> Picker:
    """Every command with its keys and what it does, by group: moving, which is tried, last."""
    choices = [
        _choice(controller, command, command.help, command.group.value)
        for group in (*(group for group in Group if group is not Group.MOVE), Group.MOVE)
        for command in controller.commands
        if command.group is group
    ]
    look = controller.layout.cases.look
    signs = [
        Choice(
            f"sign:{heading}:{mark.glyph}{mark.word}",
            _meaning(mark, look),
            look.symbol(mark),
            heading=heading,
            is_text=True,
        )
        for heading, marks in LEGEND.items()
        for mark in marks
    ]
    return HelpScreen("Help: keys and signs · type to find · Enter runs", choices + signs)


def run_choice(controller: DashboardController, name: str) -> None:
    next(one for one in controller.commands if one.id == name).perform(controller)


def _meaning(mark: Mark, look: Look) -> str:
    return look.hint(f"{mark.word}: {mark.meaning}" if mark.meaning else mark.word)


def _choice(
    controller: DashboardController, command: Command, label: str, heading: str = ""
) -> Choice:
    is_ascii = controller.layout.cases.look.is_ascii
    given = controller.keymap.keys.get(command.id, ())
    keys = " ".join(spelled(key, is_ascii=is_ascii) for key in given)
    return Choice(
        command.id,
        label[0].upper() + label[1:],
        key=keys,
        note=command.help if not heading else "",
        why_not=command.reason_against(controller) or "",
        heading=heading,
    )


LEGEND: Mapping[str, tuple[Mark, ...]] = {
    "Signs of a case": glyphs.OF_A_CASE,
    "Signs of a call": (*marks.CALL.values(), marks.MATCHED_WITH_DIFFERENCES),
    "Signs of a parameter": (*marks.PARAM.values(), marks.HINT),
    "Signs of a problem": (*glyphs.SEVERITY.values(), problems.OVERLAP),
    "Signs of a tool": (*tools.STATUS.values(), tools.LAST_GOOD, tools.NOT_COVERED),
}
