"""Calls are read wherever a message holds them, each of them once."""

import json
from typing import Any

import pytest

from evaltui.traces.importers.importing import Source
from tests.traces.importers.fixtures import BY_PROVIDER, events_of, imported

ASKED = {"role": "user", "content": "Pay it."}


def calls_of(*messages: Any) -> list[tuple[str, Any]]:
    events = events_of({"messages": [ASKED, *messages]})
    return [(one["tool"], one["input"]) for one in events if one["type"] == "tool_call"]


def kinds_of(record: Any, source: Source = BY_PROVIDER) -> list[str]:
    return [one.kind for one in imported(json.dumps(record).encode(), source).diagnostics]


def block(name: str, **more: Any) -> dict[str, Any]:
    return {"type": "tool_use", "name": name, "input": {"sum": 3}, **more}


def listed(name: str, **more: Any) -> dict[str, Any]:
    return {"function": {"name": name, "arguments": '{"sum": 3}'}, **more}


@pytest.mark.parametrize(
    ("parts", "calls", "made"),
    [
        ([block("pay")], [listed("log")], ["pay", "log"]),
        ([block("pay", id="a")], [listed("log")], ["pay", "log"]),
        ([block("pay", id="a")], [listed("pay", id="a")], ["pay"]),
        ([block("pay", id="a")], [listed("pay", id="b")], ["pay", "pay"]),
        ([block("pay")], [listed("pay")], ["pay"]),
        ([block("pay")], [listed("pay", id="a")], ["pay"]),
        ([block("pay"), block("pay")], [listed("pay")], ["pay", "pay"]),
        ([block("pay", input={"sum": 4})], [listed("pay")], ["pay", "pay"]),
    ],
)
def test_a_part_beside_listed_calls_is_one_of_them_or_one_more(
    parts: list[Any], calls: list[Any], made: list[str]
) -> None:
    said = {"role": "assistant", "content": parts, "tool_calls": calls}
    assert [tool for tool, _ in calls_of(said)] == made


def test_a_content_that_is_one_call_is_a_call() -> None:
    assert calls_of({"role": "assistant", "content": block("pay")}) == [("pay", {"sum": 3})]


@pytest.mark.parametrize(
    ("content", "kinds"),
    [({"type": "tool-approval", "of": "a"}, ["unread_call"]), ({"type": "plan", "of": "a"}, [])],
)
def test_a_content_that_looks_like_a_call_is_told_of(content: Any, kinds: list[str]) -> None:
    record = {"messages": [ASKED, {"role": "assistant", "content": content}]}
    assert kinds_of(record) == kinds


INVOKED = {"state": "result", "toolCallId": "c1", "toolName": "pay", "args": {"sum": 3},
           "result": "ok"}  # fmt: skip
SHOWN = [
    {"type": "step-start"},
    {"type": "tool-invocation", "toolInvocation": INVOKED},
    {"type": "text", "text": "Paid."},
]


@pytest.mark.parametrize(
    "said",
    [
        {"content": "Paid.", "toolInvocations": [INVOKED]},
        {"content": "Paid.", "parts": SHOWN},
        {"content": "Paid.", "parts": SHOWN, "toolInvocations": [INVOKED]},
        {"content": "Paid.", "parts": SHOWN[:2]},
        {"content": {"format": 2, "parts": SHOWN, "toolInvocations": [INVOKED]}},
        {"parts": [{"type": "tool-pay", "toolCallId": "c1", "state": "output-available",
                    "input": {"sum": 3}, "output": "ok"}, SHOWN[2]]},
        {"content": "Paid.", "executed_tools": [
            {"index": 0, "type": "pay", "arguments": '{"sum": 3}', "output": "ok"}]},
    ],
)  # fmt: skip
def test_calls_beside_a_content_are_told_with_their_results(said: dict[str, Any]) -> None:
    events = events_of({"messages": [ASKED, {"role": "assistant", **said}]})
    told = [(one["type"], one["tool"], one["input"], one["output"]) for one in events[1:]]
    assert told == [
        ("tool_call", "pay", {"sum": 3}, None),
        ("tool_result", "pay", None, "ok"),
        ("message", None, None, "Paid."),
    ]


def test_a_content_that_no_part_shows_is_told_too() -> None:
    said = {"role": "assistant", "content": "Paid. Bye.", "parts": SHOWN}
    events = events_of({"messages": [ASKED, said]})
    assert [one["output"] for one in events[3:]] == ["Paid.", "Paid. Bye."]


def test_a_call_that_was_not_answered_has_no_result() -> None:
    said = {"role": "assistant", "toolInvocations": [
        {"state": "call", "toolCallId": "c1", "toolName": "pay", "args": {}}]}  # fmt: skip
    assert [one["type"] for one in events_of({"messages": [ASKED, said]})] == [
        "message", "tool_call"]  # fmt: skip


@pytest.mark.parametrize(
    ("more", "kinds"),
    [
        ({"hosted_tool_runs": [{"name": "pay"}]}, ["unread_call"]),
        ({"function": {"name": "pay"}}, ["unread_call"]),
        ({"tool_calls": []}, []),
        ({"tools": [{"name": "pay"}], "tool_choice": {"type": "auto"}}, []),
        ({"hosted_tool_runs": 3}, []),
        ({"annotations": [{"type": "url_citation"}], "reasoning_details": [{}]}, []),
    ],
)
def test_what_looks_like_calls_beside_a_content_is_told_of(more: Any, kinds: list[str]) -> None:
    said = {"role": "assistant", "content": "Paid.", **more}
    assert kinds_of({"messages": [ASKED, said]}) == kinds


def test_calls_that_langchain_keeps_as_they_were_told_are_made_once() -> None:
    more = {"additional_kwargs": {"tool_calls": [listed("pay", id="a")]}}
    said = {"role": "assistant", "content": "", **more}
    assert calls_of(said) == [("pay", {"sum": 3})]
    assert calls_of({**said, "content": [block("pay", id="a")]}) == [("pay", {"sum": 3})]
    assert calls_of({**said, "tool_calls": [listed("pay", id="a")]}) == [("pay", {"sum": 3})]
    older = {"additional_kwargs": {"function_call": listed("pay")["function"]}}
    assert calls_of({"role": "assistant", "content": "", **older}) == [("pay", {"sum": 3})]


def test_images_beside_a_content_are_missed() -> None:
    said = {"role": "assistant", "content": "Here.", "images": [{"type": "image_url"}]}
    assert kinds_of({"messages": [ASKED, said]}) == ["dropped_content"]


def test_parts_instead_of_a_content_say_what_it_would() -> None:
    asked = {"role": "user", "parts": [{"type": "text", "text": "Pay it."}]}
    assert [one["input"] for one in events_of({"messages": [asked]})] == ["Pay it."]
