"""Ends copies of the process that an evaluator forked.

Loaded by its path with any Python from 3.9 on, so it imports the standard library only.
"""

from __future__ import annotations

import os
import sys
from traceback import clear_frames
from typing import Any

# Taken before anything of the user's runs, who may exchange them for its own code.
_own_pid, _exit = os.getpid, os._exit


class Copies:
    """Around a call of the user's code: a copy of the process that comes back from it ends there,
    since its parent answers; with the exit code of a program of its own, since its parent may
    judge by that."""

    def __init__(self) -> None:
        self._parent = _own_pid()

    def __enter__(self) -> None:
        pass

    def __exit__(self, _: Any, error: BaseException | None, trace: Any) -> None:
        if _own_pid() == self._parent:
            return
        code = 1  # also where its traceback cannot be written
        try:
            code = ending(error)
            clear_frames(trace)  # closes files that only they hold, so that all of them is written
        finally:
            _exit(code)


def ending(error: BaseException | None) -> int:
    """The exit code of a program that ends with this; what it says then is said."""
    if error is None:
        return 0
    if not isinstance(error, SystemExit):
        sys.excepthook(type(error), error, error.__traceback__)
        return 1
    if error.code is None or isinstance(error.code, int):
        return int(error.code or 0) & 0xFF
    sys.stderr.write(f"{error.code}\n")
    return 1
