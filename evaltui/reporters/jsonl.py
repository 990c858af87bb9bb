"""Every event as one JSON line: a recorded run, playable with `evaltui --replay`."""

from typing import TextIO

from evaltui.core.events import Event
from evaltui.reporters.ansi import inert_json
from evaltui.store.codec import encode_event


class JsonlReporter:
    """Streams; a reader can follow the file while the run is on."""

    def __init__(self, out: TextIO) -> None:
        self._out = out

    def handle(self, event: Event) -> None:
        self._out.write(inert_json(encode_event(event).decode()) + "\n")

    def close(self) -> None:
        self._out.flush()
