"""Turns that only OpenAI keeps are missed; those that the same file tells are not."""

import json
from typing import Any

import pytest

from evaltui.traces.reading import trace_body
from tests.traces.importers.fixtures import events_of, imported


def response(id_: str, text: str = "a", **more: Any) -> dict[str, Any]:
    item = {"type": "message", "role": "assistant",
            "content": [{"type": "output_text", "text": text}]}  # fmt: skip
    return {"object": "response", "id": id_, "status": "completed", "output": [item], **more}


def log(id_: str, text: str = "a", **more: Any) -> dict[str, Any]:
    return {"request": {"input": "and?", **more}, "response": response(id_, text, **more)}


def missed(*records: dict[str, Any]) -> list[tuple[int, str]]:
    content = b"\n".join(json.dumps(one).encode() for one in records)
    found = imported(content, file="a.jsonl")
    assert len(found.cases) == len(records)
    assert {one.kind for one in found.diagnostics} <= {"not_told"}
    return [(one.record_index, one.detail) for one in found.diagnostics]


@pytest.mark.parametrize("form", [response, log], ids=["answer", "log"])
def test_a_turn_before_that_no_record_tells_is_missed_once(form: Any) -> None:
    ((at, detail),) = missed(form("r2", previous_response_id="r1"))
    assert (at, detail) == (0, "what was said before, up to the response `r1`")
    for conversation in ("c1", {"id": "c1"}):
        ((at, detail),) = missed(form("r2", conversation=conversation))
        assert (at, detail) == (0, "what was said before in the conversation `c1`, if anything was")
    assert missed(form("r2", conversation=None, previous_response_id=None)) == []


@pytest.mark.parametrize("form", [response, log], ids=["answer", "log"])
def test_a_turn_before_that_a_record_tells_is_not_missed(form: Any) -> None:
    assert missed(form("r1"), form("r2", previous_response_id="r1")) == []
    assert missed(form("r2", previous_response_id="r1"), form("r1")) == []
    chain = [form("r2", previous_response_id="r1"), form("r3", previous_response_id="r2")]
    ((at, _),) = missed(*chain)
    assert at == 0
    assert [at for at, _ in missed(form("r1", conversation="c1"), form("r2", conversation="c1"),
                                   form("r3", conversation="c2"))] == [0, 2]  # fmt: skip


@pytest.mark.parametrize(
    "record",
    [
        {"prompt": "Say hi.", "choices": [{"text": "Hi."}]},
        {"prompt": ["Say hi."], "choices": [{"text": "Hi."}]},
        {"request": {"prompt": "Say hi."}, "response": {"choices": [{"text": "Hi."}]}},
        {"request": {"body": {"prompt": "Say hi."}}, "response": {"body": {"choices":
                                                                        [{"text": "Hi."}]}}},
        {"prompt": "Say hi.", "request": {"prompt": "Say hi."}, "choices": [{"text": "Hi."}]},
    ],
)  # fmt: skip
def test_the_prompt_of_a_text_completion_is_what_the_user_asked(record: dict[str, Any]) -> None:
    asked, answered = events_of(record)
    assert (asked["actor"], asked["input"], answered["output"]) == ("user", "Say hi.", "Hi.")
    (case,) = imported(json.dumps(record).encode()).cases
    assert trace_body(case).input == "Say hi."


@pytest.mark.parametrize(
    ("prompt", "kind"), [(["a", "b"], "dropped_alternative"), ([17, 4], "not_told"),
                         ([[17, 4]], "not_told")],
)  # fmt: skip
def test_a_prompt_that_cannot_be_told_as_a_whole_is_missed(prompt: Any, kind: str) -> None:
    record = {"prompt": prompt, "choices": [{"text": "Hi."}]}
    (note,) = imported(json.dumps(record).encode()).diagnostics
    assert (note.kind, note.path) == (kind, ("prompt",))


def test_a_stored_prompt_of_a_response_is_no_question() -> None:
    asked, _ = events_of(response("r1", input="hi", prompt={"id": "p1", "version": "2"}))
    assert asked["input"] == "hi"
