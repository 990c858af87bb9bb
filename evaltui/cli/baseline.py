"""`evaltui baseline`: pin, unpin, list and diff the results that later runs are compared with."""

import asyncio
import sys
from argparse import Namespace
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from evaltui.cli.baseline_lines import NOT_COMPARED, NOTHING, changes_of, document, marks_of, words
from evaltui.cli.baseline_refusals import is_unreadable, refusals_said
from evaltui.cli.baseline_trials import LEFT, offer_trials, pin_fresh
from evaltui.cli.complaint import complain_of
from evaltui.cli.damage_said import DamageSaid
from evaltui.cli.exit_code import ExitCode
from evaltui.cli.flags import AddCommand, add_json, add_project_flags
from evaltui.cli.renamed import tell_renamed
from evaltui.cli.selection import files_of, select
from evaltui.cli.settings import read_settings
from evaltui.core.baseline import Change, pin_moments
from evaltui.core.case import CaseKey
from evaltui.core.config import Config
from evaltui.core.did_you_mean import few
from evaltui.core.errors import Severity, UserError
from evaltui.core.paired_runs import PairedRuns
from evaltui.disk.baselines.pins import DEFAULT, UNREADABLE
from evaltui.disk.results.results_folder import files_of_run
from evaltui.process import cancel_on_signals
from evaltui.project import left_out, refuse_untrusted
from evaltui.reporters.ansi import json_text, plain
from evaltui.session import Session
from evaltui.session.uncompared import Uncompared, uncompared
from evaltui.store.against_baseline import against_baseline

ACTIONS = {
    "pin": "make the last results the baseline",
    "unpin": "forget a baseline",
    "move": "move what is pinned to the new names of renamed files and cases",
    "list": "show what is pinned",
    "diff": "compare the last results with the baseline",
}


def add(add_command: AddCommand) -> None:
    parser = add_command("baseline", help="pin, unpin, list and compare baselines")
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    for name, text in ACTIONS.items():
        action = actions.add_parser(name, help=text)
        action.add_argument("paths", nargs="*", metavar="PATH", help="eval files; default: all")
        action.add_argument("--name", default=DEFAULT, help="name of the baseline")
        action.add_argument(
            "--filter", metavar="TEXT", help="cases whose id, description or tool contains TEXT"
        )
        add_json(action)
        add_project_flags(action)
        if name == "unpin":
            what = "only cases that are deleted: those that are neither in their files nor renamed"
            action.add_argument("--gone", action="store_true", help=what)
        if name == "pin":
            what = "with --trials: agree to the cost without being asked"
            action.add_argument("--yes", "-y", action="store_true", help=what)


def run(flags: Namespace) -> int:
    """Do the action for every agent in force. The exit code of `diff` is 1 when something
    regressed or ended in an error, else 2 where a pinned case has no result, or another name by
    now; that of `pin --trials` is 1 where it left cases out, and 2 where a limit ended it; that of
    each is 2 where what is pinned cannot be read."""
    heard: list[int] = []
    try:
        return asyncio.run(_run(flags, heard))
    except asyncio.CancelledError:
        return 128 + heard[0] if heard else ExitCode.TERMINATED


async def _run(flags: Namespace, heard: list[int]) -> int:
    cancel_on_signals(heard)
    settings = read_settings(flags, paths=files_of(flags.paths))
    asks = flags.action == "pin" and bool(getattr(flags, "trials", None))
    if asks:
        refuse_untrusted(settings.config)
    for problem in left_out(settings.config):
        sys.stderr.write(f"{plain(str(problem))}\n")
    config = _without_baseline(settings.config, flags)
    session = Session(config, overrides=settings.overrides, problems=settings.problems)
    session.add_sink(DamageSaid())
    try:
        await session.open(is_strict=True, may_lack_secrets=not asks)
        keys = select(session, flags)
        rows: list[dict[str, object]] = []
        missed: list[Uncompared] = []
        is_partial = False
        if flags.name != DEFAULT:
            await _use(session, flags)
        for agent in session.agents:
            if flags.action == "diff":
                await session.evidence(agent).load()
                if one := uncompared(agent, keys, session.store, session.baselines):
                    missed.append(one)
                    sys.stderr.write(f"{plain(str(one))}.\n")
                is_partial |= tell_renamed(session, agent, keys)
                is_partial |= _tell_unrun(session, agent, keys)
            rows += await _act(session, flags, agent, keys)
        mistakes = [
            one
            for one in session.store.problems.others
            if one.severity is Severity.ERROR
            and (is_unreadable(one) or (asks and one.code != UNREADABLE))
        ]  # `asks`: as a limit that ended the run
    finally:
        await session.close()
    wholes = [*_wholes(session, keys)] if flags.action == "diff" else []
    if flags.json:
        paired = ({"agent": agent, "paired": whole.document()} for agent, whole in wholes)
        sys.stdout.write(json_text([*map(document, rows), *paired], indent=2) + "\n")
    else:
        marks = marks_of(session) if flags.action == "diff" else {}
        for row in rows:
            sys.stdout.write(plain("  ".join(words(row, marks))) + "\n")
        if not (rows or missed or is_partial):
            sys.stdout.write(NOTHING[flags.action] + "\n")
        for agent, whole in wholes:
            said = "; ".join(whole.lines())
            sys.stdout.write(plain(f"`{agent}` against its baseline: {said}") + "\n")
    if mistakes:
        complain_of(mistakes, is_json=flags.json)
        return ExitCode.USAGE
    is_left = any(row.items() >= LEFT.items() for row in rows)
    has_failed = any(row.get("change") in (Change.REGRESSED, NOT_COMPARED) for row in rows)
    if has_failed or is_left:
        return ExitCode.FAILED
    return ExitCode.USAGE if is_partial else ExitCode.OK


