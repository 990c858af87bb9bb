"""Which cases somebody means who names paths, tiers, a text, or what failed last time."""

from collections.abc import Collection, Iterable
from pathlib import Path

from evaltui.core.case import Case, CaseKey
from evaltui.core.did_you_mean import did_you_mean, few
from evaltui.core.errors import UserError
from evaltui.core.suite import Suite
from evaltui.formats import suite_id
from evaltui.project.glob_pattern import glob_pattern, is_glob
from evaltui.session.session import Session
from evaltui.settings.flags import seen_from


def select(
    session: Session,
    named: Collection[CaseKey] | None = None,
    *,
    text: str = "",
    tiers: Collection[str] = (),
    only_failed: bool = False,
) -> tuple[CaseKey, ...]:
    """Those of the `named` cases, of all for `None`, that match all the rest, in file order."""
    text = text.lower()
    failed = _failed_keys(session) if only_failed else None
    return tuple(
        case.key
        for suite in session.store.suites
        for case in suite.cases
        if (named is None or case.key in named)
        and (not tiers or case.tier in tiers)
        and (not text or text in _searched(suite, case))
        and (failed is None or case.key in failed)
    )


def cases_at(session: Session, paths: Iterable[str], start: Path) -> set[CaseKey]:
    """Cases of `PATH` and `PATH::CASE`, seen from `start`.

    Raises UserError for a case that its file does not have.
    """
    keys: set[CaseKey] = set()
    for path in paths:
        file, name = CaseKey.parse(path)
        suites = _suites_at(file, session, start)
        cases = [case for suite in suites for case in suite.cases]
        found = {case.key for case in cases if not name or name in case.names}
        if suites and not found and name:
            ids = [case.id for case in cases]
            hint = did_you_mean(name, ids) or f"It has {few(ids)}."
            raise UserError(f"`{file}` has no case `{name}`.", hint)
        keys |= found
    return keys


def _suites_at(file: str, session: Session, start: Path) -> list[Suite]:
    """What was read from a file, a folder or the files of a glob."""
    suites = session.store.suites
    if is_glob(file):
        matches = glob_pattern(file).fullmatch
        return [suite for suite in suites if matches(suite.id)]
    place = suite_id(seen_from(file, start), session.config.root)
    is_all = place == "."
    return [one for one in suites if is_all or one.id == place or one.id.startswith(f"{place}/")]


def _failed_keys(session: Session) -> set[CaseKey]:
    return {
        row.key
        for agent in session.agents
        for row in session.store.board(agent).rows.values()
        if row.is_failing
    }


def _searched(suite: Suite, case: Case) -> str:
    return f"{case.id} {case.description} {suite.tool_name}".lower()
