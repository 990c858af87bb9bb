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
    """The terminal is gone. As of the two below: 128 and the number of the signal, by which it is
    looked up."""
    INTERRUPTED = 130
    TERMINATED = 143
