"""Pieces of a streamed Gemini answer become one case, however many lines they stand in."""

import json
from typing import Any

import pytest

from evaltui.traces.importers.gemini_chunks import gather
from evaltui.traces.importers.importer import Record
from evaltui.traces.importers.importing import import_records
from evaltui.traces.importers.records import read_records
from evaltui.traces.reading import trace_body
from tests.traces.importers.fixtures import BY_PROVIDER

STOP: dict[str, Any] = {"finishReason": "STOP"}


def piece(id_: str, *parts: dict[str, Any], index: int = 0, **told: Any) -> dict[str, Any]:
    content = {"role": "model", "parts": list(parts)}
    tokens = {"promptTokenCount": 5, "candidatesTokenCount": told.pop("tokens", 1)}
    candidate = {"content": content, "index": index, **told}
    return {"candidates": [candidate], "usageMetadata": tokens, "responseId": id_}


def imported(*records: dict[str, Any], as_list: bool = False) -> Any:
    lines = b"\n".join(json.dumps(one).encode() for one in records)
    name, content = ("x.json", json.dumps(records).encode()) if as_list else ("x.jsonl", lines)
    read = read_records(name, content)
    assert not hasattr(read, "what")
    return import_records(name, read, BY_PROVIDER, "d")


@pytest.mark.parametrize("as_list", [False, True], ids=["lines", "list"])
def test_the_pieces_of_an_answer_are_one_case(as_list: bool) -> None:
    found = imported(
        piece("a", {"text": "Hel"}),
        piece("b", {"text": "Other."}, **STOP),
        piece("a", {"text": "lo."}, tokens=7, **STOP),
        as_list=as_list,
    )
    assert not found.diagnostics
    assert [case.id for case in found.cases] == ["case-1", "case-2"]
    [said], [other] = (trace_body(case).trace for case in found.cases)
    assert (said.output, other.output) == ("Hello.", "Other.")
    assert said.attributes["gen_ai.usage.output_tokens"] == 7
    assert said.attributes["gen_ai.response.finish_reasons"] == ["STOP"]


def test_thoughts_stay_apart_and_calls_stand_between_texts() -> None:
    call = {"functionCall": {"name": "look", "args": {"q": 1}}}
    found = imported(
        piece("a", {"text": "Hm", "thought": True}),
        piece("a", {"text": "I "}),
        piece("a", {"text": "look.", "thoughtSignature": "s"}, call),
        piece("a", {"text": ""}, **STOP),
    )
    [case] = found.cases
    said, called, *_ = trace_body(case).trace
    assert (said.output, called.tool, called.input) == ("I look.", "look", {"q": 1})


def test_of_many_candidates_the_tenth_stands_behind_the_second() -> None:
    numbers = (10, 2, 0)
    pieces = [piece("a", {"text": f"say {number}"}, index=number, **STOP) for number in numbers]
    (record,) = gather([Record(one, index) for index, one in enumerate(pieces)])
    assert isinstance(record.value, dict)
    candidates = record.value["candidates"]
    assert isinstance(candidates, list)
    assert [one["index"] for one in candidates] == [0, 2, 10]


def test_a_last_piece_may_tell_of_tokens_alone() -> None:
    tokens = {"promptTokenCount": 5, "candidatesTokenCount": 9}
    found = imported(
        piece("a", {"text": "Yes."}, **STOP), {"usageMetadata": tokens, "responseId": "a"}
    )
    [case] = found.cases
    [said] = trace_body(case).trace
    assert said.attributes["gen_ai.usage.output_tokens"] == 9
    assert said.attributes["gen_ai.response.finish_reasons"] == ["STOP"]


def test_candidates_beside_the_first_are_told_of() -> None:
    found = imported(
        piece("a", {"text": "One."}, **STOP), piece("a", {"text": "Two."}, index=1, **STOP)
    )
    assert [one.kind for one in found.diagnostics] == ["dropped_alternative"]
    [case] = found.cases
    assert [event.output for event in trace_body(case).trace] == ["One."]


def test_a_stream_that_was_cut_is_told_of() -> None:
    found = imported(piece("a", {"text": "Hel"}), piece("a", {"text": "lo"}))
    assert [(one.kind, one.is_loss) for one in found.diagnostics] == [("not_told", True)]
    assert len(found.cases) == 1


def test_records_with_what_was_asked_are_cases_of_their_own() -> None:
    asked = {"contents": [{"role": "user", "parts": [{"text": "Hi"}]}]}
    found = imported(
        {**asked, **piece("a", {"text": "One."}, **STOP)},
        {**asked, **piece("a", {"text": "Two."}, **STOP)},
    )
    assert [case.id for case in found.cases] == ["case-1", "case-2"]


def test_pieces_without_an_id_are_told_of() -> None:
    pieces = [piece("a", {"text": "Hel"}), piece("a", {"text": "lo."}, **STOP)]
    found = imported(*({**one, "responseId": None} for one in pieces))
    assert [(one.kind, one.record_index) for one in found.diagnostics] == [("not_told", 0)]
    assert len(found.cases) == 2


def test_keys_without_a_value_leave_nothing_out() -> None:
    whole = piece("a", {"text": "Hi."}, **STOP)
    assert not imported({**whole, "sdk_http_response": None}).diagnostics
    [told] = imported({**whole, "sdk_http_response": {}}).diagnostics
    assert told.fields == ("sdk_http_response",)
