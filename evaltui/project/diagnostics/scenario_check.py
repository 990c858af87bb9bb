"""What would be wrong with a scenario file, before it is written."""

from hashlib import sha256
from pathlib import Path

from evaltui.core.errors import Problem
from evaltui.formats import read_suite
from evaltui.project.diagnostics.unknown_evaluators import unknown_evaluators
from evaltui.project.project import Project
from evaltui.project.suite_file import SuiteFile


def scenario_problems(project: Project, path: Path, content: bytes) -> tuple[Problem, ...]:
    """As of the same file on disk: mistakes of the format, evaluators that are not known, and
    settings of those that break their schema. Nothing is written."""
    read = read_suite(path, project.root, content)
    if read.suite is None:
        return read.problems
    file = SuiteFile(
        path,
        read.suite.id,
        sha256(content).digest(),
        read.suite,
        read.problems,
        has_evaluators=any(case.body.evaluators for case in read.suite.cases),
    )
    return (*read.problems, *unknown_evaluators(project, file, content))
