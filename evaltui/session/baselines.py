"""Baselines in force for each agent: pinning, unpinning, choosing one by name."""

import asyncio
from collections.abc import Callable, Collection
from pathlib import Path
from typing import TYPE_CHECKING

from evaltui.core.baseline import Baseline
from evaltui.core.case import CaseKey
from evaltui.core.config import Config
from evaltui.core.events import BaselinePinned, Event, ProblemFound
from evaltui.core.result import CaseResult, SuiteResult
from evaltui.disk.baseline_reading import baseline_from_run
from evaltui.disk.baselines import Baselines, PinChange
from evaltui.disk.history import History
from evaltui.disk.pins import DEFAULT
from evaltui.project import Project
from evaltui.session.suite_results import suite_result
from evaltui.session.undo import UndoStack

if TYPE_CHECKING:
    from evaltui.session.agent_queue import AgentQueue


class Pinning:
    """Pins live beside the results folder, so that they can be committed (contract B3)."""

    def __init__(
        self,
        config: Callable[[], Config],
        history: History,
        undo: UndoStack,
        emit: Callable[[Event], None],
    ) -> None:
        self._config = config
        self._history = history
        self._undo = undo
        self._emit = emit
        self._baselines = Baselines.load(baselines_folder(config()))
        self._names: dict[str, str] = {}

    def names(self, agent: str) -> tuple[str, ...]:
        return self._baselines.names(agent)

    def detail(self, key: CaseKey, agent: str) -> CaseResult | None:
        """The pinned result of one case with its calls; `None` when it is not pinned."""
        return self._baselines.detail(key, agent, self.name_in_force(agent))

    def name_in_force(self, agent: str) -> str:
        return self._names.get(agent, DEFAULT)

    def tell_problems(self) -> None:
        """Say once what is wrong with the files of baselines that were read so far."""
        for problem in self._baselines.problems:
            self._emit(ProblemFound(problem))
        self._baselines.problems.clear()

    async def restore(self, line: "AgentQueue", project: Project) -> None:
        """Tell which baseline is in force. Raises UserError for an unknown run id (A52)."""
        agent = line.agent.name
        wanted = self._config().baseline_run_id
        if wanted and wanted in self.names(agent):
            self._names[agent] = wanted
        elif wanted:
            folder = self._config().root / self._config().output_dir
            found = await asyncio.to_thread(
                baseline_from_run, folder, wanted, project.suites, endpoint=agent
            )
            self._emit(BaselinePinned(agent, wanted, found))
            return
        await self._tell(agent, "")

    async def use(self, name: str, agent: str) -> None:
        """Compare with the baseline of that name from now on."""
        self._names[agent] = name
        await self._tell(agent, f"Comparing with baseline {name}")

    async def pin(
        self, line: "AgentQueue", project: Project, keys: Collection[CaseKey], name: str
    ) -> None:
        """Make the last results of the cases the baseline. Raises OSError."""
        agent = line.agent.name
        chosen = name or self.name_in_force(agent)
        wanted = frozenset(keys)
        results = await asyncio.to_thread(self._results, line, project, wanted)
        change = await asyncio.to_thread(self._baselines.pin, chosen, agent, results, wanted)
        await self._did(agent, change)

    async def unpin(self, line: "AgentQueue", keys: Collection[CaseKey], name: str) -> None:
        """Forget the baseline of the cases. Raises OSError."""
        agent = line.agent.name
        chosen = name or self.name_in_force(agent)
        change = await asyncio.to_thread(
            self._baselines.unpin, chosen, agent, None, frozenset(keys)
        )
        await self._did(agent, change)

    async def _did(self, agent: str, change: PinChange) -> None:
        def again(step: Callable[[], None]) -> Callable[[], None]:
            def run() -> None:
                step()
                self._emit(BaselinePinned(agent, self.name_in_force(agent), self._found(agent)))

            return run

        self._undo.did(change.message, again(change.undo), again(change.redo))
        await self._tell(agent, change.message)

    async def _tell(self, agent: str, message: str) -> None:
        found = await asyncio.to_thread(self._found, agent)
        self._emit(BaselinePinned(agent, self.name_in_force(agent), found, message))
        self.tell_problems()

    def _found(self, agent: str) -> tuple[Baseline, ...]:
        return self._baselines.in_force(agent, self.name_in_force(agent), endpoint=agent)

    def _results(
        self, line: "AgentQueue", project: Project, keys: frozenset[CaseKey]
    ) -> list[SuiteResult]:
        """The suites of the cases with their last results, details filled in."""
        suites = {key.suite for key in keys}
        results: list[SuiteResult] = []
        for suite in project.suites:
            if suite.id not in suites:
                continue
            rows = ((case.key, line.board.rows.get(case.key)) for case in suite.cases)
            known = {key: row.result for key, row in rows if row and row.result}
            latest = max(known.values(), key=lambda result: result.finished_at, default=None)
            if latest is None:
                continue
            result, _ = suite_result(
                suite,
                known,
                run_id=latest.run_id,
                agent=line.agent.name,
                endpoint=line.agent.name,
                registry=project.registry,
                baseline=None,
                now=latest.finished_at,
            )
            results.append(self._history.complete(result))
        return results


def baselines_folder(config: Config) -> Path:
    """Beside the results: `evals/baselines` for `evals/results`."""
    return (config.root / config.output_dir).parent / "baselines"
