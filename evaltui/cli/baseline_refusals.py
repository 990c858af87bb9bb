"""What the system refuses to write of a baseline, and what to do about it."""

from collections.abc import Iterator
from contextlib import contextmanager

from evaltui.core.errors import UserError
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
