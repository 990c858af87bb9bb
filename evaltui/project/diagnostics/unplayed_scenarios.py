"""Scenarios in which nobody can write the user's next line, so that they are not run."""

from collections.abc import Iterator

from evaltui.core.case import SCENARIO_ID
from evaltui.core.errors import Problem, Severity
from evaltui.core.key_path import format_key
from evaltui.project.diagnostics.findings import placed_in
from evaltui.project.project import Project
from evaltui.project.suite_file import SuiteFile
from evaltui.scenarios.certain import NO_PLAYER, without_player

UNPLAYED = "unplayed-scenario"


def unplayed_scenarios(project: Project, file: SuiteFile) -> tuple[Problem, ...]:
    """Of one file, each at its place: those that no model judges either, by which one could tell
    that they take a model."""
    if file.suite is None or project.config.judge is not None:
        return ()
    found = [*_found(file)]
    return placed_in(file, found) if found else ()


def _found(file: SuiteFile) -> Iterator[Problem]:
    assert file.suite is not None
    seen = set[object]()
    for index, case in enumerate(file.suite.cases):
        written = case.extra.get(SCENARIO_ID, index)  # it is a case for each of its personas
        ways = "" if case.invalid or written in seen else without_player(case)
        if not ways:
            continue
        seen.add(written)
        what = f"{NO_PLAYER[:1].upper()}{NO_PLAYER[1:]}: the scenario is not run"
        hint, key = f"{ways[:1].upper()}{ways[1:]}.", format_key(("cases", index))
        yield Problem(file.id, what, hint, 0, 0, key, Severity.WARNING, UNPLAYED, case=case.id)
