"""The chips of the footer: conditions in force that must not be overlooked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evaltui.core.watch_state import WatchState
from evaltui.store.row_status import RowMark
from evaltui.tui.order import Order
from evaltui.tui.render.footer_line import Chip
from evaltui.tui.render.words import ago, count
from evaltui.tui.view import View

if TYPE_CHECKING:
    from evaltui.tui.controller import DashboardController


def footer_chips(controller: DashboardController) -> list[Chip]:
    """The most important last, at the edge of the screen."""
    session, layout = controller.session, controller.layout
    cases = layout.cases
    chips: list[Chip] = []
    board = controller.board
    if board.is_cached:
        reading = ", reading" if controller.is_opening else ""
        age = ago(layout.ages.now - board.results_at)
        # Which agent is under test now, the settings tell, which are read still.
        chips.append(Chip(f"LAST KNOWN BOARD OF {controller.agent_name} {age}{reading}"))
    problems, is_alert = session.store.problems.count()
    if problems:
        key = controller.keymap.shown("pane.problems")
        said = count(problems, "problem")
        chips.append(Chip(f"{key} shows {said}" if key else said, is_alert=is_alert))
    if cases.arrangement.view is not View.ALL:
        chips.append(Chip(f"VIEW {cases.arrangement.view_name}"))
    if cases.arrangement.order is not Order.WORST:
        chips.append(Chip(f"SORTED {cases.arrangement.order}"))
    if cases.arrangement.filter.text:
        chips.append(Chip(f"FILTER {cases.arrangement.filter.text}"))
    if cases.choice.keys:
        chips.append(Chip(f"{len(cases.choice.keys)} CHOSEN"))
    if controller.walk.chip:
        chips.append(Chip(controller.walk.chip))
    if session.state is WatchState.REPLAY:
        chips.append(Chip("OFFLINE replay"))
    if session.state is WatchState.PACK:
        chips.append(Chip("EVIDENCE only read"))
    if session.state is WatchState.PAST:
        key = controller.keymap.shown("move.back")
        chips.append(Chip(f"PAST {key} returns to now".replace("  ", " "), is_alert=True))
    if session.state is WatchState.FOLLOWING:
        chips.append(Chip(f"FOLLOWS {session.other_runner}"))
    if board.spending is not None and (held := board.spending.held):
        key = controller.keymap.shown("run.due")
        due = board.counts.all.by_mark[RowMark.DUE]
        of = f" OF {due:,}" if held < due else ""  # which the header counts
        chips.append(Chip(f"{held:,}{of} DUE, ASK FIRST {key}".rstrip(), is_alert=True))
    if session.state is WatchState.PAUSED:
        pending = session.watch_loop.pending(controller.agent)
        waiting = f" {pending} queued" if pending else ""
        chips.append(Chip(f"PAUSED{waiting}", is_alert=True))
    return chips