def _without_baseline(config: Config, flags: Namespace) -> Config:
    """Without the name that the settings compare with, where the command is about another or all:
    so it can be pinned though the settings name it already. A run that they name stays."""
    name, folder = config.baseline_run_id or "", config.root / config.output_dir
    is_of_settings = flags.action in ("move", "diff") and flags.name == DEFAULT
    if is_of_settings or files_of_run(folder, name):
        return config
    return replace(config, baseline_run_id=None)


async def _use(session: Session, flags: Namespace) -> None:
    """Put the baseline that is named in force for each agent. Raises UserError where nothing at all
    is pinned under that name, unless it is to be pinned."""
    baselines = session.baselines
    for agent in session.agents:
        await baselines.use(flags.name, agent)
    if flags.action == "pin" or any(map(baselines.pinned_agents, session.agents)):
        return
    names = sorted({name for agent in session.agents for name in baselines.names(agent)})
    known = f"Pinned are: {', '.join(f'`{name}`' for name in names)}."
    hint = known if names else "Pin the last results first: `evaltui baseline pin`."
    raise UserError(f"Nothing is pinned as `{flags.name}`.", hint)


def _tell_unrun(session: Session, agent: str, keys: Sequence[CaseKey]) -> bool:
    """Say of which pinned cases there is no result yet, as after a move: nothing is compared.
    Returns whether there are any."""
    board = session.store.board(agent).rows
    rows = [row for key in keys if (row := board.get(key)) and row.baseline and not row.result]
    found = [row.key for row in rows if not row.muted]
    if found:
        which = "1 pinned case" if len(found) == 1 else f"{len(found):,} pinned cases"
        has = "has no result yet and was" if len(found) == 1 else "have no result yet and were"
        said = f"{which} of `{agent}` {has} not compared: {few([*map(str, found)])}"
        sys.stderr.write(f"{plain(said)}. Run what is missing: `evaltui run`.\n")
    return bool(found)


def _wholes(session: Session, keys: Sequence[CaseKey]) -> Iterator[tuple[str, PairedRuns]]:
    """How each agent does against its baseline over all cases."""
    chosen = frozenset(keys)
    for agent in session.agents:
        board, fresh = session.store.board(agent), session.evidence(agent).fresh
        if whole := against_baseline(board, session.store.suites, chosen, fresh):
            yield agent, whole


async def _act(
    session: Session, flags: Namespace, agent: str, keys: Sequence[CaseKey]
) -> list[dict[str, object]]:
    board = session.store.board(agent)
    match flags.action:
        case "pin" if getattr(flags, "trials", None):
            return await pin_fresh(session, flags, agent, keys)
        case "pin":
            known = [key for key in keys if (row := board.rows.get(key)) and row.result]
            if not known:
                raise UserError(
                    f"There are no results of `{agent}` to pin.", "Run them first: `evaltui run`."
                )
            done = {"action": "pinned", "agent": agent, "name": flags.name, "cases": len(known)}
            with refusals_said(session):
                await session.baselines.pin(known, agent, flags.name)
            offer_trials(session, agent, known)
            return [done]
        case "unpin":
            pinned = [key for key in keys if (row := board.rows.get(key)) and row.baseline]
            if flags.gone:
                pinned = _gone(session, flags, agent)
            with refusals_said(session):
                await session.baselines.unpin(pinned, agent, flags.name)
            done = {"action": "unpinned", "agent": agent, "name": flags.name, "cases": len(pinned)}
            return [done] if pinned else []
        case "move":
            return await _move(session, agent, set(keys))
        case "list":
            in_force = board.standards.baselines.values()
            # A name that was asked for is in force by now; without one all names are listed.
            beside = session.baselines.beside(agent) if flags.name == DEFAULT else ()
            return [
                {
                    "agent": agent,
                    "name": one.name,
                    "suite": one.suite,
                    "run": one.run_id,
                    "cases": len(one.cases),
                    "pinned": pin_moments((one,)),
                }
                for one in (*in_force, *beside)
            ] + [
                {
                    "agent": pin.agent,
                    "name": pin.name,
                    "suite": pin.suite,
                    "run": pin.run_id,
                    "note": f"not compared with {agent}; `evaltui baseline pin` pins it again",
                }
                for pin in session.baselines.of_other_versions(agent)
            ]
        case _:
            return changes_of(session, agent, set(keys))


def _gone(session: Session, flags: Namespace, agent: str) -> list[CaseKey]:
    """Raises UserError where cases are chosen by what deleted ones do not have."""
    if flags.paths or flags.filter:
        raise UserError(
            "`--gone` is about all deleted cases.", "Leave out the paths and `--filter`."
        )
    session.baselines.find_left_behind(session.project)
    return sorted(session.baselines.gone(agent))


async def _move(session: Session, agent: str, keys: set[CaseKey]) -> list[dict[str, object]]:
    found = session.baselines.find_left_behind(session.project)
    moves = session.baselines.moved_cases(agent) if found else {}
    chosen = {old: new for old, new in moves.items() if new in keys}
    with refusals_said(session):
        await session.baselines.move(agent, chosen)
    return [
        {"action": "moved", "agent": agent, "from": str(old), "to": str(new)}
        for old, new in chosen.items()
    ]
