"""`evaltui` and `python -m evaltui`."""

import atexit
import gc
import os
import sys


def main() -> int:
    """Entry point. `--version` is answered before anything is imported for it."""
    if sys.argv[1:] in (["--version"], ["-V"]):
        from evaltui import __version__

        sys.stdout.write(f"evaltui {__version__}\n")
        return 0
    # What is imported stays: looking for what is let go of meanwhile is a tenth of a start.
    gc.disable()
    from evaltui.cli.main import run_command

    return _leave(run_command(sys.argv[1:]))


def _leave(code: int) -> int:
    """End now, as everything is closed and written.

    The interpreter would look for cycles in vain and take apart all there is, which for 5,000
    results is a twentieth of the whole run.
    """
    atexit._run_exitfuncs()  # processes and servers that live as long as we do
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except OSError:
        return code  # its reader has gone: the interpreter knows what to do
    os._exit(code)


if __name__ == "__main__":
    sys.exit(main())
