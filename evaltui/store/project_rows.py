"""The rows for the cases of a project, including those that are already known."""

from collections.abc import Collection, Mapping, Sequence

from msgspec.structs import replace

from evaltui.core.case import CaseKey
from evaltui.core.suite import Suite
from evaltui.store.row import Row


def project_rows(
    known: dict[CaseKey, Row],
    suites: Sequence[Suite],
    outdated: Collection[str],
    before: Sequence[Suite] = (),
) -> tuple[dict[CaseKey, Row], list[Row]]:
    """In the order of the files. Returns them all, and those of them that came or changed.

    `before`: the suites that `known` was made of. While the same cases stand in the same places
    it is that same object that is returned, and only the suites that changed are gone through.
    """
    if _have_same_cases(before, suites):
        changed = [
            suite
            for was, suite in zip(before, suites, strict=True)
            if was is not suite or _is_other(known, suite, suite.id in outdated)
        ]
        return known, [row for suite in changed for row in _followed(known, suite, outdated)]
    rows: dict[CaseKey, Row] = {}
    touched: list[Row] = []
    for suite in suites:
        for case in suite.cases:
            row = known.get(case.key) or rows.get(case.key)
            if row is None:
                row = Row(case.key, case, suite, is_outdated=suite.id in outdated)
                touched.append(row)
            rows[case.key] = row
        touched += _followed(rows, suite, outdated)
    for place, row in enumerate(rows.values()):
        row.place = place
    return rows, touched


def _have_same_cases(before: Sequence[Suite], now: Sequence[Suite]) -> bool:
    return len(before) == len(now) and all(
        was is suite
        or (
            was.id == suite.id
            and [case.key for case in was.cases] == [case.key for case in suite.cases]
        )
        for was, suite in zip(before, now, strict=True)
    )


def _is_other(known: Mapping[CaseKey, Row], suite: Suite, is_outdated: bool) -> bool:
    """Whether a suite that was not read again is outdated now, or no longer."""
    return bool(suite.cases) and known[suite.cases[0].key].is_outdated is not is_outdated


def _followed(rows: Mapping[CaseKey, Row], suite: Suite, outdated: Collection[str]) -> list[Row]:
    """Rows of the suite that say something else now; all of them follow it."""
    is_outdated, touched = suite.id in outdated, list[Row]()
    then: Suite | None = None
    is_same = False
    for case in suite.cases:
        row = rows[case.key]
        if row.suite is not then:
            then = row.suite
            is_same = then is suite or _without_cases(then) == _without_cases(suite)
        is_row_same = is_same and row.is_outdated is is_outdated
        if not (is_row_same and case.is_same_reading(row.case)):
            touched.append(row)
        row.case, row.suite, row.is_outdated = case, suite, is_outdated
    return touched


def _without_cases(suite: Suite) -> Suite:
    """What it says of all of its cases."""
    return replace(suite, cases=(), file_hash="")
