"""Standard output and standard error: what nobody reads changes no exit code."""

import os
import sys
from contextlib import suppress
from io import BufferedWriter, FileIO, TextIOWrapper
from pathlib import Path
from typing import Any


def guard_standard_streams() -> None:
    """From here on a command ends with the code that it would have ended with if all were read.

    Standard output falls silent when its reader goes away, as under `head`; that it cannot be
    written otherwise, as on a full disk, is still an OSError. Standard error falls silent whatever
    is wrong with it, and is `/dev/null` where it was closed. Streams that somebody put in the place
    of the interpreter's own are left alone.
    """
    if sys.stderr is None:
        # The lowest free number is 2: no other file is opened there that others write to as theirs.
        sys.stderr = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115
    elif sys.stderr is sys.__stderr__:
        sys.stderr = _guarded(sys.stderr, OSError)
    if sys.stdout is sys.__stdout__:
        sys.stdout = _guarded(sys.stdout, BrokenPipeError)


def discard_stdout() -> None:
    """Keep the interpreter from complaining when it flushes what cannot be written."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


class _Guarded(FileIO):
    """A file that takes what it is given, though it may not keep it."""

    def __init__(self, file: int, ignored: type[OSError]) -> None:
        super().__init__(file, "w", closefd=False)
        self._ignored = ignored

    def write(self, data: Any, /) -> int:
        try:
            return super().write(data)
        except self._ignored:
            return memoryview(data).nbytes


def _guarded(stream: Any, ignored: type[OSError]) -> Any:
    """The same file as a stream that is written in the same way; as it is where it is no file."""
    if not isinstance(stream, TextIOWrapper):
        return stream
    try:
        file = _Guarded(stream.fileno(), ignored)
    except (OSError, ValueError):
        return stream
    return TextIOWrapper(
        BufferedWriter(file),
        encoding=stream.encoding,
        errors=stream.errors,
        line_buffering=stream.line_buffering or stream.write_through,
    )
