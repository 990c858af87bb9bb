"""Which cases the flags of a command mean."""

from argparse import Namespace
from collections.abc import Iterable

from evaltui.cli.settings import start_folder
from evaltui.core.case import CaseKey
from evaltui.session import Session
from evaltui.session.selection import cases_at
from evaltui.session.selection import select as select_cases


def files_of(paths: Iterable[str]) -> tuple[str, ...]:
    """The files of `PATH` and `PATH::CASE` arguments, each once."""
    return tuple(dict.fromkeys(CaseKey.parse(path).suite for path in paths))


def select(session: Session, flags: Namespace) -> tuple[CaseKey, ...]:
    """Cases in file order that match `PATH::CASE`, `--tier`, `--filter` and `--failed`.

    Raises UserError for a case that its file does not have.
    """
    # Files without a case are all that was read: the settings were read with them.
    names_cases = any(CaseKey.parse(path).case for path in flags.paths)
    return select_cases(
        session,
        cases_at(session, flags.paths, start_folder(flags)) if names_cases else None,
        text=flags.filter or "",
        tiers=getattr(flags, "tier", None) or (),
        only_failed=getattr(flags, "failed", False),
    )
