"""What the board of an agent must know before new results are added: earlier ones, baselines."""

import asyncio
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress

from msgspec.structs import replace

from evaltui.core.case import CaseKey
from evaltui.core.errors import EvaltuiError
from evaltui.core.events import CaseFinished, Event, ResultsLoaded, RunFinished
from evaltui.core.result import CaseResult
from evaltui.core.suite import Suite
from evaltui.disk.history.history import LastResults
from evaltui.disk.history.history_file import HistoryError
from evaltui.runner import run_problems
from evaltui.session.baselines import Baselines
from evaltui.session.due_cases import DueCases
from evaltui.session.project_state import ProjectState
from evaltui.session.trials.evidence import Evidence

_LOOK_S = 0.03
"""How often to look whether the agent leaves time for reading earlier results."""


class EarlierResults:
    """Of one agent: all of them once, whoever asks first; then those of cases that come back.

    A sink, so that it knows the results that are not in the history before their run ends.
    """

    hears = frozenset({CaseFinished, RunFinished})

    def __init__(
        self, state: ProjectState, baselines: Baselines, due: DueCases, evidence: Evidence
    ) -> None:
        self._is_loaded = False
        self.evidence = evidence
        self._agent = due.agent.name
        self._state = state
        self._baselines = baselines
        self._due = due
        self._loading: asyncio.Task[None] | None = None
        self._suites: tuple[Suite, ...] = ()
        """The suites whose cases the board knows the earlier results of."""
        self._restored: tuple[str | None] | None = None
        """Which baseline the settings named when those in force were last looked up."""
        self._unrecorded: dict[CaseKey, CaseResult] = {}
        self._catching_up = asyncio.Lock()
        state.events.add_sink(self)

    @property
    def is_loaded(self) -> bool:
        """Whether new results may be recorded: the history is not asked for others any more."""
        return self._is_loaded and self.evidence.is_loaded

    async def load(self) -> None:
        """Have the board know them, due ones marked, and the baselines of the settings in force.

        Raises UserError and HistoryError; what failed is tried again by the next call.
        Those of cases that appeared in a later reading of the project are not compared with it:
        that is left to the comparison that follows each reading.
        """
        if not self._is_loaded:
            loading = self._loading
            if loading is None or (loading.done() and not loading.cancelled()):
                loading = asyncio.create_task(self._load(), name=f"history of {self._agent}")
                self._loading = loading
            await asyncio.wait({loading})
            if loading.cancelled():
                return  # closed meanwhile
            loading.result()
        async with self._catching_up:
            await self._load_appeared()
            await self._restore_baselines()
        self.evidence.begin()

    async def load_what_can_be(self) -> None:
        """Like `load`; what cannot be read is told by whoever opened the session."""
        with suppress(EvaltuiError):
            await self.load()
            await self.evidence.load()

    async def load_meanwhile(self) -> None:
        """As soon as the agent leaves time for it; one that answers at once never does."""
        while True:
            began, worked = time.perf_counter(), time.process_time()
            await asyncio.sleep(_LOOK_S)
            if time.process_time() - worked < (time.perf_counter() - began) / 2:
                return await self.load_what_can_be()

    def handle(self, event: Event) -> None:
        """Keep what finished until its run is recorded."""
        if isinstance(event, CaseFinished) and event.result.agent == self._agent:
            self._unrecorded[event.result.key] = event.result
        elif isinstance(event, RunFinished) and event.agent == self._agent:
            self._unrecorded.clear()

    async def close(self) -> None:
        self._state.events.remove_sink(self)
        if self._loading is not None:
            self._loading.cancel()
            await asyncio.gather(self._loading, return_exceptions=True)

    async def _load(self) -> None:
        last = await asyncio.to_thread(self._state.record.history.last_results, self._agent)
        self._suites = self._state.events.store.suites
        self._emit(last)
        await self._due.compare()
        if not self._due.is_opened:
            self._due.open()
        self._is_loaded = True

    async def _restore_baselines(self) -> None:
        """Once, and again when the settings name another one."""
        wanted = (self._state.config.baseline_run_id,)
        if wanted != self._restored:
            await self._baselines.restore(self._agent)
            self._restored = wanted

    async def _load_appeared(self) -> None:
        """A file written anew, or another branch for a moment, takes cases away and back.

        The history is asked for these cases only, and not at all where none appeared.
        """
        store = self._state.events.store
        suites = store.suites  # the board has their cases, and takes what finishes from here on
        appeared = list(_appeared(self._suites, suites))
        if appeared:
            unrecorded = [self._unrecorded[key] for key in appeared if key in self._unrecorded]
            read = self._state.record.history.last_results
            try:
                last = await asyncio.to_thread(read, self._agent, appeared)
            except HistoryError as error:
                self._state.events.report(run_problems.not_known(len(appeared), error))
                last = LastResults((), (), 0)
            self._emit(_with_newer(last, unrecorded))
        if store.suites is suites:
            self._suites = suites

    def _emit(self, last: LastResults) -> None:
        if last.results or not self._is_loaded:
            loaded = ResultsLoaded(self._agent, last.results, last.strips, last.numbered)
            self._state.events.emit(loaded)


def _appeared(before: Iterable[Suite], now: Iterable[Suite]) -> Iterator[CaseKey]:
    """Cases that only the later reading has; what it did not read again is passed over."""
    known = {suite.id: suite for suite in before}
    for suite in now:
        was = known.get(suite.id)
        if was is not suite:
            had = {case.key for case in was.cases} if was is not None else set[CaseKey]()
            yield from (case.key for case in suite.cases if case.key not in had)


def _with_newer(last: LastResults, newer: Iterable[CaseResult]) -> LastResults:
    """With results of a run that the history hears of at its end."""
    strips = {result.key: strip for result, strip in zip(last.results, last.strips, strict=True)}
    results = {result.key: result for result in last.results}
    for result in newer:
        known = results.get(result.key)
        if known is None or known.run_id != result.run_id:
            strips[result.key] = (*strips.get(result.key, ()), result.shown_status)
        results[result.key] = result
    return replace(last, results=tuple(results.values()), strips=tuple(strips.values()))
