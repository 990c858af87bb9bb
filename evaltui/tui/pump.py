"""From events to the screen: notes that something changed, shows it at most 30 times a second."""

import asyncio
from collections.abc import Callable

from evaltui.core.events import (
    CaseFinished,
    CasesStale,
    CaseStarted,
    Event,
    ProjectRead,
    RunFinished,
    RunStarted,
    ToolCalled,
    TurnFinished,
)
from evaltui.core.frame import FRAME_S
from evaltui.core.staleness import Degree
from evaltui.store.changes import Changes
from evaltui.store.store import Store

FLOOD = 500
"""Rows a second that change: nobody can follow them, and what paints is taken from what runs. A
sixth as many paints show them, but for the last result of a run."""
FLOOD_PERIODS = 6
BEGINNINGS = (ProjectRead, CasesStale, RunStarted, CaseStarted, ToolCalled, TurnFinished)
"""What mostly has a result a moment later: painted by itself, it would have that wait."""
READING_PERIODS = 3
"""For which a reading waits: what it makes of thousands of results takes longer than one."""
JUDGING_PERIODS = FLOOD_PERIODS
"""For which kept answers that are judged again wait: nobody is asked, so that many come at once,
and what paints is taken from the others."""
FIRST_JUDGED_PERIODS = 2 * JUDGING_PERIODS
"""For which the first of them wait: a thousand take little longer, also by an evaluator."""
LONGEST_WAIT = 3
"""Periods for which results give way to keys."""


class Pump:
    """A sink. At rest while nothing changes; the first change after a rest shows at once.

    Only `BEGINNINGS` wait, to be shown together with what follows from them: for one period, and a
    reading of the project for `READING_PERIODS`; so does, from when it is known, that a save has
    kept answers judged again. Those wait for `JUDGING_PERIODS`, the first of them for
    `FIRST_JUDGED_PERIODS`, or for the last.
    """

    def __init__(self, store: Store, show: Callable[[Changes], None]) -> None:
        self._store = store
        self._show = show
        self._changes = store.reader()
        self._loop = asyncio.get_running_loop()
        self._last = 0.0
        """When something was shown last, by the loop's clock, or nothing (`_last_idle`)."""
        self._last_idle = 0.0
        self._period = FRAME_S
        self._timer: asyncio.TimerHandle | None = None
        self._waits_for_more = False
        """Whether only beginnings are to be shown."""
        self._open: dict[str, int] = {}
        """How many results of each run are still to come."""
        self._judging: set[str] = set()
        """Runs that judge kept answers again."""
        self._given_way = 0
        self._is_stopped = False
        self.flushes = 0

    def handle(self, event: Event) -> None:
        """Called on the loop's own thread, for every event, after the store took it in."""
        if self._is_last(event):
            self._period = FRAME_S
            self.wake()
        elif self._is_of_judging(event):
            if isinstance(event, RunStarted):
                self._wait(FIRST_JUDGED_PERIODS, is_longer=True)
            elif self._timer is None:
                self._wait(JUDGING_PERIODS)
        elif isinstance(event, CasesStale) and _is_judged_next(event):
            self._wait(READING_PERIODS, is_longer=True)
        elif isinstance(event, BEGINNINGS):
            self._wait(READING_PERIODS if isinstance(event, ProjectRead) else 1)
        else:
            self.wake()

    def _is_last(self, event: Event) -> bool:
        """Whether no further result of its run follows."""
        match event:
            case CaseFinished(run_id=run_id) if run_id in self._open:
                self._open[run_id] -= 1
                return self._open[run_id] == 0
            case RunStarted(run_id=run_id, cases=cases):
                self._open[run_id] = len(cases)
                if event.is_rejudging:
                    self._judging.add(run_id)
            case RunFinished(run_id=run_id):
                self._open.pop(run_id, None)
                self._judging.discard(run_id)
                return True
            case _:
                pass
        return False

    def _is_of_judging(self, event: Event) -> bool:
        return isinstance(event, CaseFinished | RunStarted) and event.run_id in self._judging

    def _wait(self, periods: int, *, is_longer: bool = False) -> None:
        """Show the change together with those that follow, at the latest after `periods`.

        Changes that are waiting already are not delayed by it, unless `is_longer`: then they wait
        for the same time.
        """
        if self._timer is not None and not self._waits_for_more:
            return
        at = max(self._loop.time() + periods * FRAME_S, self._last + self._period)
        if self._timer is None or is_longer or self._timer.when() > at:
            self._waits_for_more = True
            self._show_at(at)

    def read_from(self, store: Store) -> None:
        """Show what changes in another store from now on."""
        self._store.forget(self._changes)
        self._store, self._changes = store, store.reader()

    def wake(self) -> None:
        """Something is to be shown: see to it within a period."""
        at = self._next
        is_later = self._timer is not None and not self._given_way and self._timer.when() > at
        if self._timer is None or self._waits_for_more or is_later:
            self._show_at(at)
            self._waits_for_more = False

    @property
    def _next(self) -> float:
        """When to show what there is. What the store knows does not wait for a cursor that moved
        a moment ago, with which nothing changed."""
        last = self._last if self._changes else max(self._last, self._last_idle)
        return max(self._loop.time(), last + self._period)

    def _show_at(self, time: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None if self._is_stopped else self._loop.call_at(time, self.flush)

    def give_way(self) -> None:
        """A key was pressed: what it changes is painted first, results a period later."""
        if self._timer is not None and self._given_way < LONGEST_WAIT:
            self._given_way += 1
            self._show_at(self._loop.time() + FRAME_S)

    def flush(self) -> None:
        """Show everything that changed since the last time."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._waits_for_more = False
        self._given_way = 0
        changes, self._changes = self._store.drain(self._changes)
        if changes:
            before, self._last = self._last, self._loop.time()
            rows = sum(map(len, changes.rows.values()))
            is_flood = rows > FLOOD * (self._last - before)
            self._period = FRAME_S * (FLOOD_PERIODS if is_flood else 1)
        else:
            self._last_idle, self._period = self._loop.time(), FRAME_S
        self.flushes += 1
        self._show(changes)

    def stop(self) -> None:
        """The screen is gone: show nothing more."""
        self._is_stopped = True
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


def _is_judged_next(event: CasesStale) -> bool:
    """Whether a save made kept answers due to be judged again: mostly they are right after it."""
    return any(case.degree is Degree.TO_JUDGE for case in event.by_save or ())
