"""What the system refuses to write of a baseline, and what to do about it."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from evaltui.core.errors import Problem, UserError
from evaltui.disk.baselines.baseline_reading import read_baseline
from evaltui.disk.baselines.pins import UNREADABLE
from evaltui.session import Session


@contextmanager
def refusals_said(session: Session) -> Iterator[None]:
    """Turns what the system refuses into a UserError."""
    try:
        yield
    except OSError as error:
        folder = error.filename or session.config.root
        raise UserError(
            f"The baseline cannot be written to `{folder}`: {error.strerror}.",
            "Make the folder writable, or free some space; the baseline is as it was.",
        ) from error


def is_unreadable(problem: Problem) -> bool:
    """Whether a pinned copy cannot be read, and was not pinned anew since that was said."""
    if problem.code != UNREADABLE:
        return False
    try:
        read_baseline(Path(problem.file))
    except UserError:
        return True
    return False
