"""`evaltui` and `python -m evaltui`."""

import os
import sys


def main() -> int:
    """Entry point. `--version` is answered before anything is imported for it."""
    if sys.argv[1:] in (["--version"], ["-V"]) and _is_version_told():
        return 0
    try:
        from evaltui.process import look_for_garbage_rarely

        look_for_garbage_rarely()
        from evaltui.cli.main import run_command

        return run_command(sys.argv[1:])
    except KeyboardInterrupt:  # while modules are loaded
        return 130


def _is_version_told() -> bool:
    """Whether standard output took it; where it did not, `run_command` says why not."""
    from evaltui import __version__

    if sys.stdout is None:
        return False
    try:
        os.write(sys.stdout.fileno(), f"evaltui {__version__}\n".encode())
    except OSError:
        return False
    return True


if __name__ == "__main__":
    sys.exit(main())
