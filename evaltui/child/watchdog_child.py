"""Kills process groups once stdin ends; run as a script, it needs nothing of evaltui.

Lines of stdin: `+` and the number of a group that is to be killed then, `-` and one that is not any
more; `?` and the mark of a program that is being started, `!` when its number is known.
"""

import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

MARK = "EVALTUI_START"
"""Name of the variable that holds the mark in a program's environment."""
LOOKS_S = (0.0, 0.02, 0.1, 0.3)
"""Pauses before each look: a program that is just being started has no environment yet."""


def watch() -> None:
    """Returns at the end of stdin, when all that was watched is killed."""
    known: dict[bytes, None] = {}
    for line in sys.stdin.buffer:
        if not line.endswith(b"\n"):
            break  # cut off in the middle
        sign, what = line[:1], line[1:-1]
        if sign in (b"+", b"?"):
            known[sign + what] = None
        else:
            known.pop((b"+" if sign == b"-" else b"?") + what, None)
    for each in known:
        if each.startswith(b"+"):
            kill(int(each[1:]))
    starting = {f"{MARK}={each[1:].decode()}".encode() for each in known if each.startswith(b"?")}
    for pause_s in LOOKS_S if starting else ():
        time.sleep(pause_s)
        for group in groups_of(starting):
            kill(group)


def kill(group: int) -> None:
    with suppress(OSError):
        os.killpg(group, signal.SIGKILL)


def groups_of(marks: set[bytes]) -> Iterator[int]:
    """Groups of the programs with one of these variables, where the system shows them (Linux)."""
    with suppress(OSError):
        for folder in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                if not marks.isdisjoint((folder / "environ").read_bytes().split(b"\0")):
                    yield os.getpgid(int(folder.name))


if __name__ == "__main__":
    for ignored in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(ignored, signal.SIG_IGN)
    watch()
    os._exit(0)
