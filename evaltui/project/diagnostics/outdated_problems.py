"""Problems for suites that were written for another description, version or size of registry."""

from collections.abc import Iterator

from evaltui.core.errors import Problem, Severity
from evaltui.expectations.outdated import outdated
from evaltui.project.diagnostics.findings import place_of
from evaltui.project.project import Project
from evaltui.project.suite_file import SuiteFile

OUTDATED = "outdated"
"""Code of these: they are marks of suites, and are counted apart from what is wrong in a file."""
_KEY = "metadata.descriptionHash"
_HINT = "Look through its cases; `u` in the dashboard then accepts the description."
_DOUBT_HINTS = {
    "registrySize": "Look which new tools its cases should accept; then correct `{key}`.",
    "toolVersion": "Look whether its parameters are still right; then correct `{key}`.",
}


def outdated_problems(project: Project) -> Iterator[Problem]:
    """A warning for each: those that the board marks as outdated. Opens their files."""
    for file in project.files.values():
        found = outdated(file.suite, project.registry) if file.suite is not None else None
        if found is None or not found.is_outdated or not file.is_current:
            continue
        line, column = place_of(file, _KEY)
        what = found.warnings[0]
        yield Problem(file.id, what, _HINT, line, column, _KEY, Severity.WARNING, OUTDATED)


def doubtful_metadata(project: Project, file: SuiteFile) -> Iterator[Problem]:
    """A finding for each change that leaves the suite in force: of the registry's size, or of the
    tool's major version."""
    if file.suite is None:
        return
    for field, said in outdated(file.suite, project.registry).doubts:
        key = f"metadata.{field}"
        line, column = place_of(file, key)
        hint = _DOUBT_HINTS[field].format(key=key)
        yield Problem(file.id, said, hint, line, column, key, Severity.LINT, "outdated-metadata")
