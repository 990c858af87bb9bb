"""Eval files that could not be read since the start: what is known of them from their results."""

from collections.abc import Iterator

from evaltui.core.case import Case, ContractCase
from evaltui.core.errors import UNREADABLE
from evaltui.core.suite import Suite
from evaltui.disk.history import History
from evaltui.formats.naming import tier_of
from evaltui.project import Project


def unread_suites(project: Project, history: History) -> tuple[Suite, ...]:
    """One for each such file that has results, with their cases: shown, and never run.

    Raises HistoryError.
    """
    broken = {
        file.id
        for file in project.files.values()
        if file.suite is None and any(one.code in UNREADABLE for one in file.problems)
    }
    if not broken:
        return ()
    cases: dict[str, dict[str, Case]] = {}
    for case in _known(history):
        if case.key.suite in broken:
            cases.setdefault(case.key.suite, {}).setdefault(case.id, case)
    return tuple(
        Suite(id_, "", tier_of(None, id_, known), tuple(known.values()), "", is_unread=True)
        for id_, known in sorted(cases.items())
    )


def _known(history: History) -> Iterator[Case]:
    for agent in history.agents():
        for result in history.last_results(agent).results:
            yield Case(result.key, ContractCase(""), description=result.description)
