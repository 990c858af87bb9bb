"""Copying to the terminal's clipboard, by OSC 52."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evaltui.tui.command_line import run_again
from evaltui.tui.navigation import PaneId

if TYPE_CHECKING:
    from evaltui.store.row import Row
    from evaltui.tui.controller import DashboardController


def text(controller: DashboardController) -> None:
    """In the detail the line or value under its cursor, elsewhere id and message."""
    row = controller.row
    if row is None:
        return
    selected = (
        controller.layout.detail.copy_text()
        if controller.layout.navigation.pane is PaneId.DETAIL
        else ""
    )
    copy(controller, selected or f"{row.key.case}: {row.case.message}")


def menu(controller: DashboardController) -> None:
    from evaltui.tui.screens.picker import Choice, Picker

    row = controller.row
    if row is None:
        return
    things = {
        "Id": row.key.case,
        "Message": row.case.message,
        "Reason": row.result.error if row.result else "",
        "Actual calls with parameters": actual_params(row),
        "Diff": controller.layout.detail.diff_text(),
        "Command that reproduces it": run_again(
            controller.session.config, row.key, controller.agent
        ),
    }
    choices = [
        Choice(name, name, note=" ".join(value.split()), why_not="" if value else "there is none")
        for name, value in things.items()
    ]
    controller.ask(Picker("Copy", choices), lambda name: copy(controller, things[name]))


def copy(controller: DashboardController, words: str) -> None:
    controller.app.copy_to_clipboard(words)
    lines = words.count("\n") + 1
    controller.say("Copied." if lines == 1 else f"Copied {lines} lines.")


def actual_params(row: Row) -> str:
    """The calls of the last response as JSON, parameters by tool, in their order."""
    response = row.result.response if row.result else None
    if response is None or not response.tool_calls:
        return ""
    import json

    calls = [{"tool": call.name, "params": call.params} for call in response.tool_calls]
    return json.dumps(calls, indent=2, ensure_ascii=False)
