"""LangGraph's `astream_events`: what models, tools and nodes did, in their order.

A node's end and the graph's repeat what models and tools told before; of them only what is new
counts, such as the answer of a node that asked no model of LangChain. Where a stream was told
without nodes and graph, what models were asked tells the user's text and the results of tools.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence

from evaltui.core.json_value import Json, JsonObject
from evaltui.core.trace import CALL_ID
from evaltui.traces.importers.content_parts import TOOL_FAILED
from evaltui.traces.importers.graph_event_data import answer_of, asked_of, output_messages
from evaltui.traces.importers.graph_messages import (
    calls_of,
    read_message,
    role_of,
    unwrapped,
)
from evaltui.traces.importers.part import Part
from evaltui.traces.importers.steps import read_step
from evaltui.traces.importers.told_messages import ToldMessages
from evaltui.traces.importers.trace_builder import TraceBuilder


def is_stream_event(record: JsonObject) -> bool:
    event = record.get("event")
    return isinstance(event, str) and event.startswith("on_") and "data" in record


def root_of(event: JsonObject) -> str | None:
    """The run of the graph that an event is of; `None` for a part of one in version 1 of the
    events, where it does not tell the runs around it."""
    outer = event.get("parent_ids")
    if isinstance(outer, list) and outer:
        root = outer[0]
    elif Part(event).part("metadata").text("langgraph_node"):
        return None
    else:
        root = event.get("run_id")
    return root if isinstance(root, str) else ""


def read_events(steps: Sequence[Part], trace: TraceBuilder) -> None:
    """All events of one run of a graph, and steps of other forms among them."""
    events = [one for one in steps if is_stream_event(one.value)]
    run = _Run(events, trace)
    for step in steps:
        if is_stream_event(step.value):
            run.read(step)
        else:
            read_step(step, trace)
    run.end_silent()
    if events and trace.events and all(one["actor"] == "user" for one in trace.events):
        trace.note("not_told", "what the agent answered", ())
    is_whole = any(_kind(one) == "chain_start" for one in events)
    if events and trace.events and not is_whole and not _has_user(trace):
        what = "what the user said, which only events of chains and chat models tell"
        trace.note("not_told", what, ())


def _has_user(trace: TraceBuilder) -> bool:
    return any(one["actor"] == "user" for one in trace.events)


class _Run:
    def __init__(self, events: Sequence[Part], trace: TraceBuilder) -> None:
        self._trace = trace
        self._told = ToldMessages()
        self._root = next((one.text("run_id") for one in events if _kind(one) == "chain_start"), "")
        self._call_ids = _told_call_ids(events)
        """The id of the call that each run of a tool is."""
        self._announced: list[dict[str, Json]] = []
        """Calls that a message made, of which no tool has begun to run."""
        self._ran: list[dict[str, Json]] = []
        """Calls that no message made so far, told by the run of their tool."""
        self._other_ids: dict[str, str] = {}
        """Ids that messages give to such calls when they tell them later."""
        self._silent: dict[str, Part] = {}
        """Ends of tools that hold nothing, by their calls: how a tool failed, in version 1 of the
        events, tells only the message that its node gives back."""

    def read(self, event: Part) -> None:
        kind, data = _kind(event), event.part("data")
        if kind in ("chain_start", "chat_model_start") and not self._trace.events:
            for said in asked_of(data, self._trace):
                self._told.ask(unwrapped(said))
                self._say(said)
        elif kind == "chat_model_start" and not self._root:
            self._read_state(asked_of(data, self._trace), event.text("run_id"), is_root=True)
        elif kind == "chat_model_end" and data.part("output").value:
            said = answer_of(data, self._trace)
            said = Part({"type": "ai", **said.value}, said.path, said.outer_time)
            self._told.add_of(_outer(event), unwrapped(said))
            self._say(said)
        elif kind == "chain_end" and (self._is_root(event) or _is_node(event)):
            self._read_end(event)
        elif kind == "tool_start":
            self._start_tool(event)
        elif kind == "tool_end":
            self._end_tool(event)
        elif kind == "tool_error":
            why = data.error or TOOL_FAILED
            self._trace.result(
                None, event, tool=event.text("name"), call_id=self._call_id(event), error=why
            )

    def _is_root(self, event: Part) -> bool:
        return not _outer(event) and event.text("run_id") == self._root

    def _say(self, said: Part) -> None:
        before = len(self._trace.events)
        read_message(said, self._trace)
        new = self._trace.events[before:]
        self._announced += [one for one in new if one["type"] == "tool_call"]

    def _start_tool(self, event: Part) -> None:
        tool, run = event.text("name"), event.text("run_id")
        call_id, given = self._call_ids.get(run, ""), event.part("data").first("input")
        waiting = [one for one in self._announced if self._is_open(one)]
        made = _best(waiting, tool, given, call_id)
        if made is not None:
            self._announced.remove(made)
            call_id = _id_of(made)
        else:
            before, call_id = len(self._trace.events), call_id or run
            self._trace.call(tool, given, event, call_id)
            self._ran += self._trace.events[before:]
        if run:
            self._call_ids[run] = call_id

    def _is_open(self, call: dict[str, Json]) -> bool:
        if call_id := _id_of(call):
            return self._trace.calls.is_open(call_id)
        return self._trace.calls.has_open(str(call["tool"]))

    def _end_tool(self, event: Part) -> None:
        answer, call_id = event.part("data").part("output"), self._call_id(event)
        if event.part("data").value.get("output") is None and call_id:
            self._silent[call_id] = event
            return
        if answer.text("type") == "tool" or "kwargs" in answer.value:
            said = unwrapped(answer)
            own = said.text("tool_call_id") or call_id
            self._told.add_of(_outer(event), said)
            value: JsonObject = {**said.value, "tool_call_id": own}
            read_message(Part(value, said.path, said.outer_time), self._trace)
            return
        output = event.part("data").value.get("output")
        self._told.add_of(_outer(event), Part({"role": "tool", "content": output}))
        self._trace.result(output, event, tool=event.text("name"), call_id=call_id)

    def _call_id(self, event: Part) -> str:
        return self._call_ids.get(event.text("run_id"), "")

    def _read_end(self, event: Part) -> None:
        listed = [*self._listed(event.part("data"))]
        told = {unwrapped(one).text("tool_call_id") for one in listed}
        is_root, node = self._is_root(event), _place(event)
        here = [id_ for id_, one in self._silent.items() if is_root or _place(one) == node]
        self.end_silent([id_ for id_ in here if id_ not in told])
        self._read_state(listed, event.text("run_id"), is_root=is_root)

    def end_silent(self, call_ids: Collection[str] | None = None) -> None:
        """Results of tools that gave nothing, where no message told them; without ids, of all."""
        for call_id in [*self._silent] if call_ids is None else call_ids:
            event = self._silent.pop(call_id)
            if self._trace.calls.is_open(call_id):
                self._trace.result(None, event, tool=event.text("name"), call_id=call_id)

    def _read_state(self, found: Iterable[Part], run: str, *, is_root: bool) -> None:
        """Messages that repeat what was told before; `run`: what gave them."""
        listed = [unwrapped(one) for one in found]
        since, is_state = self._told.since(listed, is_root=is_root)
        for said in listed[since:]:
            if said.text("type") == "remove":
                continue
            if role_of(said) == "tool" and self._is_answered(said):
                continue
            if not self._told.is_repeated(said, run, is_state=is_state):
                self._say_new(said)
        self._told.end()

    def _is_answered(self, said: Part) -> bool:
        """Whether the call of a result has one; an open call gets it from here."""
        call_id = said.text("tool_call_id")
        call_id = self._other_ids.get(call_id, call_id)
        return self._trace.calls.was_made(call_id) and not self._trace.calls.is_open(call_id)

    def _say_new(self, said: Part) -> None:
        """A message that nothing told; calls of it that ran already are no new ones."""
        new: list[Json] = []
        calls = calls_of(said)
        for call in calls:
            found = _best(self._ran, call.get("name"), call.get("args"), _text(call.get("id")))
            if found is None or not _fits(found["input"], call.get("args")):
                new.append(call)
                continue
            self._ran.remove(found)
            self._other_ids[_text(call.get("id"))] = _id_of(found)
        call_id = said.text("tool_call_id")
        value: dict[str, Json] = {**said.value}
        if call_id in self._other_ids:
            value["tool_call_id"] = self._other_ids[call_id]
        if len(new) < len(calls):
            value["tool_calls"] = new
            has_more = said.value.get("invalid_tool_calls") or said.value.get("content")
            if not new and not has_more:
                used = self._trace.used(said, "usage", "usage_metadata")
                self._trace.add_usage(used)
                return
        self._say(Part(value, said.path, said.outer_time))

    def _listed(self, data: Part) -> Iterator[Part]:
        """The messages in the output of a node or graph, wherever they stand in it."""
        for path, one in output_messages(data.value.get("output"), ("output",)):
            if isinstance(one, dict):
                yield data.inner(one, *path)
            elif one is not None:
                what = "an entry of `messages` is not an object"
                self._trace.note("not_an_object", what, (*data.path, *path))


def _told_call_ids(events: Sequence[Part]) -> dict[str, str]:
    """By the run of a tool the id of its call, where its result tells it."""
    found: dict[str, str] = {}
    for event in events:
        if _kind(event) == "tool_end":
            call_id = unwrapped(event.part("data").part("output")).text("tool_call_id")
            if call_id and event.text("run_id"):
                found[event.text("run_id")] = call_id
    return found


def _best(
    calls: Sequence[dict[str, Json]], tool: Json, given: Json, call_id: str
) -> dict[str, Json] | None:
    """The call of this id, else the one of the tool whose arguments fit best."""
    if same := [one for one in calls if call_id and _id_of(one) == call_id]:
        return same[0]
    of_tool = [one for one in calls if one["tool"] == tool]
    fits = sorted(of_tool, key=lambda one: (one["input"] != given, not _fits(one["input"], given)))
    return next(iter(fits), None)


def _fits(one: Json, other: Json) -> bool:
    """Whether arguments can be the same: a tool may be given some of its own beside them."""
    if isinstance(one, dict) and isinstance(other, dict):
        return (
            one.items() <= other.items() if len(one) < len(other) else other.items() <= one.items()
        )
    return True


def _id_of(call: dict[str, Json]) -> str:
    attributes = call["attributes"]
    return _text(attributes.get(CALL_ID)) if isinstance(attributes, dict) else ""


def _text(value: Json) -> str:
    return value if isinstance(value, str) else ""


def _kind(event: Part) -> str:
    return event.text("event").removeprefix("on_")


def _outer(event: Part) -> list[Json]:
    """The runs around it, the outermost first."""
    outer = event.value.get("parent_ids")
    return outer if isinstance(outer, list) else []


def _place(event: Part) -> str:
    """Which run of a node it is of."""
    return event.part("metadata").text("langgraph_checkpoint_ns")


def _is_node(event: Part) -> bool:
    """Whether it is of a node of the graph, not of a part of one."""
    if event.part("metadata").value:
        return event.part("metadata").text("langgraph_node") == event.text("name")
    return len(_outer(event)) == 1
