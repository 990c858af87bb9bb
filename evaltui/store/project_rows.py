"""The rows for the cases of a project, those that are known already among them."""

from collections.abc import Iterable, Mapping

from evaltui.core.case import CaseKey
from evaltui.core.suite import Suite
from evaltui.store.row import Row


def project_rows(
    known: Mapping[CaseKey, Row], suites: Iterable[Suite], outdated: frozenset[str]
) -> tuple[dict[CaseKey, Row], list[Row]]:
    """In the order of the files. Returns them all, and those of them that came or changed."""
    rows: dict[CaseKey, Row] = {}
    touched: list[Row] = []
    for suite in suites:
        is_outdated = suite.id in outdated
        for case in suite.cases:
            row = known.get(case.key) or rows.get(case.key)
            if row is None:
                row = Row(case.key, case, suite, is_outdated=is_outdated)
                touched.append(row)
            elif (
                row.case is not case or row.suite is not suite or row.is_outdated is not is_outdated
            ):
                row.case, row.suite, row.is_outdated = case, suite, is_outdated
                touched.append(row)
            rows[case.key] = row
    return rows, touched
