"""An event loop whose clock jumps to the next timer: minutes pass in milliseconds."""

import asyncio
import selectors
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


class _Jumping(selectors.DefaultSelector):  # type: ignore[misc, valid-type, unused-ignore]
    """Instead of waiting it notes how long it would have waited."""

    passed_s = 0.0

    def select(self, timeout: float | None = None) -> list[Any]:
        found = super().select(0)
        if not found:
            assert timeout is not None, "nothing would ever happen"
            self.passed_s += timeout
        return list(found)


class VirtualLoop(asyncio.SelectorEventLoop):
    def __init__(self) -> None:
        self._jumping = _Jumping()
        super().__init__(self._jumping)

    def time(self) -> float:
        return self._jumping.passed_s


def in_virtual_time(work: Coroutine[Any, Any, T]) -> T:
    """What `work` returns. It must start no threads and talk to nobody."""
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(work)
