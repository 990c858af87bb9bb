"""`evaltui` and `python -m evaltui`."""

import gc
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

    code = run_command(sys.argv[1:])
    # At its end the interpreter looks for cycles among all there is, in vain: for 5,000 results
    # that is a twentieth of the whole run.
    gc.freeze()
    return code


if __name__ == "__main__":
    sys.exit(main())
