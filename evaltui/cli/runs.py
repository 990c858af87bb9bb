"""`evaltui runs list|show`: conversations that were held, ours and those of EvalStudio."""

import asyncio
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from operator import itemgetter
from typing import Any

from msgspec.structs import replace

from evaltui.cli.exit_code import ExitCode
from evaltui.cli.flags import AddCommand, add_json, add_project_flags
from evaltui.cli.settings import read_settings
from evaltui.cli.verdict_lines import ending, number_text, verdict_line, verdict_of
from evaltui.core.case import SCENARIO_ID, Case, ScenarioCase
from evaltui.core.errors import Problem, UserError
from evaltui.core.json_value import Json
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.disk.history_queries import HistoryEntry
from evaltui.evaluators.kit.evaltui import message_text
from evaltui.formats.naming import WORKSPACE_SCENARIOS
from evaltui.project import Project
from evaltui.reporters.ansi import json_text, plain
from evaltui.scenarios.known_conversations import KnownConversation, known_conversations
from evaltui.scenarios.workspace_runs import workspace_runs
from evaltui.session import Session
from evaltui.store.store import Store
from evaltui.tui.render.glyphs import NOTHING_ASSERTED, STATUS, UNKNOWN, Mark, result_mark
from evaltui.tui.render.words import count, duration

MOST = 20
_SHOWN = 8
"""Signs of an id in the list; so many of them name a run."""


def add(add_command: AddCommand) -> None:
    parser = add_command("runs", help="list conversations that were held, or show one")
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    listed = actions.add_parser("list", help="the last ones, newest first")
    listed.add_argument("--scenario", metavar="TEXT", help="of scenarios whose name holds TEXT")
    listed.add_argument(
        "--limit", type=int, default=MOST, metavar="N", help=f"so many at most; {MOST}"
    )
    _add_flags(listed)
    shown = actions.add_parser("show", help="all of one: messages, verdicts of each turn, metrics")
    shown.add_argument("id", metavar="ID", help="as `list` has it, or how it begins")
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
            runs = [one for one in known.newest() if wanted in _name(one).lower()][: flags.limit]
            told: Any = [known.whole(one) for one in runs]
            pairs = zip(told, map(known.entry_of, runs), strict=True)
            lines = [_line(run, entry) for run, entry in pairs]
        else:
            one = known.find(flags.id)
            told = known.whole(one)
            lines = [*_lines(told, known.entry_of(one), known.result_of(one))]
    finally:
        await session.close()
    if flags.json:
        sys.stdout.write(json_text(told, indent=2) + "\n")
    else:
        sys.stdout.writelines(f"{line}\n" for line in lines)
    return ExitCode.OK


class _Known:
    """All runs that are known, each in short; `whole` reads what was said."""

    def __init__(self, session: Session) -> None:
        self._history = session.history
        self._ours: dict[str, KnownConversation] = {}
        self._runs: list[tuple[float, Mapping[str, Json]]] = []
        cases = [case for suite in session.project.suites for case in suite.cases]
        for one in known_conversations(self._history, cases):
            told = one.told()
            self._ours[str(told["id"])] = one
            self._runs.append((one.entry.finished_at, told))
        found = [*workspace_runs(_folders(session.project))]
        for problem in found:
            if isinstance(problem, Problem):
                sys.stderr.write(f"{plain(str(problem))}\n")
        names = {case.extra.get(SCENARIO_ID): case for case in cases}
        self._theirs = [_named(one, names) for one in found if not isinstance(one, Problem)]

    def newest(self) -> list[Mapping[str, Json]]:
        theirs = ((_seconds(one.get("createdAt")), one) for one in self._theirs)
        return [one for _, one in sorted((*self._runs, *theirs), key=itemgetter(0), reverse=True)]

    def find(self, wanted: str) -> Mapping[str, Json]:
        """The one whose id begins so. Raises UserError for none, and for several."""
        found = [one for one in self.newest() if str(one["id"]).startswith(wanted)]
        if not found:
            raise UserError(f"There is no run `{wanted}`.", "`evaltui runs list` has their ids.")
        if len(found) > 1 and all(str(one["id"]) != wanted for one in found):
            raise UserError(f"{len(found)} runs begin with `{wanted}`.", "Give more of the id.")
        return found[0]

    def whole(self, one: Mapping[str, Json]) -> Mapping[str, Json]:
        """With messages and output, as far as they are kept."""
        known = self._ours.get(str(one["id"]))
        return one if known is None else known.whole(self._history)

    def entry_of(self, one: Mapping[str, Json]) -> HistoryEntry | None:
        """What the history says of one of ours."""
        known = self._ours.get(str(one["id"]))
        return None if known is None else known.entry

    def result_of(self, one: Mapping[str, Json]) -> CaseResult | None:
        """What is kept of one of ours."""
        known = self._ours.get(str(one["id"]))
        return None if known is None else known.result(self._history)


