"""`evaltui runs list|show`: past conversations, ours and EvalStudio's."""

import asyncio
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from itertools import islice
from operator import itemgetter
from pathlib import Path
from typing import Any, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from evaltui.cli.exit_code import ExitCode
from evaltui.cli.flags import AddCommand, add_json, add_project_flags
from evaltui.cli.settings import read_settings
from evaltui.cli.verdict_lines import ending, number_text, verdict_line, verdict_lines, verdict_of
from evaltui.core.case import PERSONA_ID, SCENARIO_ID, Case, ScenarioCase
from evaltui.core.errors import Problem, UserError
from evaltui.core.json_value import Json
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.core.workspace_files import CONNECTORS
from evaltui.evaluators.kit.evaltui import message_text
from evaltui.formats.naming import WORKSPACE_SCENARIOS, is_scenario_file
from evaltui.project import Project
from evaltui.reporters.ansi import json_text, plain
from evaltui.scenarios.known_conversations import KnownConversation, KnownConversations
from evaltui.scenarios.run_ids import the_id
from evaltui.scenarios.workspace_runs import workspace_runs
from evaltui.session import Session
from evaltui.store.store import Store
from evaltui.tui.render.glyphs import NOTHING_ASSERTED, STATUS, UNKNOWN, Mark, result_mark
from evaltui.tui.render.words import count, duration

AnyRun: TypeAlias = KnownConversation | Mapping[str, Json]
"""Ours, or one that EvalStudio wrote."""
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
    try:
        await session.open(may_lack_secrets=True)
        known = await asyncio.to_thread(_Known, session)
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


class _Run(Struct, frozen=True):
    """One conversation, in EvalStudio's shape."""

    json: Mapping[str, Json]
    ours: KnownConversation | None = None

    @property
    def result(self) -> CaseResult | None:
        """What is kept of one of ours."""
        return None if self.ours is None else self.ours.result()

    @property
    def mark(self) -> Mark:
        """The JSON of one of ours does not tell a pass of nothing from others."""
        return _mark(self.json) if self.ours is None else result_mark(self.ours.entry)

    @property
    def since(self) -> Mark | None:
        """What one of ours came to when it was judged again, where that is something else."""
        if self.ours is None or self.ours.since is None:
            return None
        mark = result_mark(self.ours.since)
        return mark if mark is not self.mark else None


class _Known:
    """All runs that are known; what was said is read of those that are wanted."""

    def __init__(self, session: Session) -> None:
        cases = [case for suite in session.project.suites for case in suite.cases]
        known = KnownConversations(session.history, cases, is_scenario_file=is_scenario_file)
        self._ours = {one.id: one for one in known}
        folders = _folders(session.project)
        found = [*workspace_runs(folders)]
        for problem in found:
            if isinstance(problem, Problem):
                sys.stderr.write(f"{plain(str(problem))}\n")
        names = {_ids(case.extra): case for case in cases if SCENARIO_ID in case.extra}
        agents = _connectors(folders)
        theirs = [one for one in found if not isinstance(one, Problem)]
        self._theirs = [_named(one, names, agents) for one in theirs]

    def newest(self, named: str) -> Iterator[_Run]:
        """Those that were held, of scenarios with that text, in lower case, in their names."""
        runs: list[tuple[float, AnyRun]] = [
            *((one.entry.finished_at, one) for one in self._ours.values() if not one.is_again),
            *((_seconds(one.get("createdAt")), one) for one in self._theirs),
        ]
        for _, one in sorted(runs, key=itemgetter(0), reverse=True):
            name = one.key.case if isinstance(one, KnownConversation) else _name(one)
            if named in name.lower() and (found := _run_of(one)) is not None:
                yield found

    def find(self, wanted: str) -> _Run:
        """The one whose id begins so. Raises UserError for none, and for several."""
        every = {str(one["id"]): one for one in self._theirs} | self._ours
        id_ = the_id(every, wanted)
        found = _run_of(every[id_]) if id_ else None
        if found is None:
            raise UserError(f"There is no run `{wanted}`.", "`evaltui runs list` has their ids.")
        return found


def _run_of(known: AnyRun) -> _Run | None:
    """`None` where nothing tells any more what it was."""
    if not isinstance(known, KnownConversation):
        return _Run(known)
    found = known.as_json()
    return None if found is None else _Run(found, known)


