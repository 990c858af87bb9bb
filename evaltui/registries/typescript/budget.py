"""How long a reading may take: functions that nobody runs can still be written to take for ever.

Outside of functions each expression is worked out once, so only what a function returns is counted,
and how large values become.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from evaltui.registries.typescript.values import Function

MAX_STEPS = 20_000
"""Expressions that one call may take, those of the calls in it included: about a second."""
MAX_SIZE = 50_000
"""Sizes of all values of a reading together, see `values.size_of`."""
MAX_CALLS = 5_000
"""Calls of functions that a reading follows for what they register."""
MAX_GUESSED = 40_000
"""Expressions for all functions together that nothing says to make a tool: about two seconds."""
_LEAST = 200


class Budget:
    """Counts the steps of a reading, one outermost call after the other."""

    def __init__(self, is_ended: Callable[[], bool]) -> None:
        """`is_ended` says that nobody waits for the answer any more."""
        self._is_ended = is_ended
        self._limit = MAX_STEPS
        self._left = 0
        self._size = MAX_SIZE
        self._calls = 0
        self._followed = MAX_CALLS
        self._guessed = MAX_GUESSED
        self._is_spent = False
        self._taken = 0
        self.called: Function | None = None
        """The function of the outermost call that is worked out now."""

    @property
    def is_spent(self) -> bool:
        """Whether what is worked out now is given up."""
        return self._is_spent or self._is_ended()

    @contextmanager
    def calling(self, function: "Function") -> Iterator[None]:
        """What a function returns, worked out within this."""
        limit = self._limit
        if self._calls == 0:
            self._left, self.called = limit, function
        self._calls += 1
        try:
            yield
        finally:
            self._calls -= 1
            if self._calls == 0:
                self._is_spent, self.called = False, None
                self._taken = limit - self._left

    def spend(self, size: int) -> bool:
        """Take a step, or what a value of this size costs; whether it was the one too many.

        What is too much has the next call begin with half of it: each may be one like this.
        """
        self._left -= size or 1
        if self._is_spent or self._calls == 0 or self._left >= 0:
            return False
        self._is_spent = True
        self._limit = max(self._limit // 2, _LEAST)
        return True

    def weigh(self, size: int) -> bool:
        """Take what a value of this size costs of the whole reading; whether there is room."""
        self._size -= size
        return self._size >= 0

    def follow(self) -> bool:
        """Take one of the calls that a reading may follow; whether there was one left."""
        self._followed -= 1
        return self._followed >= 0 and not self._is_ended()

    @contextmanager
    def guessing(self) -> Iterator[bool]:
        """A call that is worked out on the off chance; whether there is time left for such."""
        self._taken = 0
        try:
            yield self._guessed > 0
        finally:
            self._guessed -= self._taken
