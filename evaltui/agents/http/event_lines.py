"""Server-sent events and JSON lines, cut out of bytes as they come in."""

import codecs
import json
from collections.abc import Callable

from evaltui.core.errors import AgentError


class EventLines:
    """Events as `(name, data)`: `data:` lines up to a blank line, or one JSON value a line."""

    def __init__(self, on_event: Callable[[str, str], None], *, is_sse: bool) -> None:
        self._on_event = on_event
        self._is_sse = is_sse
        self._decode = codecs.getincrementaldecoder("utf-8-sig")("replace").decode
        self._parts: list[str] = []
        self._ends_with_return = False
        self._name = ""
        self._data: list[str] = []

    def feed(self, piece: bytes) -> None:
        """Hear some bytes; lines may be cut anywhere, also inside a character."""
        text = self._decode(piece)
        if self._ends_with_return and text:
            text = text.removeprefix("\n")  # the second half of \r\n
            self._ends_with_return = False
        if "\r" in text:
            self._ends_with_return = text.endswith("\r")
            text = text.replace("\r\n", "\n").replace("\r", "\n")
        first, *others = text.split("\n")
        self._parts.append(first)
        for line in others:
            self._line("".join(self._parts))
            self._parts = [line]

    def finish(self) -> None:
        """The body ended: the last event may lack its line break or blank line, nothing else.

        Raises AgentError (`truncated`, retryable) when it ended in the middle of an event.
        """
        last, self._parts = "".join(self._parts), []
        if not self._is_sse:
            self._check_whole(last)
            self._line(last)
            return
        if last:
            self._line(last)
        if self._data:
            self._check_whole("\n".join(self._data))
        self._line("")

    @staticmethod
    def _check_whole(data: str) -> None:
        data = data.strip()
        if not data.startswith(("{", "[")) or data == "[DONE]":
            return
        try:
            json.loads(data)
        except (ValueError, RecursionError):
            raise AgentError(
                f"the answer was cut short: the stream ended in the middle of an event "
                f"(`{data[:80]}…`).",
                category="truncated",
                retryable=True,
            ) from None

    def _line(self, line: str) -> None:
        if not self._is_sse:
            if line.strip():
                self._on_event("", line)
            return
        if not line:
            if self._data:
                self._on_event(self._name, "\n".join(self._data))
            self._name, self._data = "", []
            return
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if field == "data":
            self._data.append(value)
        elif field == "event":
            self._name = value
