"""Model spans within model spans, where one instrumentation wraps what another reports."""

from collections.abc import Mapping, Sequence

from evaltui.core.trace import AGENT_ACTORS
from evaltui.traces.importers.part import Part
from evaltui.traces.importers.span_messages import SpanMessages, gist_of
from evaltui.traces.importers.span_usage import innermost_first, nearest_around
from evaltui.traces.importers.trace_builder import TraceBuilder


class NestedChats:
    """What a span around others says is read after those, and only as far as they do not say it."""

    def __init__(
        self,
        spans: Sequence[Part],
        kinds: Sequence[str],
        said: Mapping[int, SpanMessages],
        trace: TraceBuilder,
    ) -> None:
        """`said`: what each span of a model says to the trace, by its place among `spans`."""
        self._said, self._trace = said, trace
        self._gists: list[str | None] = []
        """Of the events of the trace; `None` where no model did that."""
        self._outer: list[int | None] = [
            # Within a tool that a model called, other models may be asked something of their own.
            outer if at in said and outer in said else None
            for at, outer in enumerate(nearest_around(spans, [*map(bool, kinds)]))
        ]
        first, last = {at: at for at in said}, {at: at for at in said}
        self._asked_within: set[int] = set()
        self._around = {outer for outer in self._outer if outer is not None}
        self._ends: dict[int, list[int]] = {}
        """By the place of the last span within, the spans around others, innermost first."""
        self._begins: dict[int, list[int]] = {}
        for at in innermost_first(self._outer):
            if at in self._around:
                self._ends.setdefault(last[at], []).append(at)
                self._begins.setdefault(first[at], []).append(at)
            if (outer := self._outer[at]) is not None:
                first[outer], last[outer] = min(first[outer], first[at]), max(last[outer], last[at])
                if said[at].asks or at in self._asked_within:
                    self._asked_within.add(outer)
        self._first_event: dict[int, int] = {}
        self._silent: list[SpanMessages] = []
        """Spans within others that tell at most what was used."""

    def read(self, at: int) -> None:
        """Read the span at this place. To be called for all spans of models, in their order."""
        for outer in self._begins.get(at, ()):
            self._first_event[outer] = len(self._trace.events)
        if at not in self._asked_within:
            self._said[at].read_asked()
        is_outermost = self._outer[at] is None
        if at not in self._around and not is_outermost and self._said[at].is_silent:
            self._silent.append(self._said[at])
        elif at not in self._around:
            self._said[at].read_answered(is_awaited=is_outermost)
        for outer in self._ends.get(at, ()):
            is_outermost = self._outer[outer] is None
            gists = self._gists_since(self._first_event[outer])
            self._said[outer].read_answered_around(gists, is_awaited=is_outermost)
            if is_outermost:
                for said in self._silent:
                    said.add_usage()
                self._silent.clear()

    def _gists_since(self, event: int) -> set[str]:
        """What models did from this event on."""
        for one in self._trace.events[len(self._gists) :]:
            is_by_model = one["actor"] in AGENT_ACTORS
            self._gists.append(gist_of(one) if is_by_model else None)
        return {one for one in self._gists[event:] if one is not None}