def _seconds(moment: Json) -> float:
    """Since the epoch; 0.0 for what is no moment."""
    try:
        return datetime.fromisoformat(str(moment)).timestamp()
    except (ValueError, OverflowError, OSError):
        return 0.0


def _folders(project: Project) -> list[Any]:
    """Of data of a workspace."""
    return [path.parent for path in project.files if path.parts[-2:] == WORKSPACE_SCENARIOS]


def _named(run: dict[str, Json], cases: Mapping[Any, Case]) -> dict[str, Json]:
    """With the name of its scenario beside the id, where that is known."""
    case = cases.get(run.get(SCENARIO_ID))
    if case is None or "scenario" in run or not isinstance(case.body, ScenarioCase):
        return run
    return {**run, "scenario": {"name": case.body.name, "file": case.key.suite}}


def _name(run: Mapping[str, Any]) -> str:
    scenario = run.get("scenario")
    told = scenario if isinstance(scenario, Mapping) else {}
    return str(told.get("case") or told.get("name") or run.get(SCENARIO_ID) or "playground")


def _line(run: Mapping[str, Any], entry: HistoryEntry | None) -> str:
    """`entry`: of one of ours, whose JSON does not tell a pass of nothing from others."""
    mark = _mark(run) if entry is None else result_mark(entry)
    at = str(run.get("completedAt") or run.get("createdAt") or "")[:16].replace("T", " ")
    took = run.get("latencyMs")
    parts = (
        str(run["id"])[:_SHOWN],
        at,
        f"{ending(mark):9}",
        plain(_name(run)),
        plain(str(run.get("agent") or run.get("connectorId") or "")),
        duration(took) if isinstance(took, int | float) else "",
        "" if mark is NOTHING_ASSERTED else plain(_why(run)),
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


def _lines(
    run: Mapping[str, Any], entry: HistoryEntry | None, result: CaseResult | None
) -> Iterator[str]:
    """`entry`, `result`: of one of ours, whose JSON does not tell skipped verdicts from others."""
    yield _line(run, entry)
    output, said = _at(run, "output"), _objects(run.get("messages"))
    turns = result.response.conversation if result is not None and result.response else ()
    ends = {turn.end - 1: turn.verdicts for turn in turns}
    for at, message in enumerate(said):
        yield f"  {plain(str(message.get('role')))}: {plain(_text(message))}"
        yield from (f"    {verdict_line(one)}" for one in ends.get(at, ()))
    if result is None:
        yield from _theirs(output)
    elif not turns:
        yield from (f"    {verdict_line(one)}" for one in result.verdicts)
    if not said:
        yield "  What was said is not kept any more."
    metrics = output.get("metrics")
    if isinstance(metrics, Mapping) and metrics:
        yield "  " + ", ".join(
            f"{plain(str(key))} {number_text(value)}" for key, value in metrics.items()
        )
    if isinstance(told := output.get("messageCount"), int):
        yield f"  {count(told, 'message')}"


def _text(message: Mapping[str, Any]) -> str:
    named = [str(_at(call, "function").get("name")) for call in _objects(message.get("tool_calls"))]
    called = f" → {', '.join(named)}" if named else ""
    return f"{message_text(message)}{called}".strip()


def _theirs(told: Mapping[str, Any]) -> Iterator[str]:
    if evaluation := _at(told, "evaluation"):
        met = [key for key in ("successMet", "failureMet") if evaluation.get(key) is True]
        said = f"{', '.join(met) or 'not decided'}: {evaluation.get('reasoning')}"
        yield f"    criteria  {plain(said)}"
    for row in _objects(told.get("evaluatorResults")):
        yield f"    {verdict_line(verdict_of(row))}"


def _at(value: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    found = value.get(key)
    return found if isinstance(found, Mapping) else {}


def _objects(value: object) -> Sequence[Mapping[str, Any]]:
    return [one for one in value if isinstance(one, Mapping)] if isinstance(value, list) else []
