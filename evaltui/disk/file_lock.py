"""Who writes now: advisory locks where the system has them."""

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

PATIENCE_S = 10.0
"""So long another process may take for its change; then it counts as stuck."""

if sys.platform == "win32":

    def lock(file: BinaryIO) -> bool:
        """Always True: a file that another process has open there cannot be renamed anyway."""
        return not file.closed

    def _locked(descriptor: int) -> bool:
        return descriptor >= 0

else:
    import fcntl

    def lock(file: BinaryIO) -> bool:
        """Take the lock until the file is closed. False when somebody else holds it."""
        return _locked(file.fileno())

    def _locked(descriptor: int) -> bool:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError:
            # Some network file systems have no locks; then nobody is known to hold it.
            return True
        return True


@contextmanager
def writing_in(folder: Path) -> Iterator[None]:
    """Read, merge and write files of `folder`, made if need be, while no other process does.

    The folder itself is locked, so that nothing is left in it. Raises OSError.
    """
    folder.mkdir(parents=True, exist_ok=True)
    if sys.platform == "win32":
        yield
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        until = time.monotonic() + PATIENCE_S
        while not _locked(descriptor) and time.monotonic() < until:
            time.sleep(0.01)
        yield
    finally:
        os.close(descriptor)
