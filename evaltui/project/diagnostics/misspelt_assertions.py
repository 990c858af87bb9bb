"""Keys that look like an assertion but check nothing, so that a run would be green regardless."""

from collections.abc import Iterable

from evaltui.core.case import CaseKey
from evaltui.core.errors import UNKNOWN_KEY, Problem, Severity
from evaltui.expectations import ASSERTIONS
from evaltui.project.diagnostics.findings import lint_findings
from evaltui.project.project import Project


def misspelt_assertions(project: Project, keys: Iterable[CaseKey]) -> tuple[Problem, ...]:
    """Of these cases only. A file is looked at closely where one of its cases has such a key."""
    cases = frozenset(keys)
    suites = {key.suite for key in cases}
    known = ASSERTIONS.keys()
    return tuple(
        one
        for file in project.files.values()
        if file.suite is not None and file.suite.id in suites and file.is_current
        if any(case.expect is not None and case.expect.keys() - known for case in file.suite.cases)
        for one in lint_findings(file)
        if one.code == UNKNOWN_KEY and one.severity is Severity.ERROR
        if CaseKey(file.suite.id, one.case) in cases
    )
