"""Events of a streamed answer of OpenAI's Responses become one case, however many lines."""

import json
from typing import Any

from evaltui.traces.importers.importing import Imported
from evaltui.traces.reading import trace_body
from tests.traces.importers.fixtures import imported

USAGE = {"input_tokens": 5, "output_tokens": 7, "total_tokens": 12}
CALL = {"type": "function_call", "id": "f", "call_id": "c", "name": "look", "arguments": '{"q": 1}'}


def event(kind: str, **told: Any) -> dict[str, Any]:
    return {"type": f"response.{kind}", "sequence_number": 0, **told}


def answer(kind: str, status: str, *output: dict[str, Any], **told: Any) -> dict[str, Any]:
    response = {"id": "r", "object": "response", "status": status, "output": [*output], **told}
    return event(kind, response=response)


def message(*pieces: str) -> dict[str, Any]:
    content = [{"type": "output_text", "text": one, "annotations": []} for one in pieces]
    return {"type": "message", "id": "m", "role": "assistant", "content": content}


def added(item: dict[str, Any], place: int = 0) -> dict[str, Any]:
    empty: dict[str, Any] = {"content": []} if item["type"] == "message" else {"arguments": ""}
    return event("output_item.added", output_index=place, item={**item, **empty})


def text(piece: str, place: int = 0) -> dict[str, Any]:
    return event("output_text.delta", output_index=place, content_index=0, delta=piece)


CREATED = answer("created", "in_progress", instructions="Be terse", usage=None)


def read(*records: dict[str, Any]) -> Imported:
    return imported(b"\n".join(json.dumps(one).encode() for one in records), file="x.jsonl")


def said(found: Imported) -> list[list[Any]]:
    return [[one.output for one in trace_body(case).trace] for case in found.cases]


def test_the_events_of_an_answer_are_one_case() -> None:
    whole = answer("completed", "completed", message("Hel", "lo"), usage=USAGE)
    other = answer("completed", "completed", message("Other"))
    found = read(
        *(CREATED, added(message()), text("Hel"), text("lo"), whole),
        *(CREATED, text("Other"), other),
        other,
    )
    assert not found.diagnostics
    assert [case.id for case in found.cases] == ["case-1", "case-2", "case-3"]
    assert said(found) == [["Be terse", "Hello"], ["Be terse", "Other"], ["Other"]]
    last = trace_body(found.cases[0]).trace[-1].attributes
    assert last["gen_ai.usage.output_tokens"] == 7


def test_items_are_kept_where_the_end_does_not_repeat_them() -> None:
    done = event("output_item.done", output_index=0, item=CALL)
    found = read(CREATED, added(CALL), done, answer("completed", "completed"))
    assert not found.diagnostics
    [case] = found.cases
    calls = [(one.tool, one.input) for one in trace_body(case).trace if one.tool]
    assert calls == [("look", {"q": 1})]


def test_a_stream_that_was_cut_is_told_of() -> None:
    piece = event("function_call_arguments.delta", output_index=1, delta='{"q": 1}')
    found = read(CREATED, added(message()), text("Hel"), text("lo"), added(CALL, 1), piece)
    assert [(one.kind, one.record_index, one.is_loss) for one in found.diagnostics] == [
        ("not_told", 0, True)
    ]
    [case] = found.cases
    told = [(one.tool, one.input, one.output) for one in trace_body(case).trace[1:]]
    assert told == [(None, None, "Hello"), ("look", {"q": 1}, None)]


def test_an_error_in_a_stream_is_one_of_its_answer() -> None:
    fault = {"type": "error", "sequence_number": 3, "code": "server_error", "message": "Overloaded"}
    found = read(CREATED, text("Hel"), fault, {"input": "a"})
    assert [one.id for one in found.cases] == ["case-1", "case-2"]
    assert trace_body(found.cases[0]).trace[-1].error == "Overloaded"
    failed = answer("failed", "failed", error={"code": "server_error", "message": "Broken"})
    [case] = read(CREATED, failed).cases
    assert trace_body(case).trace[-1].error == "Broken"
