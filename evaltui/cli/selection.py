"""Which cases the flags of a command mean."""

from argparse import Namespace
from collections.abc import Iterable

from evaltui.cli.settings import start_folder
from evaltui.core.case import Case, CaseKey
from evaltui.core.did_you_mean import did_you_mean, few
from evaltui.core.errors import UserError
from evaltui.core.suite import Suite
from evaltui.formats import suite_id
from evaltui.project.glob_pattern import glob_pattern, is_glob
from evaltui.session import Session
from evaltui.settings.flags import seen_from
from evaltui.store.row import RowStatus

_NOT_PASSED = frozenset({RowStatus.FAILED, RowStatus.ERROR})


def files_of(paths: Iterable[str]) -> tuple[str, ...]:
    """The files of `PATH` and `PATH::CASE` arguments, each once."""
    return tuple(dict.fromkeys(path.partition("::")[0] for path in paths))


def select(session: Session, flags: Namespace) -> tuple[CaseKey, ...]:
    """Cases in file order that match `PATH::CASE`, `--tier`, `--filter` and `--failed`.

    Raises UserError for a case that its file does not have.
    """
    named = _named_cases(session, flags)
    tiers = set(getattr(flags, "tier", None) or ())
    text = (flags.filter or "").lower()
    failed = _failed_keys(session) if getattr(flags, "failed", False) else None
    return tuple(
        case.key
        for suite in session.store.suites
        for case in suite.cases
        if (named is None or case.key in named)
        and (not tiers or case.tier in tiers)
        and (not text or text in _searched(suite, case))
        and (failed is None or case.key in failed)
    )


def _named_cases(session: Session, flags: Namespace) -> set[CaseKey] | None:
    """Cases of the paths, each of its own; `None` when no path names one."""
    if not any("::" in path for path in flags.paths):
        return None
    keys: set[CaseKey] = set()
    for path in flags.paths:
        file, _, name = path.partition("::")
        suites = _suites_at(file, session, flags)
        found = {case.key for suite in suites for case in suite.cases if name in ("", case.id)}
        if suites and not found and name:
            ids = [case.id for suite in suites for case in suite.cases]
            hint = did_you_mean(name, ids) or f"It has {few(ids)}."
            raise UserError(f"`{file}` has no case `{name}`.", hint)
        keys |= found
    return keys


def _suites_at(file: str, session: Session, flags: Namespace) -> list[Suite]:
    """What was read from a file, a folder or the files of a glob."""
    suites = session.store.suites
    if is_glob(file):
        matches = glob_pattern(file).fullmatch
        return [suite for suite in suites if matches(suite.id)]
    place = suite_id(seen_from(file, start_folder(flags)), session.config.root)
    is_all = place == "."
    return [one for one in suites if is_all or one.id == place or one.id.startswith(f"{place}/")]


def _failed_keys(session: Session) -> set[CaseKey]:
    return {
        row.key
        for agent in session.agents
        for row in session.store.board(agent).rows.values()
        if row.status in _NOT_PASSED
    }


def _searched(suite: Suite, case: Case) -> str:
    return f"{case.id} {case.description} {suite.tool_name}".lower()
