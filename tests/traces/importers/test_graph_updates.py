"""What LangGraph streams as updates of its nodes becomes the trace of a run."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from evaltui.core.trace import Event
from evaltui.traces.importers import PROVIDERS
from evaltui.traces.reading import trace_body
from tests.traces.importers.fixtures import BY_FRAMEWORK, imported

AI = {"type": "ai", "id": "m1", "content": "", "tool_calls": [{"name": "x", "args": {}, "id": "c"}],
      "usage_metadata": {"input_tokens": 3, "output_tokens": 1}}  # fmt: skip
TOOL = {"type": "tool", "id": "m2", "content": "1", "tool_call_id": "c", "name": "x"}
END = {"type": "ai", "id": "m3", "content": "One."}
UPDATES = [
    {"agent": {"messages": [AI]}},
    {"tools": {"messages": [TOOL]}, "log": None},
    {"plan": {"plan": "done"}},
    {"agent": {"messages": END}},
]
UNSAID = "what the user said, which updates do not repeat: stream `values` beside them"
KINDS = ["tool_call", "tool_result", "message"]


def dumped(message: Any) -> Any:
    name = {"ai": "AIMessage", "human": "HumanMessage", "tool": "ToolMessage"}[message["type"]]
    kwargs = {key: value for key, value in message.items() if key != "type"}
    return {"lc": 1, "type": "constructor", "id": ["langchain", name], "kwargs": kwargs}


def wrapped(message: Any) -> Any:
    return {"type": message["type"], "data": message}


def traces(records: list[Any], *, lines: bool = False) -> list[tuple[Event, ...]]:
    text = "\n".join(map(json.dumps, records)) if lines else json.dumps(records)
    found = imported(text.encode(), BY_FRAMEWORK, "a.jsonl" if lines else "a.json")
    assert [one for one in found.diagnostics if one.detail != UNSAID] == []
    return [trace_body(case).trace for case in found.cases]


@pytest.mark.parametrize("lines", [True, False])
@pytest.mark.parametrize(
    "form",
    [
        lambda one: one,
        lambda one: {"event": "updates", "data": one},
        lambda one: {"event": "updates|sub:1", "data": one},
        lambda one: {"type": "updates", "ns": [], "data": one},
        lambda one: ["updates", one],
        lambda one: [["team:1"], one],
        lambda one: [["team:1"], "updates", one],
    ],
)
def test_updates_that_follow_each_other_are_one_run(
    form: Callable[[Any], Any], *, lines: bool
) -> None:
    (trace,) = traces([form(one) for one in UPDATES], lines=lines)
    assert [one.type for one in trace] == KINDS
    assert [one.tool for one in trace] == ["x", "x", None]
    assert trace[-1].output == "One."
    assert trace[0].attributes["gen_ai.usage.input_tokens"] == 3


def test_a_question_that_updates_do_not_hold_is_said_to_be_missing() -> None:
    whole = json.dumps(UPDATES).encode()
    (note,) = imported(whole, BY_FRAMEWORK, "a.json").diagnostics
    assert (note.kind, note.detail, note.is_loss) == ("not_told", UNSAID, True)
    asked = {"type": "human", "id": "m0", "content": "Hi?"}
    state = {"type": "values", "ns": [], "data": {"messages": [asked]}}
    both = [state, *({"type": "updates", "ns": [], "data": one} for one in UPDATES)]
    found = imported(json.dumps(both).encode(), BY_FRAMEWORK, "a.json")
    assert found.diagnostics == []
    assert trace_body(found.cases[0]).input == "Hi?"


def test_messages_as_langchain_dumps_them_are_read() -> None:
    records = [{"n": [{"messages": [dumped(one)]}]} for one in (AI, TOOL, END)]
    (trace,) = traces(records)
    assert [one.type for one in trace] == KINDS


def test_a_message_that_a_node_repeats_is_none_and_one_that_is_taken_away_neither() -> None:
    again = {"team": {"messages": [AI, TOOL, END, {"type": "remove", "id": "m9", "content": ""}]}}
    (trace,) = traces([*UPDATES, again])
    assert [one.type for one in trace] == KINDS


def test_a_server_says_where_a_run_begins() -> None:
    run: list[Any] = [{"event": "metadata", "data": {"run_id": "r"}}]
    run += [{"event": "updates", "data": one} for one in UPDATES]
    assert [len(trace) for trace in traces([*run, *run])] == [3, 3]


def test_a_state_beside_updates_stays_a_record_of_its_own() -> None:
    state = {"messages": [{"type": "human", "content": "q"}, END]}
    assert [len(trace) for trace in traces([*UPDATES, state, *UPDATES])] == [3, 2, 3]


def test_objects_that_hold_no_message_are_no_updates() -> None:
    found = imported(json.dumps([{"a": {"b": 1}}, {"c": {"d": 2}}]).encode(), BY_FRAMEWORK)
    assert [one.record_index for one in found.diagnostics if one.kind == "empty_trace"] == [0, 1]


HUMAN = {"type": "human", "id": "m0", "content": "q"}
STATES = [{"messages": [HUMAN, AI, TOOL, END][:count]} for count in (1, 2, 3, 4, 4)]


@pytest.mark.parametrize("lines", [True, False])
@pytest.mark.parametrize(
    "form", [lambda one: one, lambda one: {"messages": [*map(wrapped, one["messages"])]}]
)
def test_of_states_that_repeat_each_other_the_last_is_the_run(
    form: Callable[[Any], Any], *, lines: bool
) -> None:
    (trace,) = traces([form(one) for one in STATES], lines=lines)
    assert [one.type for one in trace] == ["message", *KINDS]
    told = [one.attributes.get("gen_ai.usage.input_tokens") for one in trace]
    assert told == [None, 3, None, None]


def test_states_of_other_runs_are_cases_of_their_own() -> None:
    other = [{"messages": [{**HUMAN, "id": "n0"}, END][:count]} for count in (1, 2)]
    assert [len(trace) for trace in traces([*STATES, *other])] == [4, 2]
    nameless = {"type": "human", "content": "q"}
    states = [{"messages": [nameless]}, {"messages": [nameless, END]}]
    assert [len(trace) for trace in traces(states)] == [1, 2]


@pytest.mark.parametrize("more", ["", "_body"])
def test_what_a_provider_was_asked_and_answered_are_no_nodes(more: str) -> None:
    answer = {"choices": [{"message": {"role": "assistant", "content": "Hello."}}]}
    record = {f"request{more}": {"messages": [{"role": "user", "content": "hi"}]},
              f"response{more}": answer}  # fmt: skip
    source = replace(BY_FRAMEWORK, others=PROVIDERS, command="import-trace")
    found = imported(json.dumps(record).encode(), source)
    assert found.cases == []
    assert ("`evaltui import-trace`" in found.advice) is (not more)
    assert "empty_trace" in [one.kind for one in found.diagnostics]
