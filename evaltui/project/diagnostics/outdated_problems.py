"""Problems for suites that were written for another description of their tool."""

from collections.abc import Iterator

from evaltui.core.errors import Problem, Severity
from evaltui.expectations.outdated import outdated
from evaltui.project.diagnostics.findings import place_of
from evaltui.project.project import Project

OUTDATED = "outdated"
"""Code of these: they are marks of suites, and are counted apart from what is wrong in a file."""
_KEY = "metadata.descriptionHash"
_HINT = "Look through its cases; `u` in the dashboard then accepts the description."


def outdated_problems(project: Project) -> Iterator[Problem]:
    """A warning for each: those that the board marks as outdated. Opens their files."""
    for file in project.files.values():
        found = outdated(file.suite, project.registry) if file.suite is not None else None
        if found is None or not found.is_outdated or not file.is_current:
            continue
        line, column = place_of(file, _KEY)
        what = found.warnings[0]
        yield Problem(file.id, what, _HINT, line, column, _KEY, Severity.WARNING, OUTDATED)
