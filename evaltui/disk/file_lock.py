"""Advisory locks for writers, which the system releases when their process ends."""

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

PATIENCE_S = 10.0
"""So long another process may take for its change; then it counts as stuck."""

if sys.platform == "win32":
    import msvcrt

    _FAR = (1 << 31) - 2
    """A locked byte cannot be read or written there: it is one that nobody wants."""

    def _locked(descriptor: int) -> bool:
        place = os.lseek(descriptor, 0, os.SEEK_CUR)
        os.lseek(descriptor, _FAR, os.SEEK_SET)
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        finally:
            os.lseek(descriptor, place, os.SEEK_SET)
        return True

else:
    import fcntl

    def _locked(descriptor: int) -> bool:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError:
            # Some network file systems have no locks; then nobody is known to hold it.
            return True
        return True


def lock(file: BinaryIO, *, patience_s: float = 0.0) -> bool:
    """Take the lock until the file is closed. False when somebody else holds it for so long."""
    return _locked_within(file.fileno(), patience_s)


def _locked_within(descriptor: int, patience_s: float) -> bool:
    until = time.monotonic() + patience_s
    while not _locked(descriptor):
        if time.monotonic() >= until:
            return False
        time.sleep(0.01)
    return True


def hold(folder: Path) -> int | None:
    """A descriptor that holds the folder's lock until it is closed; `None` where there are none.

    Raises BlockingIOError while somebody else holds it, and OSError for a folder that is gone.
    """
    if sys.platform == "win32":
        return None
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(descriptor)
        if isinstance(error, BlockingIOError):
            raise
        return None
    return descriptor


@contextmanager
def writing_in(folder: Path) -> Iterator[None]:
    """Read, merge and write files of `folder`, made if need be, while no other process does.

    The folder itself is locked, so that nothing is left in it. One that was made, and is empty when
    something is raised, is gone again. Raises OSError.
    """
    made = [one for one in (folder, *folder.parents) if not one.exists()]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with _held(folder):
            yield
    except BaseException:
        with suppress(OSError):
            for one in made:
                one.rmdir()
        raise


@contextmanager
def _held(folder: Path) -> Iterator[None]:
    if sys.platform == "win32":
        yield
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        _locked_within(descriptor, PATIENCE_S)
        yield
    finally:
        os.close(descriptor)
