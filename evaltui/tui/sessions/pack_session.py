"""An evidence pack in the dashboard: viewed, reloaded when it is rewritten, never changed."""

from __future__ import annotations

import asyncio
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

from evaltui.core.events import (
    CaseFinished,
    ProblemFound,
    ProjectRead,
    ResultsLoaded,
    RunEnd,
    RunFinished,
    RunStarted,
)
from evaltui.core.tool import ToolRegistry
from evaltui.core.watch_state import WatchState
from evaltui.files import stamp
from evaltui.tui.sessions.offline_session import OfflineSession

if TYPE_CHECKING:
    from evaltui.core.config import Config
    from evaltui.evidence.compared.side import Side
    from evaltui.evidence.gates.gate_decision import GateDecision
    from evaltui.evidence.packs.pack_reading import ReadPack
    from evaltui.store.store import Store

LOOKS_EVERY_S = 0.5
_PART_OF_TIME = 0.02
"""That looking at all files of a large pack may take."""


class PackSession(OfflineSession):
    """What a pack holds; another run that is written there is shown as a run of the same cases."""

    def __init__(self, config: Config, path: Path, store: Store | None = None) -> None:
        super().__init__(config, store)
        self.state = WatchState.PACK
        self.path = path
        self.pack: ReadPack | None = None
        """As it was read last."""
        self._number = 0
        self._written = 0

    @property
    def agents(self) -> tuple[str, ...]:  # type: ignore[override]
        return (self.pack.agent,) if self.pack is not None else ()

    @property
    def title(self) -> str:
        return self.pack.run_id if self.pack is not None else self.path.name

    @property
    def why_not_run(self) -> str:  # type: ignore[override]
        return "this is a read-only evidence pack; `evaltui` opens a project"

    def gate(self, agent: str) -> GateDecision | None:  # noqa: ARG002
        return self.pack.gate if self.pack is not None else None

    async def results_side(self, agent: str) -> Side:  # noqa: ARG002
        from evaltui.evidence.compared.side import read_whole_side

        return await asyncio.to_thread(read_whole_side, self.path)

    async def open(self) -> None:
        """Raises UserError for what is no pack."""
        await self._read()

    async def watch(self) -> None:
        """Show what is written there, until closed; what was changed by hand is told as that."""
        from evaltui.evidence.packs.pack_hashes import written_stamp

        seen, rest_s = self._stamp(), 0.0
        while True:
            await asyncio.sleep(LOOKS_EVERY_S)
            rest_s -= LOOKS_EVERY_S
            now, written = self._stamp(), self._written
            if rest_s <= 0:
                began = perf_counter()
                written = await asyncio.to_thread(written_stamp, self.path)
                rest_s = (perf_counter() - began) / _PART_OF_TIME
            if (now, written) != (seen, self._written) and self._is_there():
                seen = now
                await self._read()

    async def _read(self) -> None:
        from evaltui.evidence.packs.pack_hashes import written_stamp
        from evaltui.evidence.packs.pack_reading import read_pack

        before = self.pack
        self._written = await asyncio.to_thread(written_stamp, self.path)
        pack = self.pack = await asyncio.to_thread(read_pack, self.path)
        self._number += 1
        read_at = pack.made_at or 1.0
        self.emit(ProjectRead(pack.suites, ToolRegistry(configured=False), (), at=read_at))
        if before is None:
            self.emit(ResultsLoaded(pack.agent, pack.results, numbered=self._number))
        elif before.results != pack.results:
            self._tell_run(pack)
        for problem in pack.problems:
            self.emit(ProblemFound(problem))

    def _tell_run(self, pack: ReadPack) -> None:
        keys = tuple(result.key for result in pack.results)
        reason = f"{pack.run_id} was written"
        self.emit(RunStarted(pack.run_id, pack.agent, self._number, keys, reason))
        for result in pack.results:
            self.emit(CaseFinished(pack.run_id, result))
        end = RunEnd.COMPLETED
        self.emit(RunFinished(pack.run_id, pack.agent, end, 0.0, finished_at=pack.made_at))

    def _is_there(self) -> bool:
        """It is put in its place part by part: the manifest comes last."""
        from evaltui.evidence.packs.pack_reading import is_pack

        return is_pack(self.path)

    def _stamp(self) -> object:
        from evaltui.evidence.gates.gate_decision import COMPARISON, DECISION
        from evaltui.evidence.packs.pack_reading import MANIFEST

        return tuple(stamp(self.path / one) for one in (MANIFEST, COMPARISON, DECISION))
