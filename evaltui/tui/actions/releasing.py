"""The gate with its reasons, and two runs compared with each other."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evaltui.core.case import CaseKey
from evaltui.core.errors import EvaltuiError
from evaltui.core.watch_state import WatchState
from evaltui.tui.sessions.session_protocol import board_of

if TYPE_CHECKING:
    from evaltui.tui.controller import DashboardController
    from evaltui.tui.render.comparison import Trajectories
    from evaltui.tui.render.text_builder import TextBuilder

PINNED = "what is pinned"


def show_gate(controller: DashboardController) -> None:
    """The decision, its reasons, and the thresholds that it was held against."""
    from evaltui.tui.render.gate import write_gate
    from evaltui.tui.screens.sheet_screen import SheetScreen

    controller.tick()  # the header, too, says what is decided now
    decision = controller.session.gate(controller.agent)
    if decision is None:
        return

    def write(builder: TextBuilder) -> None:
        write_gate(builder, decision)

    controller.ask(SheetScreen("Gate", write), lambda _: None)


def no_gate(controller: DashboardController) -> str | None:
    from evaltui.files import is_file
    from evaltui.session.releasing import GATE

    if controller.session.gate(controller.agent) is not None:
        return None
    if controller.session.state is WatchState.PACK:
        return "there is no decision about this pack; `evaltui gate` makes one"
    if is_file(controller.session.config.root / GATE):
        return "the results are still being read"
    return "there are no thresholds; put them into `config/gate.json`"


def compare(controller: DashboardController) -> None:
    """Choose what this run is held against, and show both side by side."""
    from evaltui.tui.screens.picker import Choice, Picker

    found = _others(controller)
    if not found:
        where = _place(controller)
        controller.warn(f"Nothing is pinned, and there is no other evidence pack in `{where}`.")
        return
    choices = [Choice(name, name, note=note) for name, (_, note) in found.items()]
    controller.ask(
        Picker("Compare with which run?", choices), lambda name: _show(controller, found[name][0])
    )


def nothing_to_compare(controller: DashboardController) -> str | None:
    if controller.session.state in (WatchState.REPLAY, WatchState.PAST):
        return "only the current board and evidence packs can be compared"
    board = board_of(controller.session, controller.agent)
    has_results = any(row.result is not None for row in board.rows.values())
    return None if has_results else "there are no results yet"


def _place(controller: DashboardController) -> Path:
    """Where packs are looked for: beside the one that is shown, else in `runs`."""
    from evaltui.tui.sessions.pack_session import PackSession

    session = controller.session
    if isinstance(session, PackSession):
        return session.path.absolute().parent
    return session.config.root / "runs"


def _others(controller: DashboardController) -> dict[str, tuple[Path | None, str]]:
    """By name, what there is to compare with: a pack, or `None` for what is pinned."""
    from evaltui.evidence.packs.pack_reading import is_pack
    from evaltui.tui.sessions.pack_session import PackSession

    session = controller.session
    found: dict[str, tuple[Path | None, str]] = {}
    own = session.path.absolute() if isinstance(session, PackSession) else None
    if own is None and board_of(session, controller.agent).standards.baselines:
        found[PINNED] = (None, "the baseline in force")
    place = _place(controller)
    for path in sorted(place.glob("*"))[:1_000] if place.is_dir() else ():
        if path != own and is_pack(path):
            found[path.name] = (path, "evidence pack")
    return found


def _show(controller: DashboardController, baseline: Path | None) -> None:
    async def work() -> None:
        try:
            report, trajectories = await _compared(controller, baseline)
        except (OSError, EvaltuiError) as error:
            controller.warn(str(error))
            return
        from evaltui.tui.render.comparison import write_comparison
        from evaltui.tui.screens.sheet_screen import SheetScreen

        screen = SheetScreen(
            "Compare", lambda builder: write_comparison(builder, report, trajectories), "case"
        )
        controller.ask(screen, lambda _: None)

    controller.app.run_worker(work(), name="compare", group="compare", exclusive=True)


async def _compared(
    controller: DashboardController, baseline: Path | None
) -> tuple[Mapping[str, Any], Trajectories]:
    """The report, and where the events of a case are. Raises OSError and UserError."""
    from evaltui.evidence.compared.comparing import compare as compare_sides
    from evaltui.evidence.compared.side import Side, read_whole_side
    from evaltui.evidence.packs.pack_reading import read_trajectory
    from evaltui.evidence.run_of_agent import trace_of
    from evaltui.expectations.call_diff import DiffTarget
    from evaltui.traces.reading import trace_body
    from evaltui.tui.sessions.pack_session import PackSession

    session, agent = controller.session, controller.agent
    board = board_of(session, agent)
    pack = session.path if isinstance(session, PackSession) else None

    before: Side | None
    if baseline is not None:
        before = await asyncio.to_thread(read_whole_side, baseline)
    else:
        before = await session.pinned_side(agent)
    assert before is not None, "it was there to choose"
    after = await session.results_side(agent)
    report = compare_sides(before, after, reference={}, allow_incompatible=True)

    def of_side(id_: str, path: Path | None, *, is_before: bool) -> Any:
        if path is not None:
            case = read_trajectory(path, id_)
            return None if case is None else trace_body(case).trace
        row = board.rows.get(CaseKey.parse(id_))
        if row is None:
            return None
        result = session.earlier(row.key, agent, DiffTarget.BASELINE) if is_before else row.result
        if result is None or result.response is None:
            return None
        return trace_body(trace_of(row.case, result)).trace

    known: dict[str, Any] = {}

    def trajectories(id_: str) -> Any:
        if id_ not in known:
            both = (
                of_side(id_, baseline, is_before=True),
                of_side(id_, pack, is_before=False),
            )
            known[id_] = None if None in both else both
        return known[id_]

    return report, trajectories
