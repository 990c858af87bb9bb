"""Events of sessions of Google's ADK, as it stores and streams them."""

import json
from typing import Any

import pytest

from evaltui.traces.importers.importing import Source
from evaltui.traces.measured import tokens
from evaltui.traces.reading import trace_body
from tests.traces.importers.fixtures import BY_FRAMEWORK, BY_PROVIDER, events_of, imported

BOTH = pytest.mark.parametrize("source", [BY_PROVIDER, BY_FRAMEWORK], ids=["provider", "framework"])


def event(author: str, *parts: Any, role: str = "model", run: str = "i1", **more: Any) -> Any:
    content = {"role": role, "parts": [*parts]}
    return {"author": author, "invocationId": run, "content": content, **more}


CALL = {"functionCall": {"id": "c1", "name": "pay", "args": {"sum": 3}}}
GIVEN = {"functionResponse": {"id": "c1", "name": "pay", "response": {"paid": True}}}
USED = {"promptTokenCount": 5, "candidatesTokenCount": 2}
EVENTS = [
    event("user", {"text": "Pay it."}, role="user"),
    event("root", CALL, usageMetadata=USED),
    event("root", GIVEN, role="user"),
    event("root", {"text": "Pa"}, partial=True, usageMetadata=USED),
    event("root", {"text": "Paid."}, usageMetadata=USED),
]
TOLD = [
    ("user", "message", None),
    ("agent", "tool_call", "pay"),
    ("tool", "tool_result", "pay"),
    ("agent", "message", None),
]


def shape(events: Any) -> list[tuple[str, str, str | None]]:
    return [(one["actor"], one["type"], one["tool"]) for one in events]


@BOTH
@pytest.mark.parametrize("more", [{}, {"id": "s", "appName": "a", "userId": "u", "state": {"a": 1},
                                       "lastUpdateTime": 1.5}])  # fmt: skip
def test_a_session_is_told_by_who_said_and_called_what(source: Source, more: Any) -> None:
    events = events_of({"events": EVENTS, **more}, source)
    assert shape(events) == TOLD
    assert [one["input"] for one in events] == ["Pay it.", {"sum": 3}, None, None]
    assert [one["output"] for one in events] == [None, None, {"paid": True}, "Paid."]


@BOTH
def test_events_of_one_run_in_lines_of_their_own_are_one_case(source: Source) -> None:
    other = [event("user", {"text": "And?"}, role="user", run="i2"),
             event("root", {"text": "Done."}, run="i2")]  # fmt: skip
    content = "\n".join(map(json.dumps, [*EVENTS, *other])).encode()
    found = imported(content, source, "a.jsonl")
    assert found.diagnostics == []
    assert [len(trace_body(one).trace) for one in found.cases] == [4, 2]


def test_tokens_of_each_event_but_its_pieces_are_counted() -> None:
    (case,) = imported(json.dumps({"events": EVENTS}).encode()).cases
    assert tokens(trace_body(case)) == {"input": 10, "output": 4}


def test_an_event_that_failed_ends_with_its_error() -> None:
    failed = {"author": "root", "invocationId": "i1", "errorCode": "SAFETY"}
    events = events_of({"events": [EVENTS[0], failed]})
    assert [one["error"] for one in events] == [None, "SAFETY"]
