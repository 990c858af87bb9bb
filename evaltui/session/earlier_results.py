"""What the board of an agent must know before new results are added: earlier ones, baselines."""

import asyncio

from evaltui.core.events import ResultsLoaded
from evaltui.session.baselines import Baselines
from evaltui.session.project_state import ProjectState
from evaltui.session.stale_cases import StaleCases


class EarlierResults:
    """Of one agent; read once, whoever asks first."""

    def __init__(self, state: ProjectState, baselines: Baselines, stale: StaleCases) -> None:
        self.is_loaded = False
        self._agent = stale.agent.name
        self._state = state
        self._baselines = baselines
        self._stale = stale
        self._loading: asyncio.Task[None] | None = None

    async def load(self) -> None:
        """Have the board know them, stale ones marked. Raises UserError and HistoryError."""
        if self._loading is None:
            self._loading = asyncio.create_task(self._load(), name=f"history of {self._agent}")
        await asyncio.shield(self._loading)

    async def close(self) -> None:
        if self._loading is not None:
            self._loading.cancel()
            await asyncio.gather(self._loading, return_exceptions=True)

    async def _load(self) -> None:
        last = await asyncio.to_thread(self._state.history.last_results, self._agent)
        self._state.events.emit(
            ResultsLoaded(self._agent, last.results, last.strips, last.numbered)
        )
        await self._baselines.restore(self._agent)
        await self._stale.compare()
        self.is_loaded = True
