"""Results of tools that ran in spans of their own, wherever in a trace they are told."""

from collections.abc import Collection
from typing import Any

from evaltui.core.json_value import Json
from evaltui.core.trace import CALL_ID
from evaltui.traces.importers.part import Part
from evaltui.traces.importers.trace_builder import TraceBuilder


class ToolResults:
    """A tool's span says when it ran and whether it failed; what it gave back may stand only in
    the messages of the request after it.
    """

    def __init__(self, called: Collection[str]) -> None:
        """`called`: ids of calls that have a span of their own."""
        self.called = called
        self._awaited: list[tuple[dict[str, Any], Part]] = []
        self._outputs: dict[str, Json] = {}

    def awaits(self, event: dict[str, Any], span: Part) -> None:
        """An event of a result which its span does not tell."""
        self._awaited.append((event, span))

    def note(self, call_id: str, output: Json) -> None:
        """What a message says of a result; the first telling counts."""
        self._outputs.setdefault(call_id, output)

    def fill(self, trace: TraceBuilder) -> None:
        """Give each awaited result what was told of it; nothing is a loss where the tool failed."""
        for event, span in self._awaited:
            call_id = event["attributes"].get(CALL_ID)
            if call_id in self._outputs:
                output = self._outputs[call_id]
                event["output"] = None if output == event["error"] else output
            elif not event["error"]:
                tool = event["tool"] or "a tool"
                trace.note("not_told", f"what `{tool}` gave back", span.path)
