"""Which results of one agent are due, by the latest reading of the project."""

import asyncio
from collections.abc import Iterable, Set
from operator import attrgetter

from msgspec.structs import replace

from evaltui.core.agent import Agent
from evaltui.core.case import CaseKey
from evaltui.core.events import (
    CaseFinished,
    CasesStale,
    Event,
    ResultsCameStale,
    RunFinished,
    RunStarted,
)
from evaltui.core.inputs import Inputs
from evaltui.core.result import CaseResult
from evaltui.core.staleness import Degree, DueCase, reason_of
from evaltui.project import Project
from evaltui.session.affected import compare, due_case
from evaltui.session.due_of_save import DueOfSave
from evaltui.session.inputs_of import InputsOf
from evaltui.session.project_state import ProjectState
from evaltui.store.board import Board

_PLACE = attrgetter("place")
_RELEASED = "the other cases of its tool pass now"


class DueCases:
    """Compares a result with the project once: when a reading touches its case, or when it arrives
    of a run that was begun under an earlier reading. A sink, so that it gets them.
    """

    hears = frozenset({RunStarted, CaseFinished, RunFinished})

    def __init__(self, agent: Agent, board: Board, state: ProjectState) -> None:
        self.agent = agent
        self._board = board
        self._state = state
        self._project: Project | None = None
        """The reading that results were compared with last."""
        self._inputs_of: InputsOf | None = None
        """By that reading, once a result came that is held against it."""
        self._cases: dict[CaseKey, DueCase] = {}
        self.of_save = DueOfSave(agent, board)
        self._readings: dict[str, int] = {}
        """Number of the reading that each run asks its answers under; 0 for one of which that is
        not known, since it judges earlier answers, or is another process's."""
        self._fresh: dict[CaseKey, int] = {}
        """Before the first comparison: the reading under which each result was asked."""
        self._has_late_ones = False
        """Whether a result came that was due already."""
        self._late: dict[CaseKey, None] = {}
        """An ordered set of those that are to be told: the board takes what comes for fresh."""
        self._unlike: set[CaseKey] = set()
        """Cases of which another process brought such a result."""
        self._others_runs: set[str] = set()
        """Runs of other processes that are on."""
        self._uncompared: set[CaseKey] = set()
        """Cases whose results came when their file had been read again and was not compared yet."""
        self.is_opened = False
        """Whether what becomes due from now on is a save's doing."""
        self._before: Project | None = None
        """The reading that an agent before this one was compared with last."""
        self._comparing = asyncio.Lock()
        state.events.add_sink(self)

    def __contains__(self, key: object) -> bool:
        return key in self._cases

    def __bool__(self) -> bool:
        return bool(self._cases)

    @property
    def has_to_judge(self) -> bool:
        """Whether the kept answer of any of them has only to be judged again."""
        return any(case.degree is Degree.TO_JUDGE for case in self._cases.values())

    @property
    def cases(self) -> tuple[DueCase, ...]:
        """In file order."""
        return tuple(self._cases[key] for key in self._in_file_order(self._cases))

    @property
    def keys(self) -> Set[CaseKey]:
        """Of these cases, in no order: many ask, and putting thousands in order takes a while."""
        return self._cases.keys() & self._board.rows.keys()

    def reason(self, keys: Iterable[CaseKey], *, by_save: bool = False) -> str:
        """Why these are due, in words: the most frequent reason, how many others there are.

        `by_save`: for what was saved alone.
        """
        known, save = self.of_save.cases if by_save else self._cases, self._board.headline.save
        edited = save.cases if by_save and save is not None else ()
        return reason_of((known[key] for key in keys if key in known), edited)

    async def compare(self, trigger: tuple[str, ...] = ()) -> None:
        """Compare what the last reading of the project touches, and emit all that is due.

        `trigger`: the files whose change led to the reading.
        """
        async with self._comparing:
            project, before, rows = self._state.project, self._project, self._board.rows
            # From here on results that arrive are held against this reading.
            self._project, self._inputs_of = project, None
            others, self._uncompared = self._uncompared, set()
            fresh = {key for key, number in self._fresh.items() if number == project.number}
            self._fresh.clear()
            for key in fresh:
                self._mark(key, None)
            due = frozenset(self._cases)
            found = await asyncio.to_thread(
                compare, project, before, rows, self.agent, others, due, fresh
            )
            last = before or self._before
            known = dict.fromkeys(self._cases.keys() & found.keys(), last)
            known |= self.of_save.take_back(found.keys())
            for key, compared in found.items():
                if compared.due is None and key not in self._cases:
                    continue
                if self._inputs(key) == compared.inputs:  # else a newer result came meanwhile
                    self._mark(key, compared.due)
            if self.is_opened:
                await self.of_save.note(found, self._cases, known, project)
            self._before = None
            self._let_go(before)
            self._emit(trigger)

    def open(self) -> None:
        """What is due by now is no save's doing."""
        self.is_opened = True
        self.of_save.cases.clear()

    @property
    def saved(self) -> tuple[DueCase, ...]:
        """What the last save made due, as far as it has not run meanwhile, in file order."""
        made = self.of_save.cases
        found = made.keys() & self._cases.keys()
        return tuple(made[key] for key in self._in_file_order(found))

    def succeed(self, before: "DueCases") -> None:
        """Take the place of those of an agent of that name, which a save exchanged.

        All that is due of one that would answer otherwise is the doing of that save.
        """
        self.is_opened = before.is_opened
        then, now = before.agent, self.agent
        same = (now.fingerprint, now.content, now.variables)
        if (then.fingerprint, then.content, then.variables) == same:
            self._before = before._project
            self._cases = dict(before._cases)
            self.of_save.succeed(before.of_save)

    def handle(self, event: Event) -> None:
        """Take note of a result, by the reading that its run was begun under."""
        if isinstance(event, RunStarted) and event.agent == self.agent.name:
            self._readings[event.run_id] = 0 if event.is_rejudging else event.reading
            if not event.reading:
                self._others_runs.add(event.run_id)
        elif isinstance(event, RunFinished):
            self._readings.pop(event.run_id, None)
            self._others_runs.discard(event.run_id)
        elif isinstance(event, CaseFinished) and event.run_id in self._readings:
            if self._project is None:
                self._fresh[event.result.key] = self._readings[event.run_id]
                return
            due = None
            if self._readings[event.run_id] != self._project.number:
                due = self._compare_one(event.result, self._project)
            self._mark(event.result.key, due)
            if due is not None:
                self.of_save.update(due)
                self._has_late_ones = True
                if not self._late:  # once everybody heard of the result
                    asyncio.get_running_loop().call_soon(self._tell_late)
                self._late[event.result.key] = None
                if event.run_id in self._others_runs:
                    self._unlike.add(event.result.key)

    def emit_late_ones(self) -> bool:
        """Emit all that is due, if results of the last run were due when they came."""
        has_late_ones = self._has_late_ones
        if has_late_ones:
            self._emit()
        return has_late_ones

    def _tell_late(self) -> None:
        late, self._late = self._late, {}
        cases = tuple(self._cases[key] for key in late if key in self._cases)
        self._state.events.emit(ResultsCameStale(self.agent.name, cases))

    @property
    def has_unlike(self) -> bool:
        """Whether another process brought results that were made of other files than are read here,
        or under other settings, and nobody took them up yet."""
        return not self._unlike.isdisjoint(self._cases)

    def take_unlike(self) -> frozenset[CaseKey]:
        """The cases of those results, once."""
        unlike, self._unlike = self._unlike, set()
        return frozenset(unlike & self._cases.keys())

    def miss_answers(self, keys: Iterable[CaseKey], *, by_save: bool) -> None:
        """There is nothing left of these to judge again: they have to be asked again.

        `by_save`: a save had them judged, which counts with those that came meanwhile.
        """
        for key in keys:
            if key in self._cases:
                self._cases[key] = replace(self._cases[key], degree=Degree.AFFECTED)
                self.of_save.miss_answer(self._cases[key], by_save=by_save)
                self._has_late_ones = True

    def release(self, keys: Iterable[CaseKey], *, by_save: bool) -> None:
        """What these waited for is there, maybe by what was saved: they are to be run."""
        for key in keys:
            if key not in self._cases:
                self._cases[key] = DueCase(key, Degree.AFFECTED, (_RELEASED,))
                if by_save:
                    self.of_save.cases[key] = self._cases[key]
                self._has_late_ones = True

    def close(self) -> None:
        self._state.events.remove_sink(self)

    def _let_go(self, before: Project | None) -> None:
        """Forget what is due of cases that are not there any more; `before` had them last."""
        rows = self._board.rows
        if before is not None:
            self.of_save.let_go(self._cases.keys() - rows.keys(), before)
        self._cases = {key: case for key, case in self._cases.items() if key in rows}

    def _compare_one(self, result: CaseResult, project: Project) -> DueCase | None:
        row = self._board.rows.get(result.key)
        if row is None or project.suite(row.suite.id) is not row.suite:
            self._uncompared.add(result.key)  # read again already: the next comparison looks at it
            return None
        self._inputs_of = self._inputs_of or InputsOf(project, self.agent)
        return due_case(row.case, row.suite, result, self._inputs_of)

    def _in_file_order(self, keys: Iterable[CaseKey]) -> list[CaseKey]:
        rows = self._board.rows
        found = (row for key in keys if (row := rows.get(key)) is not None)
        return [row.key for row in sorted(found, key=_PLACE)]

    def _inputs(self, key: CaseKey) -> Inputs | None:
        row = self._board.rows.get(key)
        return row.result.inputs if row is not None and row.result is not None else None

    def _mark(self, key: CaseKey, due: DueCase | None) -> None:
        if due is None:
            self._cases.pop(key, None)
        else:
            self._cases[key] = due

    def _emit(self, trigger: tuple[str, ...] = ()) -> None:
        self._has_late_ones = False
        total, saved = len(self._board.rows), self.saved
        self._state.events.emit(CasesStale(self.agent.name, self.cases, total, trigger, saved))
