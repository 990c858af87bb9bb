"""Evaluators of cases that nobody registered, and settings of them that break their schema."""

from collections.abc import Iterator

from evaltui.core.did_you_mean import did_you_mean
from evaltui.core.errors import Problem, Severity
from evaltui.core.key_path import format_key
from evaltui.evaluators.registry import EvaluatorRegistry
from evaltui.project.findings import placed_in
from evaltui.project.project import Project
from evaltui.project.suite_file import SuiteFile

UNKNOWN, WRONG_CONFIG = "unknown-evaluator", "evaluator-config"
REPEATED = "repeated-metric"


def unknown_evaluators(
    project: Project, file: SuiteFile, content: bytes | None = None
) -> tuple[Problem, ...]:
    """All of one file, each at its place; a type that is not known only if all were loaded.

    `content`: of a file that is not written yet.
    """
    if file.suite is None or not file.has_evaluators:
        return ()
    registry = project.evaluator_registry
    found = [*_mistakes(file, registry, is_complete=project.evaluators.is_complete)]
    return placed_in(file, found, content) if found else ()


def _mistakes(
    file: SuiteFile, registry: EvaluatorRegistry, *, is_complete: bool
) -> Iterator[Problem]:
    assert file.suite is not None
    for index, case in enumerate(file.suite.cases):
        seen: set[str] = set()
        for number, use in enumerate(case.body.evaluators):
            path = ("cases", index, "evaluators", number)
            known = registry.registered(use.type)
            if known is not None and known.definition.kind == "metric" and use.type in seen:
                what = f"The metric `{use.type}` stands twice; `metrics` has the last value only"
                hint = "Remove one, if they need not both be seen among the verdicts."
                key = format_key((*path, "type"))
                yield Problem(file.id, what, hint, 0, 0, key, Severity.LINT, REPEATED, case=case.id)
            seen.add(use.type)
            if known is None:
                if is_complete:
                    what = f"There is no evaluator `{use.type}`"
                    hint = did_you_mean(use.type, registry.types())
                    hint = hint or "`evaltui evaluators list` has all of them."
                    key = format_key((*path, "type"))
                    yield Problem(file.id, what, hint, key=key, code=UNKNOWN, case=case.id)
                continue
            if known.schema is None:
                continue
            for mistake in known.schema.mistakes(dict(use.config)):
                what = f"`config` of `{use.type}`: {mistake.what}"
                hint = mistake.hint
                hint = hint or f"`evaltui evaluators list --json` has the schema of `{use.type}`."
                key = format_key((*path, "config", *mistake.path))
                yield Problem(file.id, what, hint, key=key, code=WRONG_CONFIG, case=case.id)
