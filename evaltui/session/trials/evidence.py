"""What the trials of one agent prove, reported as they arrive."""

import asyncio
import time
from collections.abc import Collection, Coroutine, Iterable, Mapping
from contextlib import suppress

from evaltui.core.agent import Agent
from evaltui.core.baseline import judge_change
from evaltui.core.case import CaseKey
from evaltui.core.events import (
    BaselinePinned,
    CaseFinished,
    CaseMuted,
    CasesStale,
    Event,
    EvidenceWeighed,
    ResultsLoaded,
    RunFinished,
    TrialFinished,
)
from evaltui.core.frame import FRAME_S
from evaltui.core.proof import Level, Proof, has_moved
from evaltui.core.result import CaseResult
from evaltui.core.staleness import Degree, DueCase
from evaltui.core.statistics.trials import Trials
from evaltui.disk.history.history_file import HistoryError
from evaltui.project import Project
from evaltui.session.baselines import Baselines
from evaltui.session.project_state import ProjectState
from evaltui.session.trials.cases_beside import CasesBeside
from evaltui.session.trials.trial_counts import TrialCounts
from evaltui.session.trials.trial_reading import TrialReading
from evaltui.session.trials.weighing import Weighing
from evaltui.store.board import Board
from evaltui.store.changes import Changes

_JUDGED_S = 1.0
"""How long weighing waits while kept answers are judged again. Those are no new trials: what they
prove can be told at the end of their run, and weighing a thousand of them slows down judging."""
_REST = 20
"""The pause after weighing, as a multiple of the time it took: with 20,000 failing cases that is
noticeable."""


