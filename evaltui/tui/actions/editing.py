"""Changing files: accept, capture, mute, undo, and opening the editor."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from evaltui.core.result import CaseStatus

if TYPE_CHECKING:
    from evaltui.core.file_edit import FileEdit
    from evaltui.core.tool import ToolDefinition
    from evaltui.store.row import Row
    from evaltui.tui.controller import DashboardController

CALLS, DESCRIPTION_HASH = "calls", "description_hash"
"""What can be accepted, as the session names it."""


def accept(controller: DashboardController) -> None:
    """Actual calls become the expectation, or the description's new hash is taken over."""
    from evaltui.tui.screens.picker import Choice, Picker

    row = controller.row
    if row is None:
        return
    is_failed = row.result is not None and row.result.status is CaseStatus.FAILED
    is_hash_old = row.is_outdated

    def answer(what: str) -> None:
        edit = controller.session.edits.preview_accept(row.key, controller.agent, what)
        preview(controller, edit)

    calls = Choice(
        CALLS,
        "Expect the calls that it made",
        why_not="" if is_failed else "the case did not fail",
    )
    description = Choice(
        DESCRIPTION_HASH,
        "Mark the evals as up to date with the tool's description",
        why_not="" if is_hash_old else "the evals were written for this description",
    )
    if is_failed != is_hash_old:
        answer(calls.id if is_failed else description.id)
    else:
        controller.ask(Picker("Accept what?", [calls, description]), answer)


def capture(controller: DashboardController) -> None:
    """The failing case as a regression case; the bug it is about is asked for."""
    from evaltui.tui.screens.prompt import Prompt

    row = controller.row
    if row is None:
        return

    def answer(bug: str) -> None:
        preview(
            controller,
            controller.session.edits.preview_capture(row.key, controller.agent, bug_ref=bug),
        )

    controller.ask(
        Prompt(
            f"Capture `{row.key.case}`: which bug is it?",
            "",
            hint="A link or number, e.g. https://example.org/issues/12",
            why_not=lambda text: None if text else "name the bug, so that the case says why",
        ),
        answer,
    )


def mute(controller: DashboardController) -> None:
    """The case under the cursor, or those below the heading of a suite there that are not muted
    yet; where all of them are, they count again."""
    from evaltui.tui.render.words import count
    from evaltui.tui.screens.prompt import Prompt

    edits, cases, one = controller.session.edits, controller.layout.cases, controller.row
    below = (controller.board.rows.get(key) for key in cases.keys_below)
    rows = [row for row in below if row is not None]
    keys = [row.key for row in rows if not row.muted]
    if not keys:
        edits.unmute(*(row.key for row in rows))
        counting = sum(not row.muted for row in rows)
        said = f"`{one.key.case}` counts" if one else f"{count(counting, 'case')} count"
        controller.say(f"{said} again; z undoes it.")
        return
    named = f"`{one.key.case}`" if one else count(len(keys), "case")

    def answer(reason: str) -> None:
        edits.mute(reason, *keys)
        controller.say(f"{named} {'is' if one else 'are'} muted: {reason}; z undoes it.")

    controller.ask(
        Prompt(
            f"Mute {named if one else f'{named} of `{cases.suite}`'}: why?",
            "",
            hint=f"{'It still runs' if one else 'They still run'}, but failures do not count.",
            why_not=lambda text: None if text else "a reason, for whoever wonders later",
        ),
        answer,
    )


def undo(controller: DashboardController) -> None:
    controller.say(f"Undone: {controller.session.undo.undo()}")


def redo(controller: DashboardController) -> None:
    controller.say(f"Redone: {controller.session.undo.redo()}")


def nothing_to_undo(controller: DashboardController) -> str | None:
    return None if controller.session.undo.can_undo else "there is nothing to undo"


def nothing_to_redo(controller: DashboardController) -> str | None:
    return None if controller.session.undo.can_redo else "there is nothing to redo"


def open_case(controller: DashboardController) -> None:
    row = controller.row
    if row is not None:
        open_file(controller, row.key.suite, row.case.line)


def open_tool(controller: DashboardController) -> None:
    """The definition of the tool that the case is about; of several, the one that is chosen."""
    tools = [tool for tool in _tools(controller) if tool.file]
    if len(tools) == 1:
        open_file(controller, tools[0].file, tools[0].line)
        return
    from evaltui.tui.screens.picker import Choice, Picker

    def answer(name: str) -> None:
        tool = next(tool for tool in tools if tool.name == name)
        open_file(controller, tool.file, tool.line)

    choices = [Choice(tool.name, tool.name, note=f"{tool.file}:{tool.line}") for tool in tools]
    controller.ask(Picker("Open which tool?", choices), answer)


def open_file(controller: DashboardController, file: str, line: int) -> None:
    """In the user's editor; `file` is below the project root."""
    from evaltui.tui.editor import open_in_editor

    said = open_in_editor(controller.app, Path(controller.session.config.root, file), line)
    if said:
        controller.warn(said)


def no_case(controller: DashboardController) -> str | None:
    return None if controller.row else "there is no case under the cursor"


def nothing_to_mute(controller: DashboardController) -> str | None:
    if controller.layout.cases.suite:
        return None
    return None if controller.row else "go to a case, or to the heading of a suite"


def not_failed(controller: DashboardController) -> str | None:
    row = controller.row
    if row is None or row.result is None:
        return "there is no result under the cursor"
    return None if row.result.status is CaseStatus.FAILED else "the case did not fail"


def no_tool(controller: DashboardController) -> str | None:
    row = controller.row
    if row is None:
        return "there is no case under the cursor"
    tools = _tools(controller)
    if not tools:
        names = ", ".join(f"`{name}`" for name in _tool_names(row))
        return f"the registry has no tool {names}"
    return (
        None if any(tool.file for tool in tools) else f"`{tools[0].name}` is not defined in a file"
    )


def _tool_names(row: Row) -> tuple[str, ...]:
    """The tools that the case is about; its suite's where it speaks of none and called none."""
    from evaltui.expectations.mentions import tools_at_issue

    return tools_at_issue(row.case, row.result) or (row.suite.tool_name,)


def _tools(controller: DashboardController) -> list[ToolDefinition]:
    row, registry = controller.row, controller.session.store.registry
    found = [registry.find(name) for name in _tool_names(row)] if row is not None else []
    return [tool for tool in found if tool is not None]


def preview(controller: DashboardController, edit: FileEdit) -> None:
    """Show the change of a file, and make it where somebody agrees."""
    from evaltui.tui.screens.preview import Preview

    def answer(_: object) -> None:
        controller.session.edits.apply(edit)
        controller.say(f"Wrote `{edit.file.name}`; z undoes it.")

    controller.ask(Preview(edit, controller.session.config.root), answer)
