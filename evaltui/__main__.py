"""`evaltui` and `python -m evaltui`."""

import sys


def main() -> int:
    """Entry point. `--version` is answered before anything is imported for it."""
    if sys.argv[1:] in (["--version"], ["-V"]):
        from evaltui import __version__

        sys.stdout.write(f"evaltui {__version__}\n")
        return 0
    try:
        from evaltui.process import look_for_garbage_rarely

        look_for_garbage_rarely()
        from evaltui.cli.main import run_command

        return run_command(sys.argv[1:])
    except KeyboardInterrupt:  # while modules are loaded
        return 130


if __name__ == "__main__":
    sys.exit(main())
