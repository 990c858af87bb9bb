"""Names of runs."""

from uuid import uuid4


def new_run_id() -> str:
    """A random UUID."""
    return str(uuid4())