def _seconds(moment: Json) -> float:
    """Since the epoch; 0.0 for what is no moment."""
    try:
        return datetime.fromisoformat(str(moment)).timestamp()
    except (ValueError, OverflowError, OSError):
        return 0.0


def _folders(project: Project) -> list[Path]:
    """Of data of a workspace."""
    return [path.parent for path in project.files if path.parts[-2:] == WORKSPACE_SCENARIOS]


def _connectors(folders: list[Path]) -> dict[str, str]:
    """Their names by id; what is wrong with them is told where they are agents."""
    if not folders:
        return {}
    from evaltui.settings.evalstudio.evalstudio_entities import read_entities
    from evaltui.settings.evalstudio.evalstudio_model import Connector

    read = (read_entities(Connector, folder, CONNECTORS, "a connector") for folder in folders)
    return {each.value.id: each.value.name for one in read for each in one.found}


def _ids(known: Mapping[str, Any]) -> tuple[Json, Json]:
    return known.get(SCENARIO_ID), known.get(PERSONA_ID)


def _named(
    run: dict[str, Json],
    cases: Mapping[tuple[Json, Json], Case],
    agents: Mapping[str, str],
) -> dict[str, Json]:
    """With the names of its scenario, persona and connector beside their ids, as far as known."""
    agent = agents.get(str(run.get("connectorId")), "")
    if agent:
        run = {"agent": agent, **run}
    case = cases.get(_ids(run))
    if case is None or "scenario" in run or not isinstance(case.body, ScenarioCase):
        return run
    scenario = {"name": case.body.name, "case": case.id, "file": case.key.suite}
    return {**run, "scenario": scenario}


def _name(run: Mapping[str, Any]) -> str:
    scenario = run.get("scenario")
    known = scenario if isinstance(scenario, Mapping) else {}
    return str(known.get("case") or known.get("name") or run.get(SCENARIO_ID) or "playground")


def _line(one: _Run) -> str:
    run, mark, since = one.json, one.mark, one.since
    at = str(run.get("completedAt") or run.get("createdAt") or "")[:16].replace("T", " ")
    took = run.get("latencyMs")
    parts = (
        str(run["id"])[:_SHOWN],
        at,
        f"{ending(mark):9}",
        _name(run),
        str(run.get("agent") or run.get("connectorId") or ""),
        duration(took) if isinstance(took, int | float) else "",
        "" if since is None else f"judged again since: {ending(since)}",
        "" if mark is NOTHING_ASSERTED else _why(run),
    )
    return "  ".join(part for part in parts if part).rstrip()


def _mark(run: Mapping[str, Any]) -> Mark:
    status = run.get("status")
    if status != "completed":
        known = {"error": CaseStatus.ERROR, "skipped": CaseStatus.SKIPPED}
        word = str(status)
        return STATUS[known[word]] if word in known else replace(UNKNOWN, word=word)
    if "error" in run:  # of an evaluator
        return STATUS[CaseStatus.ERROR]
    has_passed = _at(run, "result").get("success") is True
    return STATUS[CaseStatus.PASSED if has_passed else CaseStatus.FAILED]


def _why(run: Mapping[str, Any]) -> str:
    said = _at(run, "result").get("reason") or run.get("error") or run.get("reason") or ""
    return str(said).partition("\n")[0]


def _lines(one: _Run) -> Iterator[str]:
    """The JSON of one of ours does not tell skipped verdicts from others, its result does."""
    run, result = one.json, one.result
    yield _line(one)
    output, said = _at(run, "output"), _objects(run.get("messages"))
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
    named = [str(_at(call, "function").get("name")) for call in _objects(message.get("tool_calls"))]
    called = f" → {', '.join(named)}" if named else ""
    return f"{message_text(message)}{called}".strip()


def _theirs(output: Mapping[str, Any]) -> Iterator[str]:
    if evaluation := _at(output, "evaluation"):
        met = [key for key in ("successMet", "failureMet") if evaluation.get(key) is True]
        said = f"{', '.join(met) or 'not decided'}: {evaluation.get('reasoning')}"
        yield f"    criteria  {said}"
    for row in _objects(output.get("evaluatorResults")):
        yield f"    {verdict_line(verdict_of(row))}"


def _at(value: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    found = value.get(key)
    return found if isinstance(found, Mapping) else {}


def _objects(value: object) -> Sequence[Mapping[str, Any]]:
    return [one for one in value if isinstance(one, Mapping)] if isinstance(value, list) else []
