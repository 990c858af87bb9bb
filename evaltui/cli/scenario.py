"""`evaltui scenario validate|run`: checks scenarios, or holds their conversations."""

import asyncio
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Collection, Iterable, Iterator

from evaltui.cli.complaint import complain_of
from evaltui.cli.damage_said import DamageSaid
from evaltui.cli.exit_code import ExitCode
from evaltui.cli.flags import AddCommand, add_json, add_project_flags
from evaltui.cli.selection import files_of, select
from evaltui.cli.settings import read_settings
from evaltui.cli.verdict_lines import ending, verdict_lines
from evaltui.core.case import Case, CaseKey, ScenarioCase
from evaltui.core.errors import Problem, Severity, UserError
from evaltui.core.events import CaseFinished, Event, RunStarted
from evaltui.core.json_value import Json
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.core.suite import Suite
from evaltui.formats.naming import is_scenario_file
from evaltui.formats.scenario import ENDING
from evaltui.process import cancel_on_signals
from evaltui.project import (
    Around,
    Project,
    project_problems,
    project_read_once,
    refuse_untrusted,
)
from evaltui.project.diagnostics.run_mistakes import run_mistakes
from evaltui.project.diagnostics.unknown_evaluators import unchecked_evaluators, why_unchecked
from evaltui.project.problems import in_order
from evaltui.reporters.ansi import json_text, plain
from evaltui.reporters.problem_json import problem_json
from evaltui.scenarios.run_output import run_json
from evaltui.session import Session
from evaltui.store.store import Store
from evaltui.tui.render.glyphs import result_mark
from evaltui.tui.render.words import count, duration


def add(add_command: AddCommand) -> None:
    parser = add_command("scenario", help="validate or run scenarios")
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    what = "check scenario files and list all mistakes; no agent is asked"
    _add(actions.add_parser("validate", help=what), nargs="*")
    held = actions.add_parser("run", help="run the scenarios of these files")
    _add(held, nargs="*")
    held.add_argument(
        "--eval",
        metavar="NAME",
        default="",
        help="instead of files: an eval of an EvalStudio workspace, with scenarios and connector",
    )


def _add(parser: ArgumentParser, nargs: str) -> None:
    parser.add_argument(
        "paths", nargs=nargs, metavar="FILE", help=f"`*{ENDING}`; FILE::NAME for one"
    )
    add_json(parser)
    add_project_flags(parser)


def run(flags: Namespace) -> int:
    """Exit code 2 for mistakes and for what ended the run, 1 when a scenario did not pass."""
    return _validate(flags) if flags.action == "validate" else _run(flags)


def _validate(flags: Namespace) -> int:
    read = read_settings(flags, paths=files_of(flags.paths), lenient=True)
    with project_read_once(read.config) as project:
        suites = [suite for suite in project.suites if suite.kind is ScenarioCase]
        files = _files(project)
        problems = project_problems(project, Around(tuple(read.problems)))
        unread = ("no-such-file", "not-an-eval-file")
        found = [one for one in problems if one.file in files or one.code in unread]
        found += [one for one in read.problems if one not in found]
        mine = (file for file in project.files.values() if file.id in files)
        unchecked = unchecked_evaluators(project, mine)
        if suites and not project.evaluators.is_complete:  # one of those may judge every scenario
            found = [*in_order((*found, *unchecked, *why_unchecked(project)))]
        scenarios = sum(len(suite.cases) for suite in suites)
        has_errors = any(one.severity is Severity.ERROR for one in found)
        if flags.json:
            errors: list[Json] = [problem_json(one) for one in found]
            output: dict[str, Json] = {
                "valid": not has_errors,
                "scenarios": scenarios,
                "errors": errors,
            }
            sys.stdout.write(json_text(output, indent=2) + "\n")
        else:
            for problem in found:
                sys.stdout.write(f"{problem.severity:7}  {plain(str(problem))}\n")
            wrong = count(len(found), "problem") if found else "nothing is wrong"
            sys.stdout.write(f"{count(scenarios, 'scenario')}: {wrong}\n")
        return ExitCode.USAGE if has_errors else ExitCode.OK


def _files(project: Project) -> set[str]:
    """Those that scenarios are read from, as problems name them."""
    files = [file for file in project.files.values() if is_scenario_file(file.id)]
    along = {project.shown(path) for file in files for path in file.beside}
    return {file.id for file in files} | along


class _Heard:
    """Keeps the results of runs, and how those began."""

    hears = frozenset({CaseFinished, RunStarted})

    def __init__(self) -> None:
        self.results: list[CaseResult] = []
        self.started: dict[str, RunStarted] = {}

    def handle(self, event: Event) -> None:
        if isinstance(event, CaseFinished):
            self.results.append(event.result)
        elif isinstance(event, RunStarted):
            self.started[event.run_id] = event


