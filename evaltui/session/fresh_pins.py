"""Trials that are made to be pinned: whatever they come to, they count for the baseline."""

import asyncio
from collections.abc import Collection, Mapping

from msgspec import Struct

from evaltui.core.case import CaseKey
from evaltui.core.errors import UserError
from evaltui.core.events import RunEnd
from evaltui.core.result import CaseStatus
from evaltui.core.statistics.trials import Trials
from evaltui.session.agent_queues import AgentQueues
from evaltui.session.baselines import Baselines
from evaltui.session.project_state import ProjectState
from evaltui.session.running.run_request import RunRequest

USUAL_TRIALS = 20
REASON = "fresh trials to pin"
"""Of a run that makes them: what is left of one that was broken off pins nothing."""
HOW_TO_PIN = f"`evaltui baseline pin --trials {USUAL_TRIALS}` makes fresh trials anew"


class FreshPin(Struct, frozen=True):
    """What came of making them."""

    pinned: dict[CaseKey, Trials]
    left: dict[CaseKey, str]
    """Cases that were not pinned, with why: none of their trials could be judged."""
    fewer: Mapping[CaseKey, str] = {}
    """Those that were pinned with fewer trials than were made, with why the last of these could not
    be judged."""


class FreshPins:
    """Runs cases so often, and pins what came of it. Somebody agreed to the cost."""

    def __init__(self, state: ProjectState, queues: AgentQueues, baselines: Baselines) -> None:
        self._state = state
        self._queues = queues
        self._baselines = baselines

    def why_not(self, agent: str) -> str:
        """Why no fresh trials can be made of this agent, without a full stop; empty: they can."""
        found = self._queues.by_name.get(agent)
        if found is None:
            return f"`{agent}` is not under test"
        if found.configured.lacks:
            return found.configured.lacks
        if found.agent.traits.is_deterministic:
            return f"`{agent}` answers the same way every time: its trials are not weighed"
        if self._state.config.recordings == "auto":
            return "recorded answers are not fresh trials: turn `cassettes` off, or `record`"
        return "a run is on: wait for its end" if found.is_busy else ""

    def asked(self, keys: Collection[CaseKey], agent: str) -> tuple[CaseKey, ...]:
        """Those of the cases that take trials: what is read is the same every time."""
        queue = self._queues.by_name.get(agent)
        rows = {} if queue is None else queue.board.rows
        return tuple(key for key in keys if key in rows and rows[key].case.asks_agent)

    async def pin(
        self, keys: Collection[CaseKey], agent: str, trials: int, name: str = ""
    ) -> FreshPin:
        """Pins those that could be judged. Raises UserError where nothing can be run or was judged,
        or the run was cut short, and OSError."""
        if why := self.why_not(agent):
            raise UserError(f"Nothing was pinned: {why}.", "Without fresh trials it can be.")
        await asyncio.to_thread(self._baselines.refuse_unreadable, keys, agent, name)
        queue = self._queues.by_name[agent]
        begun = await asyncio.to_thread(
            self._baselines.begin, queue.agent, self.asked(keys, agent), trials
        )
        asked_at = asyncio.get_running_loop().time()
        request = RunRequest(dict.fromkeys(keys), REASON, trials=trials, asked_at=asked_at)
        (run,) = await self._queues.execute({queue: request})
        if run.end is not RunEnd.COMPLETED:
            raise UserError(f"Nothing was pinned: the run was {run.end}.", "Pin again.")
        cases = (case for suite in run.suites for case in suite.cases)
        results = [one for one in cases if one.run_id == run.run_id and one.key in keys]
        # A pass of nothing is pinned as well, though it is no trial.
        fresh = {
            one.key: of
            for one in results
            if (of := one.trials_made).count or one.status is CaseStatus.PASSED
        }
        if not fresh:
            none = "no case was judged"
            if not results and trials > 1:  # a limit ended the run: answers may have come
                none = f"no case got all of its {trials:,} trials"
            why = next((one.error for one in results if one.error), none)
            what = f"Nothing was pinned: {why.rstrip('.')}."
            raise UserError(what, "Mend that, and pin again.")
        await self._baselines.pin(fresh, agent, name, fresh=fresh, begun=begun)
        reasons = {one.key: one.error or "it was not judged" for one in results}
        left = (key for key in keys if key not in fresh)
        return FreshPin(
            fresh,
            {key: reasons.get(key, "its trials were not all made") for key in left},
            {one.key: one.unjudged for one in results if one.key in fresh and one.unjudged},
        )
