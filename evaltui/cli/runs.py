"""`evaltui runs list|show`: past conversations, ours and EvalStudio's."""

import asyncio
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from evaltui.cli.damage_said import DamageSaid
from evaltui.cli.exit_code import ExitCode
from evaltui.cli.flags import AddCommand, add_json, add_project_flags
from evaltui.cli.known_runs import KnownRun, KnownRuns, name_of, object_at
from evaltui.cli.settings import read_settings
from evaltui.cli.verdict_lines import ending, number_text, verdict_line, verdict_lines, verdict_of
from evaltui.core.errors import UserError
from evaltui.evaluators.kit.evaltui import message_text
from evaltui.reporters.ansi import json_text, plain
from evaltui.session import Session
from evaltui.store.store import Store
from evaltui.tui.render.glyphs import NOTHING_ASSERTED
from evaltui.tui.render.words import count, duration

MOST = 20
_SHOWN = 8
"""Signs of an id in the list; so many of them name a run."""


def add(add_command: AddCommand) -> None:
    parser = add_command("runs", help="list past conversations, or show one")
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    listed = actions.add_parser("list", help="list the last conversations, newest first")
    listed.add_argument(
        "--scenario", metavar="TEXT", help="only scenarios whose name contains TEXT"
    )
    listed.add_argument(
        "--limit",
        type=int,
        default=MOST,
        metavar="N",
        help=f"most conversations to list (default: {MOST})",
    )
    _add_flags(listed)
    shown = actions.add_parser(
        "show", help="show a conversation: messages, verdicts of each turn, metrics"
    )
    shown.add_argument("id", metavar="ID", help="id from `runs list`, or its beginning")
    _add_flags(shown)


def _add_flags(parser: ArgumentParser) -> None:
    add_json(parser)
    add_project_flags(parser)


def run(flags: Namespace) -> int:
    """Raises UserError for an id that is none."""
    if flags.action == "list" and flags.limit < 1:
        raise UserError(f"`--limit` is {flags.limit}.", "Give 1 or more.")
    return asyncio.run(_run(flags))


async def _run(flags: Namespace) -> int:
    settings = read_settings(flags, lenient=True)
    session = Session(
        settings.config,
        overrides=settings.overrides,
        problems=settings.problems,
        store=Store(is_shown=False),
    )
    session.add_sink(DamageSaid())
    try:
        await session.open(may_lack_secrets=True)
        known = await asyncio.to_thread(KnownRuns, session)
        if flags.action == "list":
            wanted = (flags.scenario or "").lower()
            runs = [*islice(known.newest(wanted), flags.limit)]
            output: Any = [one.json for one in runs]
            lines = [_line(one) for one in runs]
        else:
            one = known.find(flags.id)
            output = one.json
            lines = [*_lines(one)]
    finally:
        await session.close()
    if flags.json:
        sys.stdout.write(json_text(output, indent=2) + "\n")
    else:
        sys.stdout.writelines(f"{plain(line)}\n" for line in lines)
    return ExitCode.OK


def _line(one: KnownRun) -> str:
    run, mark, since = one.json, one.mark, one.since
    at = str(run.get("completedAt") or run.get("createdAt") or "")[:16].replace("T", " ")
    took = run.get("latencyMs")
    parts = (
        str(run["id"])[:_SHOWN],
        at,
        f"{ending(mark):9}",
        name_of(run),
        str(run.get("agent") or run.get("connectorId") or ""),
        duration(took) if isinstance(took, int | float) else "",
        "" if since is None else f"judged again since: {ending(since)}",
        "" if mark is NOTHING_ASSERTED else _why(run),
    )
    return "  ".join(part for part in parts if part).rstrip()


def _why(run: Mapping[str, Any]) -> str:
    said = object_at(run, "result").get("reason") or run.get("error") or run.get("reason") or ""
    return str(said).partition("\n")[0]


def _lines(one: KnownRun) -> Iterator[str]:
    """The JSON of one of ours does not tell skipped verdicts from others, its result does."""
    run, result = one.json, one.result
    yield _line(one)
    output, said = object_at(run, "output"), _objects(run.get("messages"))
    turns = result.response.conversation if result is not None and result.response else ()
    ends = {turn.end - 1: turn.verdicts for turn in turns}
    for at, message in enumerate(said):
        yield f"  {message.get('role')}: {_text(message)}"
        yield from (f"    {line}" for line in verdict_lines(ends.get(at, ())))
    if result is None:
        yield from _theirs(output)
    elif not turns:
        yield from (f"    {line}" for line in verdict_lines(result.verdicts))
    if not said:
        yield "  The conversation is no longer kept."
    metrics = output.get("metrics")
    if isinstance(metrics, Mapping) and metrics:
        yield "  " + ", ".join(f"{key} {number_text(value)}" for key, value in metrics.items())
    if isinstance(message_count := output.get("messageCount"), int):
        yield f"  {count(message_count, 'message')}"


def _text(message: Mapping[str, Any]) -> str:
    named = [
        str(object_at(call, "function").get("name")) for call in _objects(message.get("tool_calls"))
    ]
    called = f" → {', '.join(named)}" if named else ""
    return f"{message_text(message)}{called}".strip()


def _theirs(output: Mapping[str, Any]) -> Iterator[str]:
    if evaluation := object_at(output, "evaluation"):
        met = [key for key in ("successMet", "failureMet") if evaluation.get(key) is True]
        said = f"{', '.join(met) or 'not decided'}: {evaluation.get('reasoning')}"
        yield f"    criteria  {said}"
    for row in _objects(output.get("evaluatorResults")):
        yield f"    {verdict_line(verdict_of(row))}"


def _objects(value: object) -> Sequence[Mapping[str, Any]]:
    return [one for one in value if isinstance(one, Mapping)] if isinstance(value, list) else []
