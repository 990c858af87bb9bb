"""Which process runs what is saved in a project folder: `.evaltui/runner.json`, locked by it.

The lock is the system's, so a runner that is killed leaves none behind; what stands in the file is
true only while the lock is held. The file is written in place: another one would not be locked.
"""

import os
import socket
import time
from pathlib import Path
from typing import BinaryIO

from msgspec import Struct

from evaltui.disk.codec import decode, encode
from evaltui.disk.file_lock import lock
from evaltui.disk.own_folder import make_folder
from evaltui.files import open_to_change

FILE = "runner.json"
_LONGEST = 4096


class Runner(Struct, frozen=True):
    """The process that runs here; `since` in seconds since the epoch."""

    pid: int
    host: str
    since: float


class RunnerLock:
    """Of one folder, for one process that runs there or waits for its turn."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE
        self._file: BinaryIO | None = None
        self.is_held = False

    def take(self) -> bool:
        """Whether it is ours now. Where no such file can be written, it is everybody's."""
        if self.is_held:
            return True
        try:
            if self._file is None:
                make_folder(self._path.parent)
                self._file = open_to_change(self._path)
            self.is_held = lock(self._file)
            if self.is_held:
                self._write(encode(Runner(os.getpid(), socket.gethostname(), time.time())))
        except OSError:
            self.is_held = True
        return self.is_held

    def holder(self) -> Runner | None:
        """Who holds it, after `take` was refused; `None` while that has not said so yet."""
        if self._file is None:
            return None
        try:
            self._file.seek(0)
            return decode(Runner, self._file.read(_LONGEST))
        except (OSError, ValueError):
            return None

    def release(self) -> None:
        """Let go of it; whoever waits takes it with the next `take`."""
        if self._file is not None:
            if self.is_held:
                self._write(b"")
            self._file.close()
        self._file, self.is_held = None, False

    def _write(self, data: bytes) -> None:
        assert self._file is not None
        try:
            self._file.truncate(0)
            self._file.seek(0)
            self._file.write(data)
        except OSError:
            pass  # a full disk: who runs here cannot be named, but is locked all the same
