"""Events of a streamed answer of Anthropic's become one case, however many lines they stand in."""

import json
from typing import Any

from evaltui.traces.importers.importing import import_records
from evaltui.traces.importers.records import read_records
from evaltui.traces.reading import trace_body
from tests.traces.importers.fixtures import BY_PROVIDER

USAGE = {"input_tokens": 5, "output_tokens": 1}
STOP = {"type": "message_stop"}


def start(id_: str) -> dict[str, Any]:
    message = {"id": id_, "type": "message", "role": "assistant", "model": "m", "content": []}
    return {"type": "message_start", "message": {**message, "stop_reason": None, "usage": USAGE}}


def block(index: int, **told: Any) -> dict[str, Any]:
    return {"type": "content_block_start", "index": index, "content_block": told}


def delta(index: int, kind: str, **told: Any) -> dict[str, Any]:
    return {"type": "content_block_delta", "index": index, "delta": {"type": kind, **told}}


def end(reason: str = "end_turn", tokens: int = 7) -> dict[str, Any]:
    why = {"stop_reason": reason, "stop_sequence": None}
    return {"type": "message_delta", "delta": why, "usage": {"output_tokens": tokens}}


def text(id_: str, *pieces: str) -> list[dict[str, Any]]:
    said = [delta(0, "text_delta", text=piece) for piece in pieces]
    stop = {"type": "content_block_stop", "index": 0}
    return [start(id_), block(0, type="text", text=""), {"type": "ping"}, *said, stop]


def imported(*records: dict[str, Any]) -> Any:
    content = b"\n".join(json.dumps(one).encode() for one in records)
    read = read_records("x.jsonl", content)
    assert not hasattr(read, "what")
    return import_records("x.jsonl", read, BY_PROVIDER, "d")


def test_the_events_of_an_answer_are_one_case() -> None:
    found = imported(*text("a", "Hel", "lo."), end(), STOP, *text("b", "Other."), end(), STOP)
    assert not found.diagnostics
    assert [case.id for case in found.cases] == ["case-1", "case-2"]
    [said], [other] = (trace_body(case).trace for case in found.cases)
    assert (said.output, other.output) == ("Hello.", "Other.")
    assert said.attributes["gen_ai.usage.output_tokens"] == 7
    assert said.attributes["gen_ai.usage.input_tokens"] == 5
    assert said.attributes["gen_ai.response.finish_reasons"] == ["end_turn"]


def test_what_is_put_together_is_not_dropped_and_counts_as_one() -> None:
    empty: dict[str, Any] = {"messages": []}
    found = imported(*text("a", "Hel"), STOP, empty, *text("b", "lo"), STOP)
    assert [case.id for case in found.cases] == ["case-1", "case-3"]
    assert [trace_body(case).metadata["source_index"] for case in found.cases] == [0, 7]
    metadata = found.suite("d", BY_PROVIDER, "x.jsonl")["metadata"]
    counted = ("total_records", "imported_records", "dropped_records")
    assert [metadata[name] for name in counted] == [13, 2, 1]


def test_a_call_in_pieces_is_one_call_in_its_place() -> None:
    found = imported(
        start("a"),
        block(0, type="thinking", thinking="", signature=""),
        delta(0, "thinking_delta", thinking="Hm."),
        delta(0, "signature_delta", signature="s"),
        block(1, type="tool_use", id="t1", name="look", input={}),
        delta(1, "input_json_delta", partial_json='{"q'),
        {"type": "input_json", "partial_json": '{"q', "snapshot": {}},
        delta(1, "input_json_delta", partial_json='": 1}'),
        block(2, type="tool_use", id="t2", name="wait", input={}),
        end("tool_use"),
        STOP,
    )
    assert not found.diagnostics
    [case] = found.cases
    assert [(one.type, one.tool, one.input) for one in trace_body(case).trace] == [
        ("tool_call", "look", {"q": 1}),
        ("tool_call", "wait", {}),
    ]


def test_a_stream_that_was_cut_is_told_of() -> None:
    found = imported(*text("a", "Hel"), *text("b", "Whole."), end(), STOP)
    assert [(one.kind, one.record_index) for one in found.diagnostics] == [("not_told", 0)]
    assert [trace_body(case).trace[0].output for case in found.cases] == ["Hel", "Whole."]


def test_an_error_in_a_stream_is_told_once_after_what_came_of_the_answer() -> None:
    fault = {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}
    found = imported(*text("a", "Hel"), fault, start("b"), fault)
    said, silent = (
        [(event.output, event.error) for event in trace_body(case).trace] for case in found.cases
    )
    assert said == [("Hel", None), (None, "Overloaded")]
    assert silent == [(None, "Overloaded")]
