"""Which cases the flags of a command mean."""

from argparse import Namespace
from collections.abc import Iterable

from evaltui.core.case import Case, CaseKey
from evaltui.core.result import CaseStatus
from evaltui.core.suite import Suite
from evaltui.session import Session

_NOT_PASSED = frozenset({CaseStatus.FAILED, CaseStatus.ERROR})


def files_of(paths: Iterable[str]) -> tuple[str, ...]:
    """The files of `PATH` and `PATH::CASE` arguments, each once."""
    return tuple(dict.fromkeys(path.partition("::")[0] for path in paths))


def select(session: Session, flags: Namespace) -> tuple[CaseKey, ...]:
    """Cases in file order that match `PATH::CASE`, `--tier`, `--filter` and `--failed`."""
    named = _named_cases(flags.paths)
    tiers = set(getattr(flags, "tier", None) or ())
    text = (flags.filter or "").lower()
    failed = _failed_keys(session) if getattr(flags, "failed", False) else None
    return tuple(
        case.key
        for suite in session.store.suites
        for case in suite.cases
        if (named is None or case.id in named)
        and (not tiers or case.tier in tiers)
        and (not text or text in _searched(suite, case))
        and (failed is None or case.key in failed)
    )


def _named_cases(paths: Iterable[str]) -> set[str] | None:
    """Case ids asked for; `None` when a whole file or folder was asked for too, or nothing was."""
    cases = {path.partition("::")[2] for path in paths}
    return cases if cases and "" not in cases else None


def _failed_keys(session: Session) -> set[CaseKey]:
    return {
        row.key
        for agent in session.agents
        for row in session.store.board(agent).rows.values()
        if row.result is not None and row.result.status in _NOT_PASSED
    }


def _searched(suite: Suite, case: Case) -> str:
    return f"{case.id} {case.description} {suite.tool_name}".lower()
