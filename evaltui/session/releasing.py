"""Whether what is shown may be released: of each agent the results as evidence, and its gate."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from evaltui.files import is_absent
from evaltui.session.background import Background
from evaltui.session.baselines import Baselines
from evaltui.session.project_state import ProjectState

if TYPE_CHECKING:
    from evaltui.evidence.compared.side import Side
    from evaltui.evidence.gates.gate_decision import GateDecision
    from evaltui.session.board_as_pack import BoardEvidence, Moment
    from evaltui.session.board_sides import BoardGate

GATE = Path("config/gate.json")
"""Thresholds below the project's folder."""


class Releasing:
    """Results are read in a thread, and only where somebody asks."""

    def __init__(self, state: ProjectState, baselines: Baselines, background: Background) -> None:
        self._state, self._baselines, self._background = state, baselines, background
        self._evidence: dict[str, BoardEvidence] = {}
        self._gates: dict[str, BoardGate] = {}
        self._reading: dict[str, asyncio.Task[None]] = {}
        self._tried: dict[str, Moment] = {}

    def gate(self, agent: str) -> "GateDecision | None":
        """`None` without thresholds, before the session is open, and as long as the results are
        read for the first time."""
        board = self._state.events.store.boards.get(agent)
        file = self._state.config.root / GATE
        if board is None or board.is_cached or not self._state.record.is_open or is_absent(file):
            return None
        from evaltui.session.board_as_pack import moment_of

        evidence = self._evidence_of(agent)
        if agent not in self._gates:
            from evaltui.session.board_sides import BoardGate

            self._gates[agent] = BoardGate(file, evidence)
        moment = moment_of(board)
        is_wanted = not board.runs.is_on and not evidence.is_of(board)
        if is_wanted and self._tried.get(agent) != moment:
            self._tried[agent] = moment  # what cannot be read is not read again and again
            self._background.begin(self._read(agent))
        return self._gates[agent].decision(board)

    async def results_side(self, agent: str) -> "Side":
        """The results that are shown, each read whole, as a side of a comparison. Raises
        HistoryError."""
        await self._read(agent)
        return self._evidence_of(agent).side(self._state.events.store.board(agent))

    async def pinned_side(self, agent: str) -> "Side | None":
        """What is pinned, as a side; `None` where nothing is. Raises HistoryError."""
        from evaltui.session.board_sides import side_in_force

        await self._read(agent)
        board = self._state.events.store.board(agent)
        return side_in_force(board, self._evidence_of(agent))

    async def _read(self, agent: str) -> None:
        """One after the other: whoever comes second finds it read."""
        while (reading := self._reading.get(agent)) is not None:
            await asyncio.wait([reading])
        self._reading[agent] = asyncio.create_task(self._read_once(agent))
        try:
            await self._reading[agent]
        finally:
            self._reading.pop(agent, None)

    async def _read_once(self, agent: str) -> None:
        from evaltui.session.board_as_pack import moment_of

        board, evidence = self._state.events.store.board(agent), self._evidence_of(agent)
        if not evidence.is_of(board):
            await asyncio.to_thread(evidence.read, evidence.shown(board), moment_of(board))

    def _evidence_of(self, agent: str) -> "BoardEvidence":
        if agent not in self._evidence:
            from evaltui.session.board_as_pack import BoardEvidence

            self._evidence[agent] = BoardEvidence(
                agent, self._state.record.history, self._baselines.demands
            )
        return self._evidence[agent]
