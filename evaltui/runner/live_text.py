"""Text of an answer as it streams in, published at intervals rather than piece by piece."""

from collections.abc import Callable
from time import monotonic

EVERY_S = 0.1


class LiveText:
    """Collects pieces; an answer that is there within `EVERY_S` is never sent in parts."""

    __slots__ = ("_due", "_pieces", "_send")

    def __init__(self, send: Callable[[str], None]) -> None:
        self._send = send
        self._pieces: list[str] = []
        self._due = monotonic() + EVERY_S

    def add(self, piece: str) -> None:
        """Add one piece; `send` gets the whole text so far when it is time."""
        self._pieces.append(piece)
        now = monotonic()
        if now >= self._due:
            self._due = now + EVERY_S
            self._pieces = ["".join(self._pieces)]
            self._send(self._pieces[0])
