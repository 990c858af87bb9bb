"""Every command and flag, as argparse sees them."""

import argparse
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NoReturn, TypeAlias, get_args

from evaltui.core.case import Tier
from evaltui.core.config import FailOn, RecordingMode

TIERS = tuple(tier.value for tier in Tier)
CASSETTES = get_args(RecordingMode)
FAIL_ON = get_args(FailOn)
PIN_ACTIONS = {
    "pin": "make the last results the baseline",
    "unpin": "forget a baseline",
    "list": "show what is pinned",
    "diff": "compare the last results with the baseline",
}


class _Help(argparse.HelpFormatter):
    """Knows the width by itself: argparse makes one for every flag, and asks `shutil` each time,
    which imports three compressors."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=_columns() - 2)


class _Parser(argparse.ArgumentParser):
    def __init__(self, **options: Any) -> None:
        super().__init__(**{"formatter_class": _Help, **options})


class _Unclear(Exception):
    """There is something to say that takes the whole command line."""


class _FlagsOnly(_Parser):
    """Knows no command, so it has nothing to say about them."""

    def error(self, message: str) -> NoReturn:
        raise _Unclear(message)

    def print_help(self, file: object = None) -> NoReturn:  # noqa: ARG002
        raise _Unclear


_Commands: TypeAlias = "argparse._SubParsersAction[_Parser]"


def parse(argv: Sequence[str]) -> argparse.Namespace:
    """Flags and command of one line. Raises SystemExit after help or a complaint.

    Commands that it does not name are not built: to build them all takes longer than to parse.
    """
    if _COMMANDS.keys().isdisjoint(argv):
        parser = _FlagsOnly()
        parser.set_defaults(command=None)
        _add_dashboard_flags(parser)
        _add_project_flags(parser)
        with suppress(_Unclear):
            return parser.parse_args(argv)
    return make_parser(argv[0] if argv and argv[0] in _COMMANDS else "").parse_args(argv)


def make_parser(only: str = "") -> _Parser:
    """The whole command line; `command` is empty for the dashboard.

    With `only`, a command that is known to come first, no other command is there.
    """
    parser = _Parser(
        prog="evaltui",
        description="Reruns exactly the evals that a tool change can affect.",
        epilog="Without a command: the dashboard for the project in this folder.",
    )
    _add_dashboard_flags(parser)
    if not only:
        _add_project_flags(parser)
    commands = parser.add_subparsers(
        dest="command", metavar="COMMAND", title="commands", prog="evaltui"
    )
    project = _Parser(add_help=False)
    _add_project_flags(project)
    for name, add in _COMMANDS.items():
        if only in ("", name):
            add(commands, project)
    return parser


def _columns() -> int:
    with suppress(ValueError):
        return int(os.environ.get("COLUMNS", ""))
    with suppress(OSError, ValueError, AttributeError):
        return os.get_terminal_size(sys.__stdout__.fileno()).columns  # type: ignore[union-attr]
    return 80


def _add_dashboard_flags(parser: _Parser) -> None:
    parser.add_argument("--version", "-V", action="store_true", help="print the version and exit")
    parser.add_argument("--replay", metavar="FILE", help="play a recorded run (.jsonl)")
    parser.add_argument("--theme", metavar="NAME", help="colour theme of the dashboard")
    parser.add_argument("--ascii", action="store_true", help="draw with ASCII characters only")


def _add_project_flags(parser: _Parser) -> None:
    add = parser.add_argument_group("project").add_argument
    unset = argparse.SUPPRESS
    add("-C", "--root", type=Path, default=unset, metavar="DIR", help="project folder")
    add("--config", default=unset, metavar="FILE", help="settings file")
    add(
        "--agent",
        action="append",
        default=unset,
        metavar="NAME|URL",
        help="agent under test: embedded, a profile's name, or a URL; repeat for a matrix",
    )
    add(
        "--registry",
        action="append",
        default=unset,
        metavar="PATH",
        help="tool definitions; repeat to merge several sources",
    )
    add("--seed", default=unset, metavar="FILE", help="seed manifest")
    add("--output-dir", default=unset, metavar="DIR", help="folder of result files")
    add("--baseline", default=unset, metavar="RUN", help="run id or baseline name to compare with")
    add("--snapshot", default=unset, metavar="FILE|URL|COMMAND", help="source of live values")
    add("--concurrency", type=int, default=unset, metavar="N", help="cases in flight")
    add("--timeout-ms", type=int, default=unset, metavar="MS", help="time limit of a case")
    add("--call-at", type=float, default=unset, metavar="P", help="embedded agent's threshold")
    add("--cassettes", choices=CASSETTES, default=unset, help="record answers, or replay them")
    add("--trials", type=int, default=unset, metavar="N", help="attempts per case")


def _add_run(
    commands: _Commands,
    project: _Parser,
) -> None:
    from evaltui.reporters import REPORTERS

    run = commands.add_parser("run", parents=[project], help="run the evals, for scripts and CI")
    add = run.add_argument
    add("paths", nargs="*", metavar="PATH[::CASE]", help="eval files, folders or single cases")
    add("--filter", metavar="TEXT", help="cases whose id, description or tool holds TEXT")
    add("--tier", action="append", choices=TIERS, help="only these tiers")
    add("--failed", action="store_true", help="only what failed last time")
    add("--resume", action="store_true", help="only what has no result yet, or an outdated one")
    add(
        "--reporter",
        action="append",
        metavar="NAME[=FILE]",
        help=f"{', '.join(REPORTERS)}; repeatable; console without",
    )
    add("--fail-on", action="append", choices=FAIL_ON, help="what makes the exit code 1")
    add("--explain", action="store_true", help="say why the embedded agent chose its tools")
    _add_json(run)


def _add_baseline(
    commands: _Commands,
    project: _Parser,
) -> None:
    baseline = commands.add_parser("baseline", help="pin, unpin, list and compare baselines")
    actions = baseline.add_subparsers(dest="action", metavar="ACTION", required=True)
    for name, text in PIN_ACTIONS.items():
        action = actions.add_parser(name, parents=[project], help=text)
        action.add_argument("paths", nargs="*", metavar="PATH", help="eval files; all without")
        action.add_argument("--name", default="default", help="name of the baseline")
        action.add_argument("--filter", metavar="TEXT", help="cases that hold TEXT")
        _add_json(action)


def _add_tools(commands: _Commands, project: _Parser) -> None:
    tools = commands.add_parser("tools", parents=[project], help="list tool definitions as read")
    _add_json(tools)


def _add_check(commands: _Commands, project: _Parser) -> None:
    check = commands.add_parser(
        "check", parents=[project], help="read everything, run nothing, list every problem"
    )
    check.add_argument("paths", nargs="*", metavar="PATH", help="eval files or folders")
    _add_json(check)


def _add_init(commands: _Commands, project: _Parser) -> None:  # noqa: ARG001
    init = commands.add_parser("init", help="write a commented evaltui.toml for this folder")
    init.add_argument("--force", action="store_true", help="replace an evaltui.toml")
    init.add_argument(
        "-C", "--root", type=Path, default=Path(), metavar="DIR", help="project folder"
    )
    _add_json(init)


def _add_demo(commands: _Commands, project: _Parser) -> None:  # noqa: ARG001
    demo = commands.add_parser("demo", help="try it on a copy of the sample project")
    demo.add_argument("--plain", action="store_true", help="run without the dashboard")
    demo.add_argument("--theme", default=argparse.SUPPRESS, help="colour theme")
    demo.add_argument("--ascii", action="store_true", default=argparse.SUPPRESS, help="ASCII only")


def _add_completion(
    commands: _Commands,
    project: _Parser,  # noqa: ARG001
) -> None:
    completion = commands.add_parser("completion", help="print a shell completion script")
    completion.add_argument("shell", choices=("bash", "zsh", "tcsh"))


def _add_schema(commands: _Commands, project: _Parser) -> None:  # noqa: ARG001
    schema = commands.add_parser("schema", help="JSON Schemas of settings and eval files")
    actions = schema.add_subparsers(dest="action", metavar="ACTION", required=True)
    show = actions.add_parser("show", help="print a schema; without a name: list them")
    show.add_argument("name", nargs="?", metavar="NAME", help="e.g. settings or evals")
    _add_json(show)


def _add_json(parser: _Parser) -> None:
    parser.add_argument("--json", action="store_true", help="one JSON document, errors as JSON")


_COMMANDS = {
    "run": _add_run,
    "tools": _add_tools,
    "check": _add_check,
    "baseline": _add_baseline,
    "init": _add_init,
    "demo": _add_demo,
    "schema": _add_schema,
    "completion": _add_completion,
}
