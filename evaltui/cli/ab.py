"""`evaltui ab`: two states side by side: the tools of a commit and those of now, or two agents."""

import asyncio
import sys
from argparse import Namespace

from msgspec.structs import replace

from evaltui.cli.agreement import agree
from evaltui.cli.complaint import complain
from evaltui.cli.damage_said import DamageSaid
from evaltui.cli.exit_code import ExitCode
from evaltui.cli.flags import AddCommand, add_json, add_project_flags
from evaltui.cli.selection import files_of, select
from evaltui.cli.settings import read_settings
from evaltui.core.ab_reach import AbReach
from evaltui.core.ab_report import AbReport
from evaltui.core.ab_words import lines
from evaltui.core.agent_name import EMBEDDED
from evaltui.core.config import AgentProfile, Config
from evaltui.core.errors import UserError
from evaltui.process import cancel_on_signals
from evaltui.project import refuse_untrusted
from evaltui.reporters.ansi import json_text, plain
from evaltui.session import Session


def add(add_command: AddCommand) -> None:
    parser = add_command("ab", help="compare with another commit, or two agents, in one run")
    add = parser.add_argument
    add(
        "against",
        metavar="REF|PROFILE",
        help="commit to take the tool files from, or an agent's profile",
    )
    add("paths", nargs="*", metavar="PATH[::CASE]", help="eval files, folders or single cases")
    add("--filter", metavar="TEXT", help="cases whose id, description or tool contains TEXT")
    add(
        "--confirm",
        action="store_true",
        help="run undecided cases (↓?) again, not ↑?, as long as that can settle them",
    )
    add("--order", type=int, metavar="N", help="seed of the random order; shown in the report")
    add("--yes", "-y", action="store_true", help="agree to the cost without being asked")
    add_json(parser)
    add_project_flags(parser)


def run(flags: Namespace) -> int:
    """Exit code 1 when a case is proven to be worse now, or an attempt got no answer: what it would
    have shown is open. 2 when not all trials were made.

    Raises UserError.
    """
    settings = read_settings(flags, paths=files_of(flags.paths))
    config = _with_both(settings.config, flags.against)
    refuse_untrusted(config)
    session = Session(config, overrides=settings.overrides, problems=settings.problems)
    found: list[AbReport] = []
    heard: list[int] = []
    try:
        asyncio.run(_run(session, flags, found, heard))
    except asyncio.CancelledError:
        return 128 + heard[0] if heard else ExitCode.TERMINATED
    for report in found:
        text = json_text(report.document(), indent=2) if flags.json else _words(report)
        sys.stdout.write(f"{text}\n")
    for report in found:
        if report.compared_nothing:
            what = "Nothing was compared: no case has an answer from both sides."
            raise UserError(
                what, report.stopped or "The report says why; fix that, and compare again."
            )
    if cut_short := [report.cut_short for report in found if report.stopped]:
        if flags.json:
            complain(UserError(cut_short[0]), is_json=True)
        return ExitCode.USAGE
    is_bad = any(report.worse or report.incomplete for report in found)
    return ExitCode.FAILED if is_bad else ExitCode.OK


async def _run(session: Session, flags: Namespace, found: list[AbReport], heard: list[int]) -> None:
    cancel_on_signals(heard)
    session.add_sink(DamageSaid())
    try:
        await session.open(is_strict=True)
        keys = select(session, flags)
        if not keys:
            raise UserError("No case matches.", "`evaltui check` lists what is read.")
        now = session.config.agents[0].name
        plan = await session.ab.plan(
            flags.against, now, keys, trials=getattr(flags, "trials", None), seed=flags.order
        )
        if plan.keys:
            what = f"{len(plan.keys):,} cases, {plan.trials_in_words} a side"
            most = session.ab.most_trials(plan, confirms=flags.confirm)
            if most > plan.trials:
                what += f", undecided ones up to {most}; at most"
            reach = session.ab.reach(plan, confirms=flags.confirm)
            if not reach.proves_one:
                sys.stderr.write(f"{reach}; {_what_would(reach)}.\n")
            estimate = session.ab.estimate(plan, confirms=flags.confirm)
            agree(what, estimate, session.config, is_agreed=flags.yes)
        found.append(await session.ab.run(plan, confirms=flags.confirm))
    finally:
        await session.close()


def _what_would(reach: AbReach) -> str:
    """With which flags it can be proven of one case."""
    trials = f"`--trials {reach.enough}`"
    return f"`--confirm` or {trials} can" if reach.is_confirming_enough else f"{trials} can"


def _with_both(config: Config, against: str) -> Config:
    """With the named agent beside the one under test, where it is an agent that is named."""
    if against in [one.name for one in config.agents]:
        rest = [one for one in config.agents if one.name == against]
        return replace(config, agents=(*config.agents[:1], *rest))
    named = AgentProfile() if against == EMBEDDED else config.profiles.get(against)
    return replace(config, agents=(*config.agents[:1], *([] if named is None else [named])))


def _words(report: AbReport) -> str:
    return "\n".join(plain(line) for line in lines(report))
