"""Reports that are written when everything has run."""

from abc import ABC, abstractmethod
from typing import TextIO

from evaltui.core.events import Event
from evaltui.reporters.tally import Tally


class WrittenAtEnd(ABC):
    """Remembers the runs until `close`, which writes the report to `out`."""

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._tally = Tally()

    def handle(self, event: Event) -> None:
        self._tally.handle(event)

    @abstractmethod
    def close(self) -> None: ...
