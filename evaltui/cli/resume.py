"""`evaltui run --resume`: the rest of an interrupted run, reported together with its first part.

What was finished is not asked again, single trials included; its results count for the reports and
the exit code as if the run had not been interrupted.
"""

import asyncio
import sys
from collections.abc import Collection, Iterable, Mapping, Set

from msgspec.structs import replace

from evaltui.core.agent_name import settings_name
from evaltui.core.case import CaseKey
from evaltui.core.did_you_mean import few
from evaltui.core.errors import Severity, UserError
from evaltui.core.events import RunFinished
from evaltui.core.result import FAILING
from evaltui.core.spent import Spent
from evaltui.disk.last_run import LastRun
from evaltui.files import is_file
from evaltui.reporters.ansi import plain
from evaltui.session import Session, fresh_pins
from evaltui.session.running.run_request import RunRequest

_REASON = "resumed"


async def resume(
    session: Session,
    keys: Collection[CaseKey],
    *,
    confirms: bool,
    names_agents: bool = False,
    names_files: bool = False,
) -> list[RunFinished]:
    """Run what of `keys` the last runs of the agents left, for each agent on its own. With
    `confirms`, or where the interrupted run did so, what is undecided is tried again then.

    Raises UserError when no agent's last run was interrupted, where the interrupted one asked
    agents that are not among these, unless somebody `names_agents`, where cases of it are left out
    that may have failed (`names_files`: whether the command may be why), and where its journal is
    damaged, which may have told of a failure.
    """
    last_run = session.history.last_run
    runs = {agent: await asyncio.to_thread(last_run, agent) for agent in session.agents}
    known = [run for run in runs.values() if run is not None]
    if not any(run.is_interrupted for run in known):
        if other := await asyncio.to_thread(_another_interrupted, session):
            hint = f"Name it: `evaltui run --resume --agent {other}`."
            raise UserError(f"The interrupted run asked `{other}`.", hint)
        what = "No run was interrupted, so there is nothing to continue."
        raise UserError(what, "Run without --resume to run it all again.")
    if damage := [run.damage for run in known if run.is_interrupted and run.damage is not None]:
        raise UserError(
            "What the interrupted run had found is not fully known any more.",
            "Run without --resume to run it all again.",
            problems=[replace(one, hint="It may have told of a failure.") for one in damage],
        )
    if any(run.is_interrupted and run.started.reason == fresh_pins.REASON for run in known):
        said = "Continuing runs the remaining trials, and pins nothing"
        sys.stderr.write(f"{said}: {fresh_pins.HOW_TO_PIN}.\n")
    if others := await asyncio.to_thread(_others_of_the_command, session, known):
        asked = [*map(settings_name, session.agents), *others]
        what = f"The interrupted run asked {few(others)} too."
        hint = f"Continue with all: --resume {' '.join(f'--agent {name}' for name in asked)}."
        if not names_agents:
            raise UserError(what, hint)
        sys.stderr.write(f"{plain(what)} {plain(hint)}\n")
    _refuse_left_out(session, known, keys, names_files=names_files)
    await _refuse_gone_failures(session, runs)
    spent = session.interrupted.take_over(_spent(runs))
    # An agent that was not even begun with was to run what the others were.
    about = {key for run in known for key in run.cases}
    rest: dict[str, RunRequest] = {}
    for agent, run in runs.items():
        wanted = [key for key in keys if key in (run.cases if run is not None else about)]
        await _judge_again(session, agent, wanted)
        request = _rest(session, agent, run, wanted, spent.get(agent, Spent()))
        if confirms or any(one.is_interrupted and one.started.tries_again for one in known):
            request = replace(request, confirms="agreed")
        rest[agent] = request
    return list(await session.interrupted.go_on(rest))


def _others_of_the_command(session: Session, runs: Iterable[LastRun]) -> list[str]:
    """Agents that an interrupted command asked beside those of these runs, as the settings call
    them, and whose own part of it is unfinished."""
    commands = {run.command for run in runs if run.is_interrupted}
    others = [agent for agent in session.history.agents() if agent not in session.agents]
    found = ((agent, session.history.last_run(agent)) for agent in others)
    return [
        settings_name(agent)
        for agent, run in found
        if run is not None and run.is_interrupted and run.command in commands
    ]


def _another_interrupted(session: Session) -> str:
    """The agent in the settings whose last run was interrupted, though nobody asks it now."""
    history = session.history
    for agent in history.agents():
        run = history.last_run(agent) if agent not in session.agents else None
        if run is not None and run.is_interrupted:
            return settings_name(agent)
    return ""