class Evidence:
    """Emits `EvidenceWeighed`, at most once a frame, and whenever `tell` is called.

    A deterministic agent, and a case for which no agent is asked, need no weighing: there, one
    failure is proof.
    """

    hears = frozenset(
        {TrialFinished, CaseFinished, RunFinished}
        | {BaselinePinned, CasesStale, CaseMuted, ResultsLoaded}
    )
    """Of a reading it is told which results it makes due: more of it makes no difference here."""

    def __init__(
        self, agent: Agent, board: Board, state: ProjectState, baselines: Baselines
    ) -> None:
        self._is_idle = agent.traits.is_deterministic
        self.is_loaded = self._is_idle
        """Whether it is known what the history had counted before any run that is on."""
        self._agent = agent
        self._board = board
        self._state = state
        self._beside = CasesBeside(agent, board, state)
        self._counts = TrialCounts()
        self._history = TrialReading(agent, state, baselines, self._counts)
        self._weighing = Weighing(state, self._counts, self._history, self._beside)
        self._changed: set[CaseKey] = set()
        """Beside those that the store notes."""
        self._is_all_changed = True
        self._due: asyncio.TimerHandle | None = None
        self._due_in_s = 0.0
        """So long after it was set `_due` comes."""
        self._rest_s = FRAME_S
        self._reading = asyncio.Lock()
        self._tasks: set[asyncio.Task[None]] = set()
        self._noted = Changes()
        if not self._is_idle:
            self._noted = state.events.store.reader()
            state.events.add_sink(self)

    @property
    def proofs(self) -> Mapping[CaseKey, Proof]:
        """As they were told last."""
        return self._weighing.proofs

    @property
    def level(self) -> Level:
        """What a proof takes now."""
        return self._weighing.level

    def may_lack(self, key: CaseKey) -> bool:
        """Whether trials that counted for its pin may be lost with the history of then."""
        return self._counts.may_lack(key)

    def fresh(self, key: CaseKey) -> Trials:
        """Those that were made for its pin, whatever they came to."""
        pin = self._counts.pins.get(key)
        return Trials() if pin is None else pin.fresh

    def fallen(self, results: Iterable[CaseResult]) -> set[CaseKey]:
        """The cases that have moved by these results; see `has_moved`."""
        rows, proofs = self._board.rows, self.proofs
        return {
            one.key
            for one in results
            if one.key in rows
            and has_moved(judge_change(rows[one.key].baseline, one), proofs.get(one.key), one)
        }

    def begin(self) -> None:
        """Load it beside everything else: nobody waits for it but the end of a run."""
        if not self.is_loaded and not self._tasks:
            self._work(self._load_if_it_can_be())

    async def load(self) -> None:
        """Read what the history and the pins say, once. Raises HistoryError."""
        async with self._reading:
            if self.is_loaded:
                return
            rows = [*self._board.rows.values()]
            same = await self._history.same(rows)
            await self._history.read(same.items())
            # What came meanwhile is newer than what was read.
            self._counts.same = same | self._counts.same
            await self._follow_beside()
            while not self._history.are_pins_read:  # one that came meanwhile counts too
                await self._history.read_pins()
                rows = [*self._board.rows.values(), *self._beside.rows.values()]
                await asyncio.to_thread(self._weighing.work_out, rows)
            self.is_loaded = True
        self.tell()

    async def prepare(self, keys: Collection[CaseKey], project: Project, trials: int) -> None:
        """Read what is known of the inputs that these are about to be run with.

        What cannot be read proves nothing.
        """
        if self._is_idle:
            return
        rows = self._board.rows
        next_ = [rows[key] for key in keys if key in rows]
        async with self._reading:
            try:
                await self._follow_pins()
                await self._follow_recorded()
                await self._follow_beside()
                await self._history.read_next(next_, project, trials)
            except HistoryError:
                return  # who records the run says so

    async def read_again(self) -> None:
        """Read what the history alone knows, once it is recorded, and tell it.

        What cannot be read stays as it is known until the next run begins.
        """
        async with self._reading:
            with suppress(HistoryError):  # who recorded the run says so
                await self._follow_recorded()
        self.tell()

    def tell(self) -> None:
        """Weigh what changed since the last time, and emit what is another now."""
        if self._due is not None:
            self._due.cancel()
            self._due = None
        if not self.is_loaded or self._is_idle:
            return
        began, affected = time.perf_counter(), len(self._weighing.affected)
        noted, self._noted = self._state.events.store.drain(self._noted)
        self._changed |= noted.rows.get(self._agent.name, set())
        self._is_all_changed |= noted.is_rearranged
        if not (self._changed or self._is_all_changed):
            return
        is_whole = self._is_all_changed and not self.proofs.keys() <= self._board.rows.keys()
        proofs = self._news(is_whole=is_whole)
        now = len(self._weighing.affected)
        if proofs or is_whole or affected != now:
            event = EvidenceWeighed(self._agent.name, proofs, now, is_whole)
            self._state.events.emit(event)
        self._rest_s = max(FRAME_S, _REST * (time.perf_counter() - began))

    def handle(self, event: Event) -> None:
        """Count what finished; whatever else makes a difference is looked at within a frame."""
        if getattr(event, "agent", self._agent.name) != self._agent.name:
            return
        match event:
            case CaseFinished(run_id, result) | TrialFinished(run_id, result):
                if result.agent != self._agent.name:
                    return
                self._changed.add(result.key)  # of one of several attempts nobody else notes it
                same = self._history.prints.of(result.inputs)
                if result.was_judged_again:
                    self._counts.judge_again(result.key, same)
                else:
                    is_one = isinstance(event, TrialFinished)
                    self._counts.add(run_id, result, same, is_one_of_several=is_one)
            case RunFinished(run_id):
                is_others = not self._state.record.journal.is_mine(run_id)
                if self._counts.close(run_id, is_others=is_others):
                    self._read_pins_again()
                if self._counts.unread:
                    self._work(self.read_again())
                return
            case BaselinePinned():
                self._read_pins_again()
                return
            case ResultsLoaded():
                self._is_all_changed = True
            case CasesStale(cases=cases):
                self._note_due(cases)
            case _:
                pass  # the store notes which rows are others
        if self.is_loaded:
            self._tell_within(_JUDGED_S if _is_of_judging(event) else self._rest_s)

    def _tell_within(self, seconds: float) -> None:
        if self._due is not None and seconds >= self._due_in_s:
            return  # as with nearly every result: it is told before that
        loop = asyncio.get_running_loop()
        after_s = max(seconds, self._rest_s)
        at = loop.time() + after_s
        if self._due is None or self._due.when() > at:
            if self._due is not None:
                self._due.cancel()
            self._due, self._due_in_s = loop.call_at(at, self.tell), after_s

    def _note_due(self, cases: Iterable[DueCase]) -> None:
        """What fell or rose and is due, or never ran, stays so by another save, but with which
        inputs it would run may be otherwise."""
        found = (row for one in cases if (row := self._board.rows.get(one.key)) is not None)
        self._changed |= {row.key for row in found if row.against is not None or row.result is None}

    async def close(self) -> None:
        self._state.events.remove_sink(self)
        self._state.events.store.forget(self._noted)
        if self._due is not None:
            self._due.cancel()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _news(self, *, is_whole: bool) -> tuple[Proof, ...]:
        """The proofs that are others than was told."""
        board = self._board.rows
        rows = {**self._beside.rows, **board} if self._beside.rows else board
        changed = rows.keys() if self._is_all_changed else self._changed & rows.keys()
        if self._is_all_changed:
            self._beside.fit()
            self._weighing.begin_anew()
        self._changed, self._is_all_changed = set(), False
        return self._weighing.news([rows[key] for key in changed], board, is_whole=is_whole)

    def _work(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work, name=f"evidence of {self._agent.name}")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _load_if_it_can_be(self) -> None:
        with suppress(HistoryError):  # tried again by whoever loads the history again
            await self.load()

    def _read_pins_again(self) -> None:
        self._history.are_pins_read = False
        if self.is_loaded:
            self._work(self._tell_pins())

    async def _tell_pins(self) -> None:
        async with self._reading:
            with suppress(HistoryError):  # those that were read before stay until the next run
                await self._follow_pins()
        self.tell()

    async def _follow_pins(self) -> None:
        if not self._history.are_pins_read:
            await self._history.read_pins()
            self._is_all_changed = True

    async def _follow_recorded(self) -> None:
        changed = await self._history.read_again()  # others may be noted meanwhile
        self._changed |= changed

    async def _follow_beside(self) -> None:
        """Before the first trial, know what the edit can affect of what was not named."""
        await asyncio.to_thread(self._beside.follow)
        if not self._beside.are_counted:
            same = await self._history.same(self._beside.rows.values())
            await self._history.read(same.items())
            self._counts.same |= same
            self._beside.are_counted = self._is_all_changed = True


def _is_of_judging(event: Event) -> bool:
    """Whether it is about nothing but kept answers that are, or were, judged again."""
    match event:
        case CaseFinished(_, result):
            return result.was_judged_again
        case CasesStale(cases=cases):
            return bool(cases) and all(one.degree is Degree.TO_JUDGE for one in cases)
        case _:
            return False
