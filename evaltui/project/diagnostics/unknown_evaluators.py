"""Evaluators of cases that nobody registered, and settings of them that break their schema."""

from collections import Counter
from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from evaltui.core.case import SCENARIO_ID, CaseKey
from evaltui.core.did_you_mean import few
from evaltui.core.errors import Problem, Severity
from evaltui.core.key_path import format_key
from evaltui.core.permit import not_trusted
from evaltui.evaluators.registry import EvaluatorRegistry
from evaltui.evaluators.use_mistakes import use_mistakes
from evaltui.project.diagnostics.findings import placed_in
from evaltui.project.diagnostics.named_by_settings import evaluator_problems
from evaltui.project.project import Project
from evaltui.project.suite_file import SuiteFile
from evaltui.project.trust import evaluator_grants, permit_of

UNKNOWN, WRONG_CONFIG = "unknown-evaluator", "evaluator-config"
UNCHECKED = "unchecked-evaluator"
REPEATED = "repeated-metric"
_HOW = "The other problems say which were not, and why; correct that first."


def unknown_evaluators(
    project: Project, file: SuiteFile, content: bytes | None = None
) -> tuple[Problem, ...]:
    """All of one file, each at its place; a type that is not known only if all were loaded.

    `content`: of a file that is not written yet.
    """
    return _without_repeats(_of_cases(project, file, content))


def unusable_evaluators(project: Project, keys: Iterable[CaseKey]) -> tuple[Problem, ...]:
    """Of these cases only: mistakes for which they cannot be judged."""
    cases = frozenset(keys)
    suites = {key.suite for key in cases}
    return _without_repeats(
        one
        for file in project.files.values()
        if file.suite is not None and file.suite.id in suites and file.is_current
        for one in _of_cases(project, file)
        if one.severity is Severity.ERROR and CaseKey(file.suite.id, one.case) in cases
    )


def unchecked_evaluators(project: Project, files: Iterable[SuiteFile]) -> tuple[Problem, ...]:
    """Those that may be in what was not loaded: neither their type nor their settings could be
    looked at. They have one cause, so they are one problem, at the first of them."""
    if project.evaluators.is_complete:
        return ()
    known, types, first = project.evaluator_registry, Counter[str](), tuple[Problem, ...]()
    for file in files:
        seen = set[tuple[object, int]]()
        for index, case in enumerate(file.suite.cases if file.suite is not None else ()):
            written = case.extra.get(SCENARIO_ID, index)  # it is a case for each of its personas
            for number, use in enumerate(case.body.evaluators):
                if known.registered(use.type) is not None or (written, number) in seen:
                    continue
                seen.add((written, number))
                types[use.type] += 1
                if not first:
                    key = format_key(("cases", index, "evaluators", number, "type"))
                    at = Problem(file.id, "", _HOW, key=key, code=UNCHECKED, case=case.id)
                    first = placed_in(file, [at])
    uses = types.total()
    where = f", in {uses:,} places" if uses > 1 else ""
    what = f"{few([*types])} cannot be checked{where}: not all evaluators were loaded"
    return tuple(replace(one, what=what) for one in first)


def why_unchecked(project: Project) -> tuple[Problem, ...]:
    """Why not all evaluators were loaded: what is wrong with them, and what nobody agreed to."""
    missing = permit_of(project.config).missing(evaluator_grants(project.config))
    loaded = evaluator_problems(project.config, project.evaluators)
    return (*loaded, *map(not_trusted, missing))


def _of_cases(
    project: Project, file: SuiteFile, content: bytes | None = None
) -> tuple[Problem, ...]:
    """Of each case its own."""
    if file.suite is None or not file.has_evaluators:
        return ()
    registry = project.evaluator_registry
    found = [*_mistakes(file, registry, is_complete=project.evaluators.is_complete)]
    return placed_in(file, found, content) if found else ()


def _without_repeats(found: Iterable[Problem]) -> tuple[Problem, ...]:
    """The first of each place: a scenario is a case for each of its personas."""
    first: dict[tuple[str, str, str], Problem] = {}
    for one in found:
        first.setdefault((one.file, one.key, one.what), one)
    return tuple(first.values())


def _mistakes(
    file: SuiteFile, registry: EvaluatorRegistry, *, is_complete: bool
) -> Iterator[Problem]:
    assert file.suite is not None
    for index, case in enumerate(file.suite.cases):
        seen: set[str] = set()
        for number, use in enumerate(case.body.evaluators):
            name = case.body.evaluator_names[number]  # of a trace each has its own
            path = ("cases", index, "evaluators", number)
            known = registry.registered(use.type)
            if known is not None and known.definition.kind == "metric" and name in seen:
                what = f"The metric `{use.type}` stands twice; `metrics` has the last value only"
                hint = "Remove one, if they need not both be seen among the verdicts."
                key = format_key((*path, "type"))
                yield Problem(file.id, what, hint, 0, 0, key, Severity.LINT, REPEATED, case=case.id)
            seen.add(name)
            if known is None and not is_complete:
                continue  # it may be one of those that were not loaded
            for mistake in use_mistakes(use, registry):
                what = f"{mistake.what[:1].upper()}{mistake.what[1:]}"
                if known is not None:
                    what = f"`config` of `{use.type}`: {mistake.what}"
                key, code = format_key((*path, *mistake.path)), WRONG_CONFIG if known else UNKNOWN
                yield Problem(file.id, what, mistake.hint, key=key, code=code, case=case.id)
