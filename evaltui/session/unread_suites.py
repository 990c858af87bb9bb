"""Eval files that could not be read since the start: what is known of them from their results."""

import asyncio
from collections.abc import Iterator

from evaltui.core.case import Case, ContractCase
from evaltui.core.errors import UNREADABLE, Problem, Severity
from evaltui.core.suite import Suite
from evaltui.disk.history.history import History
from evaltui.disk.history.history_file import HistoryError
from evaltui.formats.naming import tier_of
from evaltui.project import Project
from evaltui.session.damage_reports import DamageReports


class UnreadSuites:
    """As of the last reading; none as long as nobody wants them to be kept."""

    def __init__(self, damage: DamageReports) -> None:
        self.suites: tuple[Suite, ...] = ()
        self.are_kept = False
        """Whether the known cases of files that cannot be read are shown."""
        self._damage = damage
        self._looked_for: set[str] = set()
        """Files without a good version when their known cases were looked for last."""

    async def find(self, project: Project, history: History) -> None:
        """After each reading. A history that cannot be read is told of."""
        unread = {file.id for file in project.files.values() if file.suite is None}
        kept = tuple(suite for suite in self.suites if suite.id in unread)
        if self.are_kept and unread != self._looked_for:
            self._looked_for = unread
            try:
                found = await asyncio.to_thread(unread_suites, project, history)
            except HistoryError as error:
                what = f"the known cases of files that cannot be read are not shown: {error}"
                problem = Problem("", what, severity=Severity.WARNING, code="history")
                self._damage.report(problem)
            else:
                known = {suite.id: suite for suite in kept}
                kept = tuple(known.get(suite.id, suite) for suite in found)
        self.suites = kept


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
