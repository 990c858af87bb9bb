"""That the commit is not written down with a run, since git was not asked for it."""

import sys
from argparse import Namespace
from pathlib import Path

from evaltui.disk.git_repository import HOW_TO_ASK, why_unasked
from evaltui.project.trust import is_agreed_by_environment
from evaltui.reporters.ansi import plain


def tell_unasked(is_agreed: bool) -> None:
    """Say why on standard error; nothing where git is asked, or there is no repository."""
    if not is_agreed and (why := why_unasked(Path.cwd())):
        said = f"Which commit this is, is not known: git was not asked, as {why}. {HOW_TO_ASK}"
        sys.stderr.write(f"{plain(said)}\n")


def agreed_or_told(flags: Namespace) -> bool:
    """Whether the command or the environment agrees; else it is told where git is not asked."""
    agreed = bool(getattr(flags, "trust", False)) or is_agreed_by_environment()
    tell_unasked(agreed)
    return agreed