def _take_eval(flags: Namespace) -> None:
    """Its scenarios and its agent as if they had been named, and its id. Raises UserError."""
    from evaltui.settings.evalstudio.evalstudio_evals import eval_named

    if flags.paths:
        raise UserError("Files and `--eval` cannot be combined.", "Give one of them.")
    config = read_settings(flags).config
    wanted = eval_named(config, flags.eval)
    flags.eval, flags.paths = wanted.id, [str(config.root / path) for path in wanted.paths]
    # Absent unless it was given: flags of a project have no default.
    flags.agent = getattr(flags, "agent", None) or [wanted.agent]


def _run(flags: Namespace) -> int:
    if flags.eval:
        _take_eval(flags)
    if not flags.paths:
        raise UserError("Nothing to run was named.", "Name files, or an eval with `--eval`.")
    settings = read_settings(flags, paths=files_of(flags.paths))
    refuse_untrusted(settings.config)
    session = Session(
        settings.config,
        overrides=settings.overrides,
        problems=settings.problems,
        store=Store(is_shown=False),
    )
    heard, signals, mistakes = _Heard(), list[int](), list[Problem]()
    cases: dict[object, Case] = {}
    try:
        asyncio.run(_hold(session, flags, heard, cases, mistakes, signals))
    except asyncio.CancelledError:
        return 128 + signals[0] if signals else ExitCode.TERMINATED
    _report(heard, cases, is_json=flags.json)
    mistakes += _errors(session.store.problems.others)  # as that money ended it
    if mistakes:  # what was not held, or not judged, says nothing
        complain_of(dict.fromkeys(mistakes), is_json=flags.json)
        return ExitCode.USAGE
    passed = all(one.status is CaseStatus.PASSED for one in heard.results)
    return ExitCode.OK if passed else ExitCode.FAILED


async def _hold(
    session: Session,
    flags: Namespace,
    heard: _Heard,
    cases: dict[object, Case],
    mistakes: list[Problem],
    signals: list[int],
) -> None:
    """Add what was held, the cases by their keys, and the mistakes that were found before it."""
    cancel_on_signals(signals)
    session.add_sink(heard)
    session.add_sink(DamageSaid())
    try:
        await session.open(is_strict=True)
        flags.filter, flags.tier = "", []
        keys = [key for key in select(session, flags) if _is_scenario(session, key)]
        if not keys:
            what = "There is no scenario in these files."
            hint = f"Name files that end in `{ENDING}`; `evaltui scenario validate` checks them."
            raise UserError(what, hint, session.store.problems.reported)
        others = _not_wanted(session.store.suites, keys)
        found = _errors(session.store.problems.reported)
        mistakes += [one for one in found if (one.file, one.case) not in others]
        mistakes += run_mistakes(session.project, keys)
        for suite in session.store.suites:
            cases |= {case.key: case for case in suite.cases}
        await session.run(keys, eval_id=flags.eval)
    finally:
        await session.close()


def _is_scenario(session: Session, key: CaseKey) -> bool:
    suite = session.project.suite(key.suite)
    return suite is not None and suite.kind is ScenarioCase


def _not_wanted(suites: Iterable[Suite], keys: Collection[CaseKey]) -> set[tuple[str, str]]:
    """Files and ids of scenarios that are not to be held, in files of which others are; one stands
    there once for all of its personas."""
    unwanted = set[tuple[str, str]]()
    for suite in suites:
        lines = {case.line for case in suite.cases if case.key in keys}
        unwanted |= {
            (suite.id, case.id) for case in suite.cases if lines and case.line not in lines
        }
    return unwanted


def _errors(problems: Iterable[Problem]) -> Iterator[Problem]:
    return (one for one in problems if one.severity is Severity.ERROR)


def _report(heard: _Heard, cases: dict[object, Case], *, is_json: bool) -> None:
    results = heard.results
    if is_json:
        runs: list[Json] = [
            run_json(cases[one.key], one, of.number, of.eval_id)
            for one in results
            for of in [heard.started[one.run_id]]
        ]
        sys.stdout.write(json_text(runs, indent=2) + "\n")
        return
    for one in results:
        turns = one.response.conversation if one.response is not None else ()
        facts = f"{count(len(turns), 'turn')}, {duration(one.duration_ms)}"
        sys.stdout.write(f"{ending(result_mark(one)):9}  {plain(one.key.case)}  {facts}\n")
        if one.error:
            sys.stdout.write(f"           {plain(one.error)}\n")
        for note in one.response.notes if one.response is not None else ():
            sys.stdout.write(f"           ⚠ {plain(note)}\n")
        for number, turn in enumerate(turns, 1):
            for line in verdict_lines(turn.verdicts):
                sys.stdout.write(f"  turn {number}  {line}\n")
