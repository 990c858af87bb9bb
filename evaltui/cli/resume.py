"""`evaltui run --resume`: the rest of an interrupted run, reported with what it had done.

What was finished is not asked again, single trials included; its results count for the reports and
the exit code as if the run had not been interrupted.
"""

import asyncio
import sys
from collections.abc import Collection, Set

from evaltui.core.case import CaseKey
from evaltui.core.errors import UserError
from evaltui.core.events import RunFinished
from evaltui.disk.last_run import LastRun
from evaltui.session import Session, fresh_pins
from evaltui.session.run_request import RunRequest

_REASON = "resumed"


async def resume(session: Session, keys: Collection[CaseKey]) -> list[RunFinished]:
    """Run what of `keys` the last runs of the agents left, for each agent on its own.

    Raises UserError when no agent's last run was interrupted.
    """
    last_run = session.history.last_run
    runs = {agent: await asyncio.to_thread(last_run, agent) for agent in session.agents}
    known = [run for run in runs.values() if run is not None]
    if not any(run.is_interrupted for run in known):
        what = "No run was interrupted, so there is nothing to go on with."
        raise UserError(what, "Run without --resume to run it all again.")
    if any(run.is_interrupted and run.started.reason == fresh_pins.REASON for run in known):
        said = "Going on makes the trials that are left, and pins nothing"
        sys.stderr.write(f"{said}: {fresh_pins.HOW_TO_PIN}.\n")
    began = min(run.started.started_at for run in known if run.is_interrupted)
    for agent, run in runs.items():
        # The limit is that of the whole run: of all that asked then.
        if run is not None and (run.is_interrupted or run.ended_at >= began):
            session.take_over(agent, run.spent)
    # An agent that was not even begun with was to run what the others were.
    about = {key for run in known for key in run.cases}
    rest: dict[str, RunRequest] = {}
    for agent, run in runs.items():
        wanted = [key for key in keys if key in (run.cases if run is not None else about)]
        await _judge_again(session, agent, wanted)
        rest[agent] = _rest(session, agent, run, wanted)
    return list(await session.go_on(rest))


def _rest(
    session: Session, agent: str, run: LastRun | None, wanted: Collection[CaseKey]
) -> RunRequest:
    stale, done = _stale(session, agent, wanted), run.finished if run is not None else frozenset()
    left = [key for key in wanted if key in stale or key not in done]
    return RunRequest(
        dict.fromkeys(left),
        _REASON,
        trials=run.started.trials if run is not None else session.config.trials,
        resumed=tuple(key for key in wanted if key in done and key not in stale),
        attempts=run.attempts if run is not None else {},
        spent=run.spent if run is not None else None,
    )


async def _judge_again(session: Session, agent: str, wanted: Collection[CaseKey]) -> None:
    """Results whose checks changed since, by their kept answers: nobody is asked for those."""
    asked = _stale(session, agent, wanted)
    if judged := _stale(session, agent, wanted, to_judge=True) - asked:
        await session.run(judged, agents=(agent,), reason=_REASON, is_rejudging=True)


def _stale(
    session: Session, agent: str, wanted: Collection[CaseKey], *, to_judge: bool = False
) -> Set[CaseKey]:
    """Those of `wanted` that are stale, in order; with `to_judge` those to be judged again too."""
    stale = frozenset(session.requests.stale_keys(agent, to_judge=to_judge))
    return {key: None for key in wanted if key in stale}.keys()
