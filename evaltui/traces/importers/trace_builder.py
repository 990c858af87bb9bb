"""Gathers what a record says happened as the events of one trace."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from hashlib import sha256
from json import dumps
from re import compile as pattern

import msgspec

from evaltui.core.json_value import Json, object_of
from evaltui.core.key_path import KeyPath
from evaltui.core.trace import AGENT_ACTORS, CALL_ID
from evaltui.traces.importers.calls import Call, Calls
from evaltui.traces.importers.notes import Notes
from evaltui.traces.importers.part import Part, is_like_tool, moment
from evaltui.traces.importers.roles import actor_of, said_texts
from evaltui.traces.importers.usage import amounts_in, left_over, usage_attributes, with_more

_TRACE_ID = pattern(r"(?!0{32})[0-9a-f]{32}")
_SPAN_ID = pattern(r"(?!0{16})[0-9a-f]{16}")
SYSTEM = "gen_ai.system"
"""The attribute of an event that names its provider."""
_WITHOUT_TEXT = frozenset({"text", "input_text", "output_text"})
"""Parts of a content that are a text and hold none, as where what is said is not recorded."""
_DEEPEST = 120
"""Levels of a value: a suite adds some of its own, and readers of JSON give up at 200."""


class TraceBuilder(Notes):
    """One trace in the making: importers tell it what happened, in order."""

    def __init__(self, system: str, *, label: str = SYSTEM) -> None:
        """`system`: who the record is from; `label`: the attribute that says so."""
        super().__init__()
        self.events: list[dict[str, Json]] = []
        self.trace_id = ""
        self._origin: dict[str, Json] = {label: system}
        self.calls = Calls()
        self.seen_messages: Counter[str] = Counter()
        """Messages that were told already, where each request repeats those before it."""
        self.why_empty = "nothing in it says what an agent did"
        """What is said of the record where nothing happened in it."""
        self._spans: set[str] = set()
        self._early: dict[str, Json] = {}
        """Tokens and cost that were told before anything happened that could tell them."""
        self._timed: set[KeyPath] = set()
        """Objects whose latency some event has, so that no time counts twice."""

    def of_providers(self, names: Collection[str]) -> None:
        """Who the events are from by what the record tells: the one that it names, else what each
        event says of itself."""
        self._origin.pop(SYSTEM, None)
        if len(names) == 1:
            self._origin[SYSTEM] = next(iter(names))

    def says(self, role: Json, content: Json, part: Part) -> None:
        """A message: what a user says is input, anything else output."""
        if isinstance(content, dict | bool | int | float):  # an answer in a form of its own
            if isinstance(content, dict) and is_like_tool(str(content.get("type", ""))):
                what = f"a call or result that is not read: {content['type']}"
                self.note("unread_call", what, part.path)
            self.message(actor_of(role), content, part)
            return
        text, others = said_texts(role, content)
        if is_untold := not _WITHOUT_TEXT.isdisjoint(others):
            self.note("not_told", f"what a message of `{actor_of(role)}` says", part.path)
            others = [one for one in others if one not in _WITHOUT_TEXT]
        for kind, what, is_tool in (
            ("unread_call", "a call or result that is not read", True),
            ("dropped_content", "not text", False),
        ):
            if found := {one for one in others if is_like_tool(one) is is_tool}:
                self.note(kind, f"{what}: {', '.join(sorted(found))}", part.path)
        if text is None and others and not is_untold:
            return
        self.message(actor_of(role), text, part)

    def message(self, actor: str, value: Json, part: Part) -> None:
        if actor == "user":
            self._add(part, actor, "message", input=value)
        else:
            self._add(part, actor, "message", output=value)

    def failed(self, why: str, part: Part) -> None:
        """The agent, or whoever was to answer, ended with an error."""
        self._add(part, "agent", "message", error=why)

    def call(self, tool: str, arguments: Json, part: Part, call_id: str = "") -> None:
        """A call of a tool, with its arguments as a value or as the text of one."""
        if not tool:
            self.note("call_without_tool", "a call that names no tool", part.path)
            return
        if isinstance(arguments, str):
            arguments = self._parsed(arguments, part)
        span = self._add(part, "agent", "tool_call", tool, call_id, input=arguments)
        self.calls.add(Call(tool, call_id, span))

    def result(
        self,
        output: Json,
        part: Part,
        *,
        tool: str = "",
        call_id: str = "",
        error: str | None = None,
    ) -> None:
        """What a tool gave back, for the call of this id, else for the first open one that fits."""
        made = self.calls.answered(tool, call_id)
        if made is None:
            what = f"no call `{call_id}`" if call_id else f"no open call of `{tool or 'a tool'}`"
            self.note("result_without_call", what, part.path)
        else:
            tool, call_id = tool or made.tool, call_id or made.call_id
        parent = made.span_id if made is not None else None
        self._add(part, "tool", "tool_result", tool, call_id, parent, output=output, error=error)

    def own_trace_id(self, said: str) -> None:
        """The first id that can be one is that of the trace."""
        if not self.trace_id and _TRACE_ID.fullmatch(said):
            self.trace_id = said

    def usage(self, said: Part, **more: Json) -> None:
        """Tokens and cost of an answer, for the last thing that the agent did."""
        self.note_figures(said)
        self.mark({**usage_attributes(said), **more})

    def mark(self, attributes: Mapping[str, Json], latency_ms: int | None = None) -> None:
        """More about the last thing that the agent did; what it says of itself counts more."""
        if (last := self._last) is None:
            self.add_usage(amounts_in(attributes))
            return
        given = {key: value for key, value in attributes.items() if value not in (None, "", [])}
        last["attributes"] = {**given, **object_of(last["attributes"])}
        if last["latency_ms"] is None:
            last["latency_ms"] = latency_ms

    def mark_own(self, said: Part, since: int) -> None:
        """Tokens and time that a message or step says of itself, where no event of it has them.

        `since`: how many events there were before it; where it gave none, what it used comes on top
        of what was done before.
        """
        is_timed = said.path in self._timed
        used = self.used(said, "usage", "usage_metadata", "token_usage", "models_usage")
        (self.mark if len(self.events) > since else self.add_usage)(used)
        self.mark({}, None if is_timed else said.latency_ms)

    def add_usage(self, attributes: Mapping[str, Json]) -> None:
        """Tokens and cost of answers that have no event of their own, on top of what the last thing
        that the agent did tells of its own; where nothing happened yet, for what it does first.
        """
        if (last := self._last) is not None:
            last["attributes"] = with_more(object_of(last["attributes"]), attributes)
        else:
            self._early = with_more(self._early, attributes)

    def usage_of_all(self, attributes: Mapping[str, Json], since: int = 0) -> None:
        """Tokens and cost of all events from `since` on: what they tell of it themselves counts no
        second time.
        """
        early: dict[str, Json] = {"attributes": {} if since else self._early}
        self.add_usage(left_over(attributes, [early, *self.events[since:]]))

    @property
    def _last(self) -> dict[str, Json] | None:
        """The last thing that the agent did, else the last that happened."""
        return next(iter(self._own[-1:]), None)

    @property
    def _own(self) -> Sequence[dict[str, Json]]:
        """What the agent did, else all that happened."""
        return [one for one in self.events if one["actor"] in AGENT_ACTORS] or self.events

    def finished(self, record: Json, index: int) -> list[dict[str, Json]]:
        """The events, all of one trace: its own id, else one made from record and index."""
        if not self.trace_id:
            said = f"{index}:{dumps(record, sort_keys=True)}"
            self.trace_id = sha256(said.encode()).hexdigest()[:32]
        for first in self._own[:1]:
            first["attributes"] = with_more(object_of(first["attributes"]), self._early)
        for event in self.events:
            event["trace_id"] = self.trace_id
        return self.events

    def _add(
        self,
        part: Part,
        actor: str,
        type_: str,
        tool: str = "",
        call_id: str = "",
        parent: str | None = None,
        *,
        input: Json = None,
        output: Json = None,
        error: str | None = None,
    ) -> str:
        """Append an event; returns its span id."""
        attributes: dict[str, Json] = {**object_of(part.value.get("attributes")), **self._origin}
        attributes["gen_ai.operation.name"] = type_
        if tool:
            attributes["gen_ai.tool.name"] = tool
        if call_id:
            attributes[CALL_ID] = call_id
        self.own_trace_id(part.text("trace_id"))
        before = self.events[-1]["span_id"] if self.events else None
        own = part.text("parent_span_id")
        span = self._span(part.text("span_id"))
        attempt = part.value.get("attempt")
        latency = None if part.path in self._timed else part.latency_ms
        if latency is not None:
            self._timed.add(part.path)
        self.events.append(
            {
                "idx": len(self.events),
                "ts": self._moment(part),
                "actor": actor,
                "type": type_,
                "input": self._shallow(input, part),
                "output": self._shallow(output, part),
                "tool": tool or None,
                "error": error or part.error,
                "latency_ms": latency,
                "trace_id": "",
                "span_id": span,
                "parent_span_id": own if _SPAN_ID.fullmatch(own) else parent or before,
                "attributes": attributes,
                "attempt": attempt if isinstance(attempt, int) and attempt >= 0 else None,
            }
        )
        return span

    def _span(self, own: str) -> str:
        """The event's own id where it can be one and is new, else the next free one."""
        number = len(self.events) + 1
        while not _SPAN_ID.fullmatch(own) or own in self._spans:
            own, number = f"{number:016x}", number + 1
        self._spans.add(own)
        return own

    def _moment(self, part: Part) -> str:
        if part.time in (None, ""):
            return ""
        found = moment(part.time)
        if found is None:
            self._note_once("unreadable_time", f"`{str(part.time)[:40]}` is not a time", part.path)
        return found or ""

    def _note_once(self, kind: str, detail: str, path: KeyPath) -> None:
        if not any(one.kind == kind and one.detail == detail for one in self.notes):
            self.note(kind, detail, path)

    def _parsed(self, text: str, part: Part) -> Json:
        if not text.strip():
            return {}
        try:
            value: Json = msgspec.json.decode(text)
        except (msgspec.DecodeError, RecursionError):
            self.note("unparsed_arguments", "the arguments are not JSON; kept as text", part.path)
            return text
        self.note_repeated_keys(text, part)
        return text if _is_deep(value) else value

    def _shallow(self, value: Json, part: Part) -> Json:
        if not _is_deep(value):
            return value
        self.note("too_deep", f"nested deeper than {_DEEPEST} levels; kept as text", part.path)
        return dumps(value)


def _is_deep(value: Json) -> bool:
    level = [value]
    for _ in range(_DEEPEST):
        level = [
            inner
            for one in level
            if isinstance(one, dict | list)
            for inner in (one.values() if isinstance(one, dict) else one)
            if isinstance(inner, dict | list)
        ]
        if not level:
            return False
    return True
