"""What LangGraph streams in several modes at once is one run, in which nothing is told twice."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from evaltui.core.trace import Event
from evaltui.traces.reading import trace_body
from tests.traces.importers.fixtures import BY_FRAMEWORK, imported
from tests.traces.importers.test_graph_updates import AI, END, HUMAN, TOOL, dumped, traces, wrapped

NAMELESS = {key: one for key, one in TOOL.items() if key != "id"}
"""As a node returns it: the state gives it its id."""
KINDS = ["message", "tool_call", "tool_result", "message"]


def mixed(*messages: Any, updates: Any = None) -> list[Any]:
    """Each message as the update of a node, but for the first, and the state after it."""
    said, added = list(messages), list(updates or messages)
    found: list[Any] = [["values", {"messages": said[:1]}]]
    for number, one in enumerate(added[1:], 2):
        found.append(["updates", {"node": {"messages": [one]}}])
        found.append(["values", {"messages": said[:number]}])
    return found


def in_object(one: Any) -> Any:
    return {"type": one[0], "ns": [], "data": one[1]}


def of_server(one: Any) -> Any:
    return {"event": one[0], "data": one[1]}


def in_three(one: Any) -> Any:
    return [[], *one]


RUN = mixed(HUMAN, AI, TOOL, END, updates=[HUMAN, AI, NAMELESS, END])


@pytest.mark.parametrize("lines", [True, False])
@pytest.mark.parametrize("form", [lambda one: one, in_object, of_server, in_three])
@pytest.mark.parametrize("message", [lambda one: one, wrapped], ids=["plain", "wrapped"])
def test_updates_and_values_tell_each_message_once(
    message: Callable[[Any], Any], form: Callable[[Any], Any], *, lines: bool
) -> None:
    said = [message(one) for one in (HUMAN, AI, TOOL, END)]
    run = mixed(*said, updates=[said[0], said[1], message(NAMELESS), said[3]])
    (trace,) = traces([form(one) for one in run], lines=lines)
    assert [one.type for one in trace] == KINDS
    assert [one.tool for one in trace] == [None, "x", "x", None]
    assert (trace[0].input, trace[2].output, trace[3].output) == ("q", "1", "One.")
    assert trace[1].attributes["gen_ai.usage.input_tokens"] == 3


def test_messages_without_any_id_are_told_once_too() -> None:
    bare = [
        {key: each for key, each in one.items() if key != "id"} for one in (HUMAN, AI, TOOL, END)
    ]
    (trace,) = traces(mixed(*bare))
    assert [one.type for one in trace] == KINDS


def test_the_same_words_twice_are_two_messages() -> None:
    again = {"type": "human", "content": "q"}
    (trace,) = traces(mixed(again, END, again, {**END, "id": "m9"}))
    assert [one.type for one in trace] == ["message"] * 4


def test_a_state_names_each_message_of_a_node_once() -> None:
    asked = {"type": "human", "content": "q"}
    states = [{"messages": [{**asked, "id": id_} for id_ in ids]} for ids in ("a", "ab", "abc")]
    added = ["updates", {"node": {"messages": [asked]}}]
    (trace,) = traces([added, ["values", states[0]], added, *(["values", s] for s in states[1:])])
    assert [one.input for one in trace] == ["q"] * 3


@pytest.mark.parametrize("mode", ["values", "values|team:1"])
def test_states_alone_are_a_run(mode: str) -> None:
    states = [{"event": mode, "data": one[1]} for one in RUN if one[0] == "values"]
    (trace,) = traces(states)
    assert [one.type for one in trace] == KINDS


def test_a_state_that_repeats_nothing_begins_another_run() -> None:
    other = mixed({**HUMAN, "id": "n0"}, {**END, "id": "n1"})
    assert [len(trace) for trace in traces([*RUN, *other])] == [4, 2]
    bare = mixed({"type": "human", "content": "q"}, {"type": "ai", "content": "a"})
    assert [len(trace) for trace in traces([*bare, *bare])] == [2, 2]


def test_states_of_a_graph_within_another_begin_no_run() -> None:
    own = {"type": "human", "id": "i0", "content": "inner"}
    inner = [["team:1"], "values", {"messages": [own]}]
    outer = [[[], *one] for one in RUN]
    (trace,) = traces([*outer[:3], inner, *outer[3:]])
    assert [one.input for one in trace if one.actor == "user"] == ["q", "inner"]
    assert [one.type for one in trace if one.actor != "user"] == KINDS[1:]


def test_messages_as_langchain_dumps_them_are_known_again() -> None:
    nameless = dumped(TOOL)
    del nameless["kwargs"]["id"]
    said = [HUMAN, *map(dumped, (AI, TOOL, END))]
    (trace,) = traces(mixed(*said, updates=[HUMAN, dumped(AI), nameless, dumped(END)]))
    assert [one.type for one in trace] == KINDS


@pytest.mark.parametrize(
    "more",
    [
        ["debug", {"type": "task", "payload": {"name": "agent"}}],
        ["tasks", {"id": "t", "name": "agent"}],
        ["checkpoints", {"values": {"messages": [HUMAN]}}],
        ["messages", [{"type": "AIMessageChunk", "id": "m3", "content": "O"}, {"thread_id": 1}]],
        ["updates", {"plan": None}],
        ["values", {"messages": []}],
    ],
    ids=lambda one: one[0],
)
def test_what_other_modes_repeat_parts_no_run(more: Any) -> None:
    (trace,) = traces([more, *(each for one in RUN for each in (one, more))])
    assert [one.type for one in trace] == KINDS


def test_a_message_of_which_there_are_pieces_only_is_missed() -> None:
    piece = {"type": "AIMessageChunk", "id": "m7", "content": "T"}
    stream = [*RUN, ["messages", [piece, {}]], ["messages", [piece, {}]]]
    found = imported(json.dumps(stream).encode(), BY_FRAMEWORK)
    assert [len(trace) for trace in map(events, found.cases)] == [4]
    (note,) = found.diagnostics
    assert (note.kind, "`m7`" in note.detail) == ("dropped_item", True)


def events(case: Any) -> tuple[Event, ...]:
    return trace_body(case).trace


def checkpoint(number: int, *messages: Any, **more: Any) -> dict[str, Any]:
    def config(at: int) -> dict[str, Any]:
        return {"configurable": {"thread_id": "t", "checkpoint_ns": "", "checkpoint_id": str(at)}}

    values = {"messages": [*messages]} if messages else {}
    parent = config(number - 1) if number else None
    told = {"config": config(number), "parent_config": parent, "next": ["agent"], "tasks": []}
    return {**told, "values": values, "metadata": {"source": "loop", "step": number}, **more}


@pytest.mark.parametrize("message", [lambda one: one, dumped], ids=["plain", "dumped"])
def test_checkpoints_of_a_run_are_one_case(message: Callable[[Any], Any]) -> None:
    said = [message(one) for one in (HUMAN, AI, TOOL, END)]
    run = [checkpoint(number, *said[:number]) for number in range(5)]
    (trace,) = traces(run, lines=True)
    assert [one.type for one in trace] == KINDS
    other = [checkpoint(number, *said[:number]) for number in (7, 8)]
    other[0]["values"] = {"messages": [message({**HUMAN, "id": "other"})]}
    found = imported(json.dumps([*run, other[0]]).encode(), BY_FRAMEWORK, "a.json")
    assert len(found.cases) == 2, "what repeats nothing is another run"


def test_a_checkpoint_that_nothing_goes_on_from_is_missed() -> None:
    run = [checkpoint(0), checkpoint(2, HUMAN, AI, TOOL, END)]
    found = imported(json.dumps(run).encode(), BY_FRAMEWORK, "a.json")
    assert [one.kind for one in found.diagnostics] == ["empty_trace"]
    assert len(found.cases) == 1


@pytest.mark.parametrize(
    ("more", "kinds"),
    [
        ({"content": "", "tool_call_chunks": []}, []),
        ({"content": []}, []),
        ({"content": "Hm"}, ["dropped_item"]),
        ({"content": "", "tool_call_chunks": [{"name": "x"}]}, ["dropped_item"]),
    ],
)
def test_a_piece_that_says_nothing_misses_no_message(
    more: dict[str, Any], kinds: list[str]
) -> None:
    for message in (dict[str, Any], wrapped):
        piece = ["messages", [message({"type": "AIMessageChunk", "id": "p", **more}), {}]]
        run = [*RUN[:1], piece, *RUN[1:]]
        found = imported(json.dumps(run).encode(), BY_FRAMEWORK)
        assert [one.kind for one in found.diagnostics] == kinds
