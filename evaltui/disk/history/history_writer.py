"""A run's results on their way into the history, most of them while the last cases are awaited."""

import asyncio
from collections.abc import Callable, Container

from msgspec.structs import replace

from evaltui.core.case import CaseKey
from evaltui.core.comparison import GoesOn, ReportedEffect
from evaltui.core.events import RunFinished, RunStarted
from evaltui.core.proof import Proof
from evaltui.core.result import CaseResult
from evaltui.disk.history.history import History
from evaltui.disk.history.history_file import HistoryError
from evaltui.disk.history.run_record import RunRecord


class HistoryWriter:
    """Of one run. `begin` may be left out; `finish` writes whatever is not written yet."""

    def __init__(
        self,
        history: History,
        started: RunStarted,
        in_short: Callable[[CaseResult], str],
        reported: Callable[[CaseResult], ReportedEffect | None] = lambda _: None,
    ) -> None:
        """`in_short` says what differs in a result, since its calls are not kept, and `reported`
        what the run tells of it; both on a thread."""
        self._in_short, self._reported = in_short, reported
        self._history = history
        self._started = started
        self._results: list[CaseResult] = []
        self._begun: list[CaseResult] = []
        self._attempts: dict[CaseKey, list[CaseResult]] = {}
        self._writing: asyncio.Future[None] | None = None

    def add(self, result: CaseResult) -> None:
        self._results.append(result)
        self._attempts.pop(result.key, None)

    def add_attempt(self, attempt: CaseResult) -> None:
        """At a case that has not finished yet, and may never."""
        self._attempts.setdefault(attempt.key, []).append(attempt)

    def begin(self) -> None:
        """Write what has finished so far, on a thread, when no more cases begin.

        Asked again it does nothing: the rest is left to `finish`. The history's own tidying up,
        which the end of the process would wait for, is done too.
        """
        if self._writing is not None:
            return
        results, self._results = self._results, []
        self._begun = results
        run = RunRecord.of(self._started, None)

        def write() -> None:
            self._history.record(run, map(self._with_difference, results), None, self._reported)
            self._history.checkpoint()

        self._writing = asyncio.get_running_loop().run_in_executor(None, write)

    async def finish(
        self,
        finished: RunFinished,
        muted: tuple[str, ...] | None = None,
        goes_on: GoesOn | None = None,
        proofs: tuple[Proof, ...] = (),
    ) -> None:
        """Write the rest, how the run ended, what was `muted` then, which runs of its save it goes
        on with, and the `proofs` of what was marked. Raises HistoryError.

        The rest are the cases of `finished`, and those whose file went away since they finished.
        """
        if self._writing is not None:
            try:
                await self._writing
            except HistoryError:
                self._results, self._begun = [*self._begun, *self._results], []
        recorded = {result.key for result in self._begun}
        finished_keys = {case.key for suite in finished.suites for case in suite.cases}
        attempts = [one for those in self._attempts.values() for one in those]
        gone = [result for result in self._results if result.key not in finished_keys]

        def write() -> None:
            whole = self._with_differences(finished, recorded)
            others = map(self._with_difference, gone)
            self._history.record_finished(
                self._started,
                whole,
                recorded,
                others,
                self._reported,
                muted,
                goes_on,
                proofs,
                attempts,
            )

        await asyncio.to_thread(write)

    def _with_differences(self, finished: RunFinished, recorded: Container[CaseKey]) -> RunFinished:
        """Of the cases of this run that are not `recorded`."""
        suites = (
            replace(
                suite,
                cases=tuple(
                    case
                    if case.key in recorded or case.run_id != self._started.run_id
                    else self._with_difference(case)
                    for case in suite.cases
                ),
            )
            for suite in finished.suites
        )
        return replace(finished, suites=tuple(suites))

    def _with_difference(self, result: CaseResult) -> CaseResult:
        said = self._in_short(result)
        return replace(result, in_short=said) if said else result
