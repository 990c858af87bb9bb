"""Kills process groups once stdin ends; run as a script, it needs nothing of evaltui.

Lines of stdin: `+` and the number of a group that is to be killed then, `-` and one that is not any
more; `?` and the mark of a program that is being started, `!` when its number is known. The word of
its command line is what all marks begin with: what such a program started has its mark too, also
where it left the group.
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


def watch(name: str) -> None:
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
    is_starting = any(each.startswith(b"?") for each in known)
    for pause_s in LOOKS_S:
        time.sleep(pause_s)
        found = [*groups_of(f"{MARK}={name}-".encode())]
        for group in found:
            kill(group)
        if not (found or is_starting):
            return  # else there may be more, that was only being started


def kill(group: int) -> None:
    with suppress(OSError):
        os.killpg(group, signal.SIGKILL)


def groups_of(start: bytes) -> Iterator[int]:
    """Groups of the programs one of whose variables begins so, where the system shows them
    (Linux)."""
    with suppress(OSError):
        for folder in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                variables = (folder / "environ").read_bytes()
                if variables.startswith(start) or b"\0" + start in variables:
                    yield os.getpgid(int(folder.name))


if __name__ == "__main__":
    for ignored in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(ignored, signal.SIG_IGN)
    watch(sys.argv[1])
    os._exit(0)
