"""What a command's exit code tells a script."""

from enum import IntEnum


class ExitCode(IntEnum):
    OK = 0
    FAILED = 1
    """Cases failed or regressed, as `--fail-on` asks."""
    USAGE = 2
    """A mistake in the user's files or flags."""
    BUG = 3
    """A mistake of evaltui's own."""
    # Of any other signal too, as the end of the terminal (129), it is 128 + its number.
    INTERRUPTED = 130
    TERMINATED = 143
