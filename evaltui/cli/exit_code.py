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
    HUNG_UP = 129
    INTERRUPTED = 130
    TERMINATED = 143
