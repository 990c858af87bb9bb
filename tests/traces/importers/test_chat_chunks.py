"""Chunks of a streamed chat completion become one case, however many lines they stand in."""

import json
from typing import Any

from evaltui.traces.importers.importing import import_records
from evaltui.traces.importers.records import read_records
from evaltui.traces.measured import tokens
from evaltui.traces.reading import trace_body
from tests.traces.importers.fixtures import BY_PROVIDER


def chunk(id_: str, **told: Any) -> dict[str, Any]:
    return {"id": id_, "object": "chat.completion.chunk", "created": 1_700_000_000, **told}


def says(id_: str, delta: dict[str, Any], why: str | None = None, index: int = 0) -> dict[str, Any]:
    return chunk(id_, choices=[{"index": index, "delta": delta, "finish_reason": why}])


def calls(id_: str, arguments: str, **named: Any) -> dict[str, Any]:
    function = {"arguments": arguments, **named}
    return says(id_, {"tool_calls": [{"index": 0, "id": "c1", "function": function}]})


def imported(*records: dict[str, Any]) -> Any:
    content = b"\n".join(json.dumps(one).encode() for one in records)
    read = read_records("x.jsonl", content)
    assert not hasattr(read, "what")
    return import_records("x.jsonl", read, BY_PROVIDER, "d")


def test_the_chunks_of_an_answer_are_one_case() -> None:
    found = imported(
        says("a", {"role": "assistant", "content": ""}),
        says("a", {"content": "Hel"}),
        says("b", {"content": "Other."}, "stop"),
        says("a", {"content": "lo."}, "stop"),
        chunk("a", choices=[], usage={"prompt_tokens": 5, "completion_tokens": 7}),
    )
    assert not found.diagnostics
    assert [case.id for case in found.cases] == ["case-1", "case-2"]
    [said], [other] = (trace_body(case).trace for case in found.cases)
    assert (said.output, other.output) == ("Hello.", "Other.")
    assert said.attributes["gen_ai.usage.output_tokens"] == 7
    assert said.attributes["gen_ai.response.finish_reasons"] == ["stop"]


def test_a_call_in_pieces_is_one_call() -> None:
    found = imported(calls("a", '{"q', name="look"), calls("a", '": 1}'))
    [case] = found.cases
    assert [(one.type, one.tool, one.input) for one in trace_body(case).trace] == [
        ("tool_call", "look", {"q": 1})
    ]


def test_answers_beside_the_first_are_told_of() -> None:
    found = imported(
        says("a", {"content": "One."}, "stop"), says("a", {"content": "Two."}, "stop", index=1)
    )
    assert [one.kind for one in found.diagnostics] == ["dropped_alternative"]
    assert len(found.cases) == 1


def test_a_stream_that_was_cut_is_told_of() -> None:
    found = imported(says("a", {"content": "Hel"}), says("a", {"content": "lo"}))
    assert [(one.kind, one.is_loss) for one in found.diagnostics] == [("not_told", True)]
    assert len(found.cases) == 1


def groq(*pieces: Any, **last: Any) -> list[dict[str, Any]]:
    choices = [{"index": 0, "delta": piece, "finish_reason": None} for piece in pieces]
    choices.append({"index": 0, "delta": {}, "finish_reason": "stop"})
    same = {"id": "c1", "object": "chat.completion.chunk", "model": "m"}
    found = [{**same, "choices": [choice]} for choice in choices]
    return [*found[:-1], {**found[-1], **last}]


def test_tools_that_groq_ran_while_it_answered_are_calls() -> None:
    begun = {"index": 0, "type": "search", "arguments": '{"q": 1}', "output": None}
    other = {"index": 1, "type": "visit", "arguments": "{}", "output": "b"}
    chunks = groq(
        {"role": "assistant", "executed_tools": [begun]},
        {"executed_tools": [{**begun, "output": "a"}]},
        {"executed_tools": [other]},
        {"content": "Sunny."},
    )
    (case,) = imported(*chunks).cases
    told = [(one.tool, one.output) for one in trace_body(case).trace]
    assert told == [("search", None), ("search", "a"), ("visit", None), ("visit", "b"),
                    (None, "Sunny.")]  # fmt: skip


def test_tokens_that_groq_tells_at_the_end_of_a_stream_are_counted() -> None:
    used = {"prompt_tokens": 18, "completion_tokens": 9}
    chunks = groq({"content": "Hi"}, x_groq={"id": "r", "usage": used})
    (case,) = imported(*chunks).cases
    assert tokens(trace_body(case)) == {"input": 18, "output": 9}
