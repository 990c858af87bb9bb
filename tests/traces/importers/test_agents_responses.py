"""What models of the Agents SDK answered is told by a run's items, else by its raw responses."""

import json
from typing import Any

import pytest

from evaltui.traces.reading import trace_body
from tests.traces.importers.fixtures import BY_FRAMEWORK, events_of, imported


def call(id_: str | None, tool: str = "look") -> dict[str, Any]:
    return {"type": "function_call", "call_id": id_, "name": tool, "arguments": "{}"}


def says(text: str) -> dict[str, Any]:
    content = [{"type": "output_text", "text": text}]
    return {"type": "message", "role": "assistant", "content": content}


def run(*answers: list[Any], **more: Any) -> dict[str, Any]:
    used = {"input_tokens": 10, "output_tokens": 1}
    responses = [{"output": answer, "usage": used} for answer in answers]
    return {"input": "hi", "raw_responses": responses, "final_output": "ok", **more}


def told(record: dict[str, Any]) -> tuple[list[Any], list[str]]:
    """What the agent said and called, and what was missed."""
    found = imported(json.dumps(record).encode(), BY_FRAMEWORK)
    (case,) = found.cases
    events = [one for one in trace_body(case).trace if one.actor not in ("user", "tool")]
    return [one.tool or one.output for one in events], [one.detail for one in found.diagnostics]


ASKED = "what `look` gave back"


@pytest.mark.parametrize("ids", [("a", "b"), (None, None)], ids=["ids", "no ids"])
def test_answers_that_nothing_else_tells_are_read(ids: tuple[Any, Any]) -> None:
    record = run([says("let me"), call(ids[0]), call(ids[1])], [says("ok")])
    assert told(record) == (["let me", "look", "look", "ok"], [ASKED, ASKED])
    assert told({**record, "new_items": []}) == told(record)


@pytest.mark.parametrize(("raw", "item"), [("a", "a"), (None, "a"), ("a", None), (None, None)])
def test_answers_that_the_items_tell_count_once(raw: str | None, item: str | None) -> None:
    made = {"type": "tool_call_item", "raw_item": call(item)}
    result = {"type": "function_call_output", "call_id": item, "output": "1"}
    items = [{"raw_item": says("let me")}, made, {"raw_item": result}, {"raw_item": says("ok")}]
    record = run([says("let me"), call(raw)], [says("ok")], new_items=items)
    assert told(record) == (["let me", "look", "ok"], [])
    assert [one["output"] for one in events_of(record, BY_FRAMEWORK)][-1] == "ok"


@pytest.mark.parametrize("other", [call("b"), call(None, "drop")])
def test_a_call_that_the_items_lack_is_read(other: dict[str, Any]) -> None:
    items = [
        {"raw_item": call("a")},
        {"raw_item": {**call("a"), "type": "function_call_output", "output": "1"}},
    ]
    calls, missed = told(run([call("a"), other], new_items=items))
    assert calls == ["look", other["name"], "ok"]
    assert missed == [f"what `{other['name']}` gave back"]


def test_an_import_that_must_lose_nothing_is_refused_where_results_are_missing() -> None:
    (note,) = imported(json.dumps(run([call("a")])).encode(), BY_FRAMEWORK).diagnostics
    assert (note.kind, note.is_loss) == ("not_told", True)
    assert note.path == ("raw_responses", 0, "output", 0)
