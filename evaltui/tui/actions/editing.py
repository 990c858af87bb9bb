"""Changing files: accept, capture, mute, undo, and opening the editor."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from evaltui.core.result import CaseStatus
from evaltui.core.tool import ToolDefinition, same_tool_name

if TYPE_CHECKING:
    from evaltui.tui.desk import Desk
    from evaltui.tui.wishes import Edit

CALLS, DESCRIPTION_HASH = "calls", "description_hash"
"""What can be accepted, as the session names it."""


def accept(desk: Desk) -> None:
    """Actual calls become the expectation, or the description's new hash is taken over."""
    from evaltui.tui.screens.picker import Choice, Picker

    row = desk.row
    if row is None:
        return
    is_failed = row.result is not None and row.result.status is CaseStatus.FAILED
    is_hash_old = row.result is not None and row.result.stale

    def answer(what: str) -> None:
        edit = desk.session.preview_accept(row.key, desk.agent, what)
        _preview(desk, edit)

    calls = Choice(
        CALLS,
        "The calls it made become what is expected",
        why_not="" if is_failed else "the case did not fail",
    )
    description = Choice(
        DESCRIPTION_HASH,
        "The tool's description as it is now: its evals are up to date",
        why_not="" if is_hash_old else "the description is the one the evals were written for",
    )
    if is_failed != is_hash_old:
        answer(calls.id if is_failed else description.id)
    else:
        desk.ask(Picker("Accept what?", [calls, description]), answer)


def capture(desk: Desk) -> None:
    """The failing case as a regression case; the bug it is about is asked for."""
    from evaltui.tui.screens.prompt import Prompt

    row = desk.row
    if row is None:
        return

    def answer(bug: str) -> None:
        _preview(desk, desk.session.preview_capture(row.key, desk.agent, bug_ref=bug))

    desk.ask(
        Prompt(
            f"Capture `{row.key.case}`: which bug is it?",
            "",
            hint="A link or number, e.g. https://example.org/issues/12",
            why_not=lambda text: None if text else "name the bug, so that the case says why",
        ),
        answer,
    )


def mute(desk: Desk) -> None:
    row = desk.row
    if row is None:
        return
    if str(row.key) in desk.session.config.mutes or (row.result and row.result.muted):
        desk.session.unmute(row.key)
        desk.say(f"`{row.key.case}` counts again; z undoes it.")
        return
    from evaltui.tui.screens.prompt import Prompt

    def answer(reason: str) -> None:
        desk.session.mute(row.key, reason)
        desk.say(f"`{row.key.case}` is muted: {reason}; z undoes it.")

    desk.ask(
        Prompt(
            f"Mute `{row.key.case}`: why?",
            "",
            hint="It goes on running, its failures do not count.",
            why_not=lambda text: None if text else "a reason, for whoever wonders later",
        ),
        answer,
    )


def undo(desk: Desk) -> None:
    desk.say(f"Undone: {desk.session.undo()}")


def redo(desk: Desk) -> None:
    desk.say(f"Done again: {desk.session.redo()}")


def open_case(desk: Desk) -> None:
    row = desk.row
    if row is not None:
        open_file(desk, row.key.suite, row.case.line)


def open_tool(desk: Desk) -> None:
    tool = _tool(desk)
    if tool is not None:
        open_file(desk, tool.file, tool.line)


def open_file(desk: Desk, file: str, line: int) -> None:
    """In the user's editor; `file` is below the project root."""
    from evaltui.tui.editor import open_in_editor

    said = open_in_editor(desk.app, Path(desk.session.config.root, file), line)
    if said:
        desk.warn(said)


def no_case(desk: Desk) -> str | None:
    return None if desk.row else "there is no case under the cursor"


def not_failed(desk: Desk) -> str | None:
    row = desk.row
    if row is None or row.result is None:
        return "there is no result under the cursor"
    return None if row.result.status is CaseStatus.FAILED else "the case did not fail"


def no_tool(desk: Desk) -> str | None:
    if desk.row is None:
        return "there is no case under the cursor"
    tool = _tool(desk)
    if tool is None:
        return f"the registry has no tool `{desk.row.suite.tool_name}`"
    return None if tool.file else f"`{tool.name}` does not come from a file"


def _tool(desk: Desk) -> ToolDefinition | None:
    row = desk.row
    if row is None:
        return None
    wanted = row.suite.tool_name
    return next(
        (tool for tool in desk.session.store.registry if same_tool_name(tool.name, wanted)), None
    )


def _preview(desk: Desk, edit: Edit) -> None:
    from evaltui.tui.screens.preview import Preview

    def answer(_: object) -> None:
        desk.session.apply(edit)
        desk.say(f"Wrote `{edit.file.name}`; z undoes it.")

    desk.ask(Preview(edit), answer)
