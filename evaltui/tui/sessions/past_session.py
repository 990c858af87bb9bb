"""The board as an earlier run left it: read from the history, never changed."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from evaltui.core.comparison import EXPLAINED_BY_PREVIOUS_CALLS, effect_of, is_explained_by_calls
from evaltui.core.events import (
    BaselinePinned,
    CaseFinished,
    DetailLoaded,
    Event,
    EvidenceWeighed,
    ProjectRead,
    ResultsLoaded,
    RunFinished,
    RunStarted,
)
from evaltui.core.watch_state import WatchState
from evaltui.tui.render.words import moment_of
from evaltui.tui.sessions.offline_session import OfflineSession
from evaltui.tui.sessions.session_protocol import board_of

if TYPE_CHECKING:
    from evaltui.core.case import CaseKey
    from evaltui.core.paired_runs import PairedRuns
    from evaltui.core.result import CaseResult
    from evaltui.disk.history.history_queries import HistoryEntry
    from evaltui.disk.history.history_timeline import TimelinePoint
    from evaltui.disk.history.past_results import PastResults
    from evaltui.expectations.call_diff import DiffTarget
    from evaltui.tui.sessions.session_protocol import SessionProtocol


_MUTED_THEN = "muted then"
_LONGEST_READ_S = 1.0
"""After so long no more results are read whole: somebody waits for the board."""


class PastSession(OfflineSession):
    """Cases, tools and baselines are those of now, the results those of a point in time.

    What ran since `since`, or in the run itself, differs from what was known before it.
    """

    def __init__(
        self,
        live: SessionProtocol,
        agent: str,
        at: TimelinePoint,
        since: TimelinePoint | None = None,
    ) -> None:
        """Reads the history, so that it is to be made in a thread. Raises HistoryError."""
        super().__init__(live.config)
        self.state = WatchState.PAST
        self.agents = (agent,)
        self.at, self.since = at, since
        self._live = live
        self._details: set[asyncio.Task[None]] = set()
        found = self._with_calls(live.history.results_between(agent, since, at))
        self.whole = self._as_a_whole(found) if since is not None else None
        """Of the cases that ran between two points: how much they differ, and how surely."""
        self._fill(found)

    @property
    def title(self) -> str:
        """`#12 18:04`, or `#8 to #12` where two are compared."""
        if self.since is not None:
            return f"#{self.since.number} to #{self.at.number}"
        return f"#{self.at.number} {moment_of(self.at.at, time.time())}"

    @property
    def why_not_run(self) -> str:  # type: ignore[override]
        return f"this is the board of run {self.title}; Esc returns to now"

    def past(self, key: CaseKey, agent: str, limit: int = 20) -> Sequence[HistoryEntry]:
        """Only what was known then."""
        return [
            one for one in self._live.past(key, agent, 1 << 10) if one.finished_at <= self.at.at
        ][:limit]

    def earlier(self, key: CaseKey, agent: str, target: DiffTarget) -> CaseResult | None:
        from evaltui.expectations.call_diff import DiffTarget

        if target is DiffTarget.BASELINE:
            return self._live.earlier(key, agent, target)
        row = self.store.board(agent).rows.get(key)
        if row is not None and row.before is not None:
            return self._live.history.whole(key, row.before.run_id)
        before = self.past(key, agent, 2)[1:]
        return self._live.history.whole(key, before[0].run_id) if before else None

    def load_detail(self, key: CaseKey, agent: str) -> None:
        """Asks for verdicts and answer of the result of then."""
        task = asyncio.create_task(self._load_detail(key, agent))
        self._details.add(task)
        task.add_done_callback(self._details.discard)

    async def _load_detail(self, key: CaseKey, agent: str) -> None:
        row = self.store.board(agent).rows.get(key)
        if row is not None and row.result is not None:
            whole = await asyncio.to_thread(self._live.history.whole, key, row.result.run_id)
            if whole is not None:
                self.emit(DetailLoaded(agent, whole))

    def _with_calls(self, found: PastResults) -> PastResults:
        """With the calls of those of which they say why they are as they are, and of the results
        before where they are held against those, or stand and are of runs of which the history does
        not say it: rows tell the difference."""
        before = {result.key: result for result in found.before}
        since: list[CaseResult] = []
        until = time.perf_counter() + _LONGEST_READ_S
        for result in found.since:
            earlier = before.get(result.key)
            effect = effect_of(earlier, result)
            is_explained = is_explained_by_calls(result, effect) and time.perf_counter() < until
            since.append(self._whole(result) if is_explained else result)
            if is_explained and earlier is not None and effect in EXPLAINED_BY_PREVIOUS_CALLS:
                before[result.key] = self._whole(earlier)
        ran = {result.key for result in since}
        for result in found.before:
            if result.key in ran or result.in_short or not is_explained_by_calls(result, None):
                continue
            if time.perf_counter() >= until:
                break
            before[result.key] = self._whole(result)
        return replace(found, before=tuple(before.values()), since=tuple(since))

    def _as_a_whole(self, found: PastResults) -> PairedRuns | None:
        from evaltui.core.paired_runs import paired_results

        before = {result.key: result for result in found.before}
        now = {
            result.key: result
            for result in sorted(found.since, key=lambda result: result.finished_at)
        }
        store = self._live.store
        return paired_results(before, now, store.suites, _mutes_of_then(store.mutes, found))

    def _whole(self, result: CaseResult) -> CaseResult:
        """As it is where it is whole, or where its file and its journal are gone."""
        if result.response is not None:
            return result
        whole = self._live.history.whole(result.key, result.run_id)
        if whole is None:
            return result
        return replace(
            result, response=whole.response, verdicts=whole.verdicts, error=whole.error, in_short=""
        )

    def _fill(self, found: PastResults) -> None:
        """Let the store hear what was known before, and then the run."""
        store, at = self._live.store, self.at
        # What lies between two points was the work of several runs.
        trigger, reason = (at.trigger, at.reason) if self.since is None else ((), "")
        agent = self.agents[0]
        pinned = tuple(board_of(self._live, agent).standards.baselines.values())
        since = sorted(found.since, key=lambda result: result.finished_at)
        # Between two points nobody told anything: what stood is held against what stands.
        reported = found.reported if self.since is None else {}
        events: tuple[Event, ...] = (
            ProjectRead(
                store.suites,
                store.registry,
                (),
                trigger,
                at=at.at,
                mutes=_mutes_of_then(store.mutes, found),
                sampled=tuple(store.sampled),
            ),
            ResultsLoaded(agent, found.before, found.strips, at.number),
            BaselinePinned(agent, pinned[0].name if pinned else "", pinned),
            RunStarted(
                at.run_id,
                agent,
                at.number,
                tuple(result.key for result in since),
                reason,
                trigger,
                started_at=at.started_at,
                is_rejudging=at.is_rejudging and self.since is None,
                told={str(key): one.effect for key, one in reported.items()},
                total=at.cases if self.since is None else 0,
            ),
            *(CaseFinished(at.run_id, result) for result in since),
            RunFinished(at.run_id, agent, at.end, at.at - at.started_at, finished_at=at.at),
            # With the verdicts of runs that lie between.
            ResultsLoaded(agent, found.since, found.strips_since, at.number),
            EvidenceWeighed(agent, found.proofs, 0, is_whole=True),
        )
        for event in events:
            self.emit(event)


def _mutes_of_then(now: Mapping[str, str], found: PastResults) -> dict[str, str]:
    """Reasons by `suite::case`; where what was muted then is not kept: as each result's run told,
    and where nothing was told of a case, as it is muted now."""
    if found.muted is not None:
        return {name: now.get(name, _MUTED_THEN) for name in sorted(found.muted)}
    muted = {str(key): one.is_muted for key, one in found.reported.items()}
    then = {name: now.get(name, _MUTED_THEN) for name, is_muted in muted.items() if is_muted}
    return {name: reason for name, reason in now.items() if name not in muted} | then
