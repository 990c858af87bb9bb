"""Mistakes on standard error: sentences for people, one JSON line for programs."""

import json
import sys
from collections.abc import Collection

from evaltui.core.errors import Problem, UserError
from evaltui.reporters.ansi import inert_json, plain
from evaltui.reporters.problem_json import problem_json


def complain(error: UserError, *, is_json: bool) -> None:
    """Say what is wrong and what to do about it."""
    if is_json:
        _write_json(error.what, error.hint, error.problems)
        return
    for problem in error.problems:
        sys.stderr.write(f"{plain(str(problem))}\n")
    sys.stderr.write(f"evaltui: {plain(str(error))}\n")


def complain_of(problems: Collection[Problem], *, is_json: bool) -> None:
    """List problems that a command could work around, but that its exit code tells of."""
    if is_json:
        what = f"{len(problems)} problems in the project's files or around the run"
        _write_json(what, "Correct them and run again.", problems)
        return
    for problem in problems:
        sys.stderr.write(f"{plain(str(problem))}\n")


def _write_json(what: str, hint: str, problems: Collection[Problem]) -> None:
    listed = [*map(problem_json, problems)]
    body = {"code": "usage", "message": what, "hint": hint, "problems": listed}
    sys.stderr.write(inert_json(json.dumps({"error": body})) + "\n")
