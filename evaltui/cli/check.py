"""`evaltui check`: reads everything, runs nothing, lists every problem with its place."""

import sys
from argparse import Namespace

from evaltui.cli.exit_code import ExitCode
from evaltui.cli.flags import AddCommand, add_json, add_project_flags
from evaltui.cli.settings import read_settings
from evaltui.core.errors import Severity
from evaltui.disk.baselines.pinned import Pinned
from evaltui.disk.baselines.pins import pins_folder
from evaltui.project import (
    agent_problems,
    left_out,
    project_problems,
    project_read_once,
    unmade_agents,
)
from evaltui.project.diagnostics.outdated_problems import OUTDATED, outdated_problems
from evaltui.project.left_behind import LeftBehind, left_behind
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
    with project_read_once(read.config) as project:
        agents = agent_problems(read.config, unmade_agents(read.config))
        others = (
            *read.problems,
            *agents,
            *left_out(read.config),
            *outdated_problems(project),
        )
        problems = project_problems(project, others, _left_behind(project))
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


def _left_behind(project: Project) -> tuple[LeftBehind, ...]:
    """What is pinned, in the baseline in force, under the old name of a file or case."""
    pins = Pinned(pins_folder(project.config))
    pins.follow()  # a damaged list is left alone: nothing is written here
    wanted = project.config.baseline_run_id or ""
    return left_behind(project, pins, lambda agent: pins.name_in_force(agent, wanted))
