"""What of the cases of a run cannot be judged as it is written: whoever starts one says so."""

from collections.abc import Collection

from evaltui.core.case import CaseKey
from evaltui.core.errors import Problem
from evaltui.project.diagnostics.misspelt_assertions import misspelt_assertions
from evaltui.project.diagnostics.unknown_evaluators import unusable_evaluators
from evaltui.project.project import Project


def run_mistakes(project: Project, keys: Collection[CaseKey]) -> tuple[Problem, ...]:
    """Evaluators that cannot be used and keys that only look like an assertion, of these cases."""
    return (*unusable_evaluators(project, keys), *misspelt_assertions(project, keys))
