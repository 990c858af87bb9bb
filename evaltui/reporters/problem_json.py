"""A problem of a file as JSON, the same for every command and over HTTP."""

from evaltui.core.errors import Problem
from evaltui.core.json_value import Json
from evaltui.core.key_path import parse_key


def problem_json(problem: Problem) -> dict[str, Json]:
    """With a JSON Pointer (RFC 6901) to the value that is wrong."""
    steps = (str(part).replace("~", "~0").replace("/", "~1") for part in parse_key(problem.key))
    return {
        "file": problem.file,
        "line": problem.line,
        "column": problem.column,
        "pointer": "".join(f"/{step}" for step in steps) if problem.key else "",
        "message": problem.what,
        "hint": problem.hint,
        "severity": problem.severity.value,
        "code": problem.code,
        "case": problem.case,
    }
