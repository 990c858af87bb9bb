"""`evaltui judge`: how far the configured judge agrees with people."""

import asyncio
import sys
from argparse import Namespace
from collections.abc import Iterator
from math import ceil, floor

from evaltui.cli.agreement import agree
from evaltui.cli.complaint import complain_of
from evaltui.cli.damage_said import DamageSaid
from evaltui.cli.exit_code import ExitCode
from evaltui.cli.flags import AddCommand, add_json, add_project_flags
from evaltui.cli.selection import files_of, select
from evaltui.cli.settings import read_settings
from evaltui.core.errors import Problem
from evaltui.core.json_value import Json, JsonObject
from evaltui.core.statistics.rates import PassRate
from evaltui.project import refuse_untrusted
from evaltui.reporters.ansi import json_text, plain
from evaltui.scenarios.calibration import Calibration, KnownScore, table_lines
from evaltui.session import Session


def add(add_command: AddCommand) -> None:
    parser = add_command("judge", help="calibrate the judge of rubrics")
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    action = actions.add_parser(
        "calibrate",
        help="have the judge score answers with known scores, and report how well it agrees",
    )
    action.add_argument(
        "paths", nargs="*", metavar="PATH[::CASE]", help="eval files or single cases; default: all"
    )
    action.add_argument(
        "--filter", metavar="TEXT", help="cases whose id, description or tool contains TEXT"
    )
    what = "agree to the cost without being asked"
    action.add_argument("--yes", "-y", action="store_true", help=what)
    add_json(action)
    add_project_flags(action)


def run(flags: Namespace) -> int:
    """Judge and tell; exit code 2 when money ended it, and when no judgement could be used.

    Raises UserError without a judge, with nothing to judge, and where nobody agreed to the cost.
    """
    return asyncio.run(_run(flags))


async def _run(flags: Namespace) -> int:
    settings = read_settings(flags, paths=files_of(flags.paths))
    refuse_untrusted(settings.config)
    session = Session(settings.config, overrides=settings.overrides, problems=settings.problems)
    session.add_sink(DamageSaid())
    try:
        await session.open(is_strict=True)
        keys = select(session, flags)
        estimate = await session.judges.calibration_estimate(keys)
        agree("known scores", estimate, session.config, is_agreed=flags.yes, unit="calls")
        found = await session.judges.calibrate(keys)
    finally:
        await session.close()
    if flags.json:
        sys.stdout.write(json_text(_document(found), indent=2) + "\n")
    else:
        sys.stdout.writelines(f"{plain(line)}\n" for line in _lines(found))
    if found.unjudged:
        what = f"{found.unjudged:,} known scores were not judged and do not count: {found.why}"
    elif found.scores and all(one.judged is None for one in found.scores):
        what = f"The judge gave no score at all: {found.scores[0].reason}"
    else:
        return ExitCode.OK
    complain_of([Problem("", what)], is_json=flags.json)
    return ExitCode.USAGE


def _lines(found: Calibration) -> Iterator[str]:
    for one in found.scores:
        if not one.agrees:
            judged = "inconclusive" if one.judged is None else f"judged {one.judged:g}"
            yield f"{one.key}  answer {one.answer + 1}  known {one.known:g}, {judged}"
            yield f"  {one.reason}"
    parts = found.dimensions
    for name, part in parts.items():
        yield f"{name}: {_said(part.agreement)}"
        yield from (f"  {line}" for line in table_lines(part.table))
    if len(parts) > 1:
        yield f"all: {_said(found.agreement)}"


def _said(rate: PassRate) -> str:
    """The interval is rounded outwards, so that it holds the truth as often as it says."""
    agree = f"{rate.passes} of {rate.trials} agree, {rate.rate:.0%}"
    return f"{agree}, 95% interval {floor(rate.low * 100)}% to {ceil(rate.high * 100)}%"


def _document(found: Calibration) -> JsonObject:
    return {
        "agreement": _rate(found.agreement) if found.scores else None,
        "unjudged": found.unjudged,
        "dimensions": {
            name: {
                "agreement": _rate(part.agreement),
                "table": [
                    {"known": known, "judged": judged, "count": count}
                    for (known, judged), count in sorted(part.table.items(), key=str)
                ],
            }
            for name, part in found.dimensions.items()
        },
        "scores": [_score(one) for one in found.scores],
    }


def _rate(rate: PassRate) -> JsonObject:
    return {
        "agreed": rate.passes,
        "total": rate.trials,
        "rate": rate.rate,
        "low": rate.low,
        "high": rate.high,
    }


def _score(one: KnownScore) -> dict[str, Json]:
    return {
        "suite": one.key.suite,
        "case": one.key.case,
        "answer": one.answer + 1,
        "dimension": one.dimension,
        "known": one.known,
        "judged": one.judged,
        "reason": one.reason,
    }
