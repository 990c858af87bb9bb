"""`evaltui check`: reads everything, runs nothing, lists every problem with its place."""

import sys
from argparse import Namespace
from collections.abc import Callable

from evaltui.cli.exit_code import ExitCode
from evaltui.cli.flags import AddCommand, add_json, add_project_flags
from evaltui.cli.settings import read_settings
from evaltui.core.errors import Problem, Severity
from evaltui.disk.baselines.pinned import Pinned
from evaltui.disk.baselines.pins import pins_folder
from evaltui.process import tidying_at_signals
from evaltui.project import (
    Around,
    agent_problems,
    missing_grants,
    project_problems,
    project_read_once,
    unmade_agents,
)
from evaltui.project.diagnostics.outdated_problems import OUTDATED
from evaltui.project.left_behind import left_behind
from evaltui.project.project import Project
from evaltui.reporters.ansi import json_text, plain
from evaltui.reporters.problem_json import problem_json
from evaltui.tui.render.words import count

_OUTDATED = "⚠ outdated"
_GLYPHS = {Severity.ERROR: "✗ error", Severity.WARNING: "⚠ warning", Severity.LINT: "· lint"}


def add(add_command: AddCommand) -> None:
    parser = add_command("check", help="read everything, run nothing, and list every problem")
    parser.add_argument("paths", nargs="*", metavar="PATH", help="eval files or folders")
    add_json(parser)
    add_project_flags(parser)


def run(flags: Namespace) -> int:
    """List the problems; exit code 2 when one of them is an error."""
    read = read_settings(flags, paths=tuple(flags.paths), lenient=True)
    with project_read_once(read.config) as project, tidying_at_signals():
        pins = _pins(project)
        around = Around(
            tuple(read.problems),
            agent_problems(read.config, unmade_agents(read.config)),
            missing_grants(read.config),
            _unloaded(project, pins),
        )
        behind = left_behind(project, pins, _name_in_force(project, pins))
        problems = project_problems(project, around, behind)
        if flags.json:
            rows = [*map(problem_json, problems)]
            sys.stdout.write(json_text({"problems": rows}, indent=2) + "\n")
        else:
            for problem in problems:
                glyph = _OUTDATED if problem.code == OUTDATED else _GLYPHS[problem.severity]
                sys.stdout.write(f"{glyph:10}  {plain(str(problem))}\n")
            cases = sum(len(suite.cases) for suite in project.suites)
            proper = [problem.severity for problem in problems if problem.code != OUTDATED]
            counts = [proper.count(kind) for kind in Severity]
            outdated = len(problems) - len(proper)
            sys.stdout.write(
                f"{count(len(project.suites), 'eval file')}, {count(cases, 'case')}, "
                f"{count(project.registry.size, 'tool')}, {count(len(proper), 'problem')}: "
                f"{count(counts[0], 'error')}, {count(counts[1], 'warning')}, "
                f"{count(counts[2], 'lint finding')}"
                + (f", {outdated:,} outdated\n" if outdated else "\n")
            )
        has_errors = any(problem.severity is Severity.ERROR for problem in problems)
        return ExitCode.USAGE if has_errors else ExitCode.OK


def _pins(project: Project) -> Pinned:
    """A damaged list is left alone: nothing is written here."""
    pins = Pinned(pins_folder(project.config))
    pins.listed.follow()
    return pins


def _unloaded(project: Project, pins: Pinned) -> tuple[Problem, ...]:
    """What of the baselines in force cannot be read."""
    found: list[Problem] = []
    name_in_force, shown = _name_in_force(project, pins), project.shown(pins.folder)
    for agent in pins.listed.agents():
        name = name_in_force(agent)
        if any(one.is_by_other_rules for one in pins.in_force(agent, name)):
            from evaltui.project.pins_by_rules import not_judged_again, pinned_by_rules_of_now

            baselines = pinned_by_rules_of_now(pins, agent, name, project)
            found += not_judged_again(baselines, agent, shown)
    found += pins.problems
    return (*found, pins.listed.unread) if pins.listed.unread is not None else tuple(found)


def _name_in_force(project: Project, pins: Pinned) -> Callable[[str], str]:
    wanted = project.config.baseline_run_id or ""
    return lambda agent: pins.listed.name_in_force(agent, wanted)