def _refuse_left_out(
    session: Session, runs: Iterable[LastRun], keys: Collection[CaseKey], *, names_files: bool
) -> None:
    """Cases of interrupted runs that are still there and that nobody chose: what they came to would
    be forgotten, and with it a failure.

    Raises UserError for such cases, with the reason why they are left out.
    """
    suites = [suite for suite in session.store.suites if not suite.is_unread]
    chosen, read = frozenset(keys), {suite.id for suite in suites}
    there = {case.key for suite in suites for case in suite.cases}
    root = session.config.root
    left_out = tuple(
        key
        for run in runs
        if run.is_interrupted
        for key in run.cases
        if key not in chosen
        if key in there or (key.suite not in read and is_file(root / key.suite))
    )
    if not left_out:
        return
    some = f"`{left_out[0]}`" + (f" and {len(left_out) - 1:,} more" if left_out[1:] else "")
    about = f"The interrupted run was about {some} too,"
    unread = {key.suite: None for key in left_out if key.suite not in read}
    problems = session.store.problems.of_project
    if broken := [one for one in problems if one.file in unread and one.severity is Severity.ERROR]:
        files = few([*dict.fromkeys(one.file for one in broken)], 3)
        raise UserError(
            f"{about} and {files} cannot be read now.",
            "Correct that first, or run without --resume.",
            problems=broken,
        )
    if unread and not names_files:
        files = few([*unread], 3)
        raise UserError(
            f"{about} of eval files that are not among those that are read now.",
            f"Have `evals` in the settings name {files} again, or run without --resume.",
        )
    raise UserError(
        f"{about} which the flags leave out.",
        "Use --resume without --filter, --tier, --failed and paths that it did not have, or run"
        " without --resume.",
    )


async def _refuse_gone_failures(session: Session, runs: Mapping[str, LastRun | None]) -> None:
    """Cases of interrupted runs that are not there any more: those that failed would be forgotten,
    the others are told of. Whether one has another name now nobody knows.

    Raises UserError for such failures, unless they are muted.
    """
    there = {case.key for suite in session.store.suites for case in suite.cases}
    gone: dict[CaseKey, None] = {}
    failed: dict[CaseKey, None] = {}
    for agent, run in runs.items():
        if run is None or not run.is_interrupted:
            continue
        of_run = [key for key in run.cases if key not in there]
        gone |= dict.fromkeys(of_run)
        done = [
            key for key in of_run if key in run.finished and str(key) not in session.store.mutes
        ]
        known = await asyncio.to_thread(session.history.last_results, agent, done)
        failed |= {one.key: None for one in known.results if one.status in FAILING}
    if failed:
        raise UserError(
            f"The interrupted run had failures in cases that are gone: {_some(failed)}.",
            "Put them back under that name, or run without --resume.",
        )
    if gone:
        sys.stderr.write(
            plain(
                f"Gone since the interrupted run, and left out: {_some(gone)}. Cases that are new"
            )
            + " are not asked: run without --resume for all.\n"
        )


def _some(keys: Iterable[CaseKey]) -> str:
    return few([str(key) for key in keys], 3)


def _spent(runs: Mapping[str, LastRun | None]) -> dict[str, dict[str, Spent]]:
    """What is gone on with: by command, the last one first, what its runs tell that they spent."""
    known = [(agent, run) for agent, run in runs.items() if run is not None]
    interrupted = {run.command for _, run in known if run.is_interrupted}
    began = min(run.started.started_at for _, run in known if run.is_interrupted)
    found: dict[str, dict[str, Spent]] = {}
    for agent, run in sorted(known, key=lambda one: one[1].started.number, reverse=True):
        # The limit is that of the whole run: of all that asked then. Which those were, journals of
        # older versions do not say.
        is_older = not run.started.command and run.ended_at >= began
        if run.command in interrupted or is_older:
            found.setdefault(run.command, {})[agent] = run.spent
    return found


def _rest(
    session: Session, agent: str, run: LastRun | None, wanted: Collection[CaseKey], spent: Spent
) -> RunRequest:
    due, done = _due(session, agent, wanted), run.finished if run is not None else frozenset()
    left = [key for key in wanted if key in due or key not in done]
    started = run.started if run is not None else None
    by_outcome = started.by_outcome if started is not None else ()
    return RunRequest(
        dict.fromkeys(left),
        _REASON,
        trials=started.trials if started is not None else session.config.trials,
        resumed=tuple(key for key in wanted if key in done and key not in due),
        goes_on_from=run.first_number if run is not None else 0,
        attempts=run.attempts if run is not None else {},
        spent=spent,
        is_repeat=started is not None and started.is_repeat,
        by_outcome=frozenset(by_outcome),
        eval_id=started.eval_id if started is not None else "",
    )


async def _judge_again(session: Session, agent: str, wanted: Collection[CaseKey]) -> None:
    """Results whose checks changed since, by their kept answers: nobody is asked for those."""
    asked = _due(session, agent, wanted)
    if judged := _due(session, agent, wanted, to_judge=True) - asked:
        again = RunRequest(dict.fromkeys(judged), _REASON, is_rejudging=True, left=tuple(wanted))
        await session.interrupted.go_on({agent: again})


def _due(
    session: Session, agent: str, wanted: Collection[CaseKey], *, to_judge: bool = False
) -> Set[CaseKey]:
    """Those of `wanted` that are due, in order; with `to_judge` those to be judged again too."""
    due = frozenset(session.requests.due_keys(agent, to_judge=to_judge))
    return {key: None for key in wanted if key in due}.keys()
