"""Writing output to a file of the user's choice."""

import os
import re
import sys
from collections.abc import Iterable
from pathlib import Path
from stat import S_ISDIR, S_ISREG

from evaltui.disk.atomic import write_atomic

_HANDED_DOWN = re.compile(r"/dev/(?:(stdout)|(stderr)|fd/(\d+))|/proc/self/fd/(\d+)")


def write_output(path: Path, data: bytes | Iterable[bytes]) -> None:
    """Replace a file whole or not at all; write into what is none, as a pipe or `/dev/stdout`.

    A link to a file is replaced and not followed: a repository could have one lead anywhere. Raises
    OSError, also for a pipe that nobody reads.
    """
    descriptor = _descriptor(path)
    if descriptor is None:
        write_atomic(path, data)
        return
    with os.fdopen(descriptor, "wb") as file:
        file.writelines((data,) if isinstance(data, bytes) else data)


def _descriptor(path: Path) -> int | None:
    """Of what is written into; `None` for a file, which is replaced."""
    if found := _HANDED_DOWN.fullmatch(str(path)):
        sys.stdout.flush()
        out, err, *numbers = found.groups()
        # Opened anew, a file behind it would be written from another place on.
        return os.dup(1 if out else 2 if err else int(next(filter(None, numbers))))
    try:
        mode = path.stat().st_mode
    except OSError:
        return None
    if S_ISREG(mode) or S_ISDIR(mode):
        return None
    descriptor = os.open(path, os.O_WRONLY | getattr(os, "O_NONBLOCK", 0))
    os.set_blocking(descriptor, True)
    return descriptor
