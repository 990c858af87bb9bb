"""What every script inside of a child needs: its pipes, what was printed, what went wrong.

Loaded by its path with any Python from 3.9 on, so it imports the standard library only.
"""

from __future__ import annotations

import contextlib
import contextvars
import dataclasses
import io
import json
import os
import sys
import threading
import traceback
from pathlib import Path
from typing import Any

PRINTED_LIMIT = 4000
ERROR_LIMIT = 2000
CUT = "…"
MOST_INNER = 3
"""Exceptions of a group that are told."""


_exit, _write = os._exit, os.write
"""Taken before anything of the user's runs: who exchanges a function of the standard library, as
tests do, exchanges it for its own code only."""


class Printed(io.TextIOBase):
    """Takes the place of stdout and stderr: remembers the end of what one message printed."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._size = 0
        self._of_task: contextvars.ContextVar[Printed | None] = contextvars.ContextVar(
            "printed", default=None
        )

    def begin(self) -> None:
        """What this task, and what it starts, prints from now on is its own."""
        self._of_task.set(Printed())

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        text = str(text)
        own = self._of_task.get()
        if own is not None:
            return own.write(text)
        self._parts.append(text)
        self._size += len(text)
        if self._size > 4 * PRINTED_LIMIT:
            end = end_of("".join(self._parts))
            self._parts, self._size = [end], len(end)
        with contextlib.suppress(OSError):
            _write(2, end_of(text).encode("utf-8", "replace"))
        return len(text)

    def take(self) -> str:
        own = self._of_task.get()
        if own is not None:
            return own.take()
        text = end_of("".join(self._parts).strip())
        self._parts, self._size = [], 0
        return text


def end_of(text: str) -> str:
    """Of what was printed. What knows the secrets hides halves of them beside the `…`."""
    return text if len(text) <= PRINTED_LIMIT else f"{CUT}{text[-PRINTED_LIMIT:]}"


def start_of(text: str) -> str:
    """The same of what is wrong."""
    return text if len(text) <= ERROR_LIMIT else f"{text[:ERROR_LIMIT]}{CUT}"


class Wire:
    """The pipes to the parent, moved out of the reach of prints and `input()`."""

    def __init__(self) -> None:
        self._in = os.fdopen(os.dup(0), "rb")
        self._out = os.fdopen(os.dup(1), "wb")
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.dup2(2, 1)
        self.lines: list[bytes] = []
        self._news = threading.Condition()
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        # A thread of its own notices that the parent is gone, even from an endless loop.
        with contextlib.suppress(MemoryError):  # who has none left hears nobody
            for line in self._in:
                with self._news:
                    self.lines.append(line)
                    self._news.notify()
        _exit(0)

    def next(self) -> Any:
        with self._news:
            while not self.lines:
                self._news.wait()
            return _DECODE(self.lines.pop(0).decode())

    def say(self, value: dict[str, Any]) -> None:
        self._out.write(_ENCODE(value).encode("ascii") + b"\n")
        self._out.flush()


def plain(value: Any) -> Any:
    """What JSON does not know, as something that it knows."""
    for method in ("model_dump", "to_dict", "dict"):
        function = getattr(value, method, None)
        if callable(function) and not isinstance(value, type):
            return function()
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    if isinstance(value, (set, frozenset, tuple)):
        return list(value)
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    if hasattr(value, "__dict__") and vars(value):
        return {key: item for key, item in vars(value).items() if not key.startswith("_")}
    return str(value)


class _Encoder(json.JSONEncoder):
    """Keeps its methods whatever becomes of those of the class above."""

    encode, iterencode = json.JSONEncoder.encode, json.JSONEncoder.iterencode


class _Decoder(json.JSONDecoder):
    """Likewise."""

    decode, raw_decode = json.JSONDecoder.decode, json.JSONDecoder.raw_decode


_ENCODE = _Encoder(default=plain).encode
_DECODE = _Decoder().decode


def leave_folder(script: str) -> None:
    """Take the folder of a script off the import path: it is none of the user's."""
    folder = Path(script).resolve().parent
    sys.path[:] = [path for path in sys.path if Path(path or ".").resolve() != folder]


def project_files(root: str) -> list[str]:
    """Files below the project root that are loaded as modules."""
    real = os.path.realpath(root) + os.sep
    found = set()
    for module in list(sys.modules.values()):
        file = getattr(module, "__file__", None)
        if isinstance(file, str) and file.endswith(".py"):
            path = os.path.realpath(file)
            if path.startswith(real) and "site-packages" not in path:
                found.add(path)
    return sorted(found)


def fault(error: BaseException, root: str) -> str:
    """The error in words, with the place in the user's own code."""
    if isinstance(error, SystemExit):
        what = f"the code called sys.exit({error.code!r})"
    else:
        what = _in_words(error)
    if isinstance(error, SyntaxError) and error.filename and error.lineno:
        return f"{what} ({Path(error.filename).name} line {error.lineno})"
    if (last := _own_frame(error, root)) is not None:
        what = f"{what} ({_below(last.filename, root)} line {last.lineno}, in {last.name})"
    return what


def place(error: BaseException, root: str) -> list[Any] | None:
    """File below the root and line, 1-based, of the error in the user's own code; `None` where it
    has none."""
    last = _own_frame(error, root)
    file, line = (last.filename, last.lineno) if last is not None else ("", None)
    if isinstance(error, SyntaxError):
        file, line = error.filename or "", error.lineno
    below = _below(file, root) if file else os.pardir
    return None if line is None or below.startswith(os.pardir) else [below, line]


def _own_frame(error: BaseException, root: str) -> Any:
    """The last one in the user's own code, if any."""
    frames = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if not frame.filename.startswith("<")  # of Python itself
        and os.path.realpath(frame.filename).startswith(os.path.realpath(root) + os.sep)
    ]
    return frames[-1] if frames else None


def _below(file: str, root: str) -> str:
    return os.path.relpath(os.path.realpath(file), os.path.realpath(root))


def _in_words(error: BaseException) -> str:
    """Type, text, and what was noted on it; of a group what is in it."""
    kind = type(error)
    if isinstance(error, SyntaxError):
        return traceback.format_exception_only(kind, error)[-1].strip()
    module = "" if kind.__module__ in ("builtins", "__main__") else f"{kind.__module__}."
    try:
        said = str(error).strip()
    except Exception:
        said = "its text cannot be written"
    what = f"{module}{kind.__qualname__}{': ' if said else ''}{said}"
    inner = getattr(error, "exceptions", ())
    if isinstance(inner, tuple) and all(isinstance(each, BaseException) for each in inner):
        what = " | ".join([what, *(_in_words(each) for each in inner[:MOST_INNER])])
    notes = getattr(error, "__notes__", ())
    what = " — ".join([what, *map(str, notes)]) if isinstance(notes, list) else what
    return start_of(what)
