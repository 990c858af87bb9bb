"""A message of a trace becomes a case, in a file that is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evaltui.tui.actions.editing import preview

if TYPE_CHECKING:
    from evaltui.tui.controller import DashboardController


def promote(controller: DashboardController) -> None:
    """Of several messages one is chosen, then the file; the change is shown before it is made."""
    row = controller.row
    if row is None:
        return
    from evaltui.formats.promotion import promotable
    from evaltui.traces.user_messages import messages_of, said_by

    body = promotable(row.case)
    places = messages_of(body)
    if len(places) == 1:
        _ask_file(controller, places[0])
        return
    from evaltui.tui.screens.picker import Choice, Picker

    choices = [Choice(str(at), said_by(body.trace[at]), note=f"event {at}") for at in places]
    controller.ask(
        Picker("Which message becomes a case?", choices),
        lambda chosen: _ask_file(controller, int(chosen)),
    )


def no_trace(controller: DashboardController) -> str | None:
    row = controller.row
    if row is None:
        return "there is no case under the cursor"
    return (
        None if not row.case.asks_agent else "this is no trace; `/` finds those with `tier:trace`"
    )


def _ask_file(controller: DashboardController, event: int) -> None:
    from evaltui.tui.screens.prompt import Prompt

    row = controller.row
    if row is None:
        return
    key, agent = row.key, controller.agent

    def answer(file: str) -> None:
        edits = controller.session.edits
        preview(controller, edits.preview_promote(key, agent, event=event, file=file))

    controller.ask(
        Prompt(
            f"Add the case of `{key.case}` to which file?",
            f"evals/{row.suite.short_name}.labeled.json",
            hint="Created if it does not exist; the change is shown first.",
            why_not=lambda text: None if text else "name a file of the project",
        ),
        answer,
    )
