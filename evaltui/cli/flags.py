"""Flags that commands share; those of one command are in its own file."""

from argparse import SUPPRESS, ArgumentParser
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias, get_args

from evaltui.core.config import RecordingMode

AddCommand: TypeAlias = Callable[..., ArgumentParser]
"""Makes the parser of a command of this name; takes what ArgumentParser takes."""


def add_dashboard_flags(parser: ArgumentParser) -> None:
    parser.add_argument("--version", "-V", action="store_true", help="print the version and exit")
    parser.add_argument("--replay", metavar="FILE", help="play a recorded run (.jsonl)")
    parser.add_argument("--theme", metavar="NAME", help="colour theme of the dashboard")
    parser.add_argument("--ascii", action="store_true", help="draw with ASCII characters only")


def add_root(parser: ArgumentParser) -> None:
    # Without a default, so that a command does not undo what was given before its name.
    parser.add_argument(
        "-C", "--root", type=Path, default=SUPPRESS, metavar="DIR", help="project folder"
    )


def add_project_flags(parser: ArgumentParser) -> None:
    """What a project is read with; absent from the flags unless they were given."""
    group = parser.add_argument_group("project")
    add, unset = group.add_argument, SUPPRESS
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
    add("--seed", default=unset, metavar="FILE", help="file with the values of {{seed:…}}")
    add("--output-dir", default=unset, metavar="DIR", help="folder for result files")
    add(
        "--baseline",
        default=unset,
        metavar="RUN",
        help="baseline to compare with: a run id or a name",
    )
    add(
        "--snapshot",
        default=unset,
        metavar="FILE|URL|COMMAND",
        help="source of the values of {{snapshot:…}}",
    )
    add("--concurrency", type=int, default=unset, metavar="N", help="cases to run at the same time")
    add(
        "--timeout-ms",
        type=int,
        default=unset,
        metavar="MS",
        help="time limit of a case in milliseconds",
    )
    add(
        "--call-at",
        type=float,
        default=unset,
        metavar="P",
        help="lowest probability at which the embedded agent calls a tool",
    )
    modes = get_args(RecordingMode)
    add(
        "--cassettes",
        choices=modes,
        default=unset,
        help="whether to record the agent's answers, or replay recorded ones",
    )
    what = "agree, for this command, to everything that the settings run and send"
    add("--trust", action="store_true", default=unset, help=what)
    add("--trials", type=int, default=unset, metavar="N", help="trials per case")


def add_json(parser: ArgumentParser, what: str = "one JSON document") -> None:
    parser.add_argument("--json", action="store_true", help=f"print {what}; errors as JSON too")


def number(text: str) -> float:
    """As people write one: `1_0`, and digits of other scripts, are typing errors. Raises
    ValueError."""
    return float(_typed(text))


def whole_number(text: str) -> int:
    """Likewise."""
    return int(_typed(text))


def _typed(text: str) -> str:
    if "_" in text or not text.isascii():
        raise ValueError(text)
    return text
