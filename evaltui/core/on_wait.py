"""Time that an attempt waits for us and not for its agent: its limit does not run."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeAlias

OnWait: TypeAlias = Callable[[bool], None]
"""Told when such a wait begins, and when it ends."""


@contextmanager
def waiting_for_us(on_wait: OnWait | None) -> Iterator[None]:
    """`None`: nobody counts the time."""
    if on_wait is not None:
        on_wait(True)
    try:
        yield
    finally:
        if on_wait is not None:
            on_wait(False)
