"""A run's results on their way into the history, most of them while the last cases are awaited."""

import asyncio

from evaltui.core.events import RunFinished, RunStarted
from evaltui.core.result import CaseResult
from evaltui.disk.history import History
from evaltui.disk.history_file import HistoryError
from evaltui.disk.history_insert import RunRecord


class HistoryWriter:
    """Of one run. `begin` may be left out; `finish` writes whatever is not written yet."""

    def __init__(self, history: History, started: RunStarted) -> None:
        self._history = history
        self._started = started
        self._results: list[CaseResult] = []
        self._begun: list[CaseResult] = []
        self._writing: asyncio.Future[None] | None = None

    def add(self, result: CaseResult) -> None:
        self._results.append(result)

    def begin(self) -> None:
        """Write what has finished so far, on a thread; call it once, when no more cases begin.

        The history's own tidying up, which the end of the process would wait for, is done too.
        """
        results, self._results = self._results, []
        self._begun = results
        run = RunRecord.of(self._started, None)

        def write() -> None:
            self._history.record(run, results)
            self._history.checkpoint()

        self._writing = asyncio.get_running_loop().run_in_executor(None, write)

    async def finish(self, finished: RunFinished) -> None:
        """Write the rest, and how the run ended. Raises HistoryError.

        The rest are the cases of `finished`, and those whose file went away since they finished.
        """
        if self._writing is not None:
            try:
                await self._writing
            except HistoryError:
                self._results, self._begun = [*self._begun, *self._results], []
        recorded = {result.key for result in self._begun}
        told = {case.key for suite in finished.suites for case in suite.cases}
        gone = [result for result in self._results if result.key not in told]
        await asyncio.to_thread(
            self._history.record_finished, self._started, finished, recorded, gone
        )
