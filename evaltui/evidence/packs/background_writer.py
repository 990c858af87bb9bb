"""Small files written by a thread of their own: the system takes longer to make one than we take to
judge what is in it, and needs no interpreter meanwhile."""

import os
from queue import Queue
from threading import Thread

AT_ONCE = 8
"""Files that are handed over together: to wake a thread takes longer than to write one."""
MOST_WAITING = 2
"""So many times as many are kept in memory at most, besides those that are being written."""
_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_BINARY", 0)


class BackgroundWriter:
    """Writes files in the order in which they were handed over. After a mistake none is written
    any more. Its thread ends with `close`."""

    def __init__(self) -> None:
        self._waiting: Queue[list[tuple[str, bytes]] | None] = Queue(MOST_WAITING)
        self._gathered: list[tuple[str, bytes]] = []
        self._error: Exception | None = None
        self._thread: Thread | None = None

    def write(self, path: str, data: bytes) -> None:
        """Have a file written, or replaced. Raises OSError of an earlier one."""
        if self._error is not None:
            raise self._error
        self._gathered.append((path, data))
        if len(self._gathered) == AT_ONCE:
            self._hand_over()

    def settle(self) -> None:
        """Wait until all files are written. Raises OSError of one that could not be."""
        self.close()
        if self._error is not None:
            raise self._error

    def close(self) -> None:
        """Wait for all files, whatever becomes of them."""
        self._hand_over()
        if self._thread is not None:
            self._waiting.put(None)
            self._thread.join()
            self._thread = None

    def _hand_over(self) -> None:
        if not self._gathered:
            return
        if self._thread is None:
            self._thread = Thread(target=self._run, name="pack-files", daemon=True)
            self._thread.start()
        self._waiting.put(self._gathered)
        self._gathered = []

    def _run(self) -> None:
        while (files := self._waiting.get()) is not None:
            if self._error is None:
                try:
                    for file in files:
                        write_small(*file)
                except Exception as error:  # whoever hands over would wait for ever
                    self._error = error


def write_small(path: str, data: bytes) -> None:
    """A file without a buffer, which is made, asked for its place and flushed for each of them.
    Raises OSError."""
    file = os.open(path, _FLAGS, 0o666)
    try:
        write_whole(file, data)
    finally:
        os.close(file)


def write_whole(file: int, data: bytes) -> None:
    """Raises OSError."""
    left = memoryview(data)
    while left:  # a disk that is about to be full takes a part
        left = left[os.write(file, left) :]
