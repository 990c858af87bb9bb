"""Small files written by a thread of their own: the system takes longer to make one than we take to
judge what is in it, and needs no interpreter meanwhile."""

import os
from queue import Queue
from threading import Thread

MOST_WAITING = 16
"""Files that are kept in memory at most, besides the one that is being written."""
_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_BINARY", 0)


class BackgroundWriter:
    """Writes files in the order in which they were handed over. After a mistake none is written
    any more. Its thread ends with `close`."""

    def __init__(self) -> None:
        self._waiting: Queue[tuple[str, bytes] | None] = Queue(MOST_WAITING)
        self._error: Exception | None = None
        self._thread: Thread | None = None

    def write(self, path: str, data: bytes) -> None:
        """Have a file written, or replaced. Raises OSError of an earlier one."""
        if self._error is not None:
            raise self._error
        if self._thread is None:
            self._thread = Thread(target=self._run, name="pack-files", daemon=True)
            self._thread.start()
        self._waiting.put((path, data))

    def settle(self) -> None:
        """Wait until all files are written. Raises OSError of one that could not be."""
        self.close()
        if self._error is not None:
            raise self._error

    def close(self) -> None:
        """Wait for the files that were handed over, whatever becomes of them."""
        if self._thread is not None:
            self._waiting.put(None)
            self._thread.join()
            self._thread = None

    def _run(self) -> None:
        while (file := self._waiting.get()) is not None:
            if self._error is None:
                try:
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
