"""What the libraries of providers write is read whole: their own models make the records."""

import json
from typing import Any, get_args

import pytest

from evaltui.traces.importers import anthropic, openai
from tests.traces.importers.fixtures import imported

pytestmark = pytest.mark.slow  # the libraries take seconds to load


def keys_of(parameters: Any) -> set[str]:
    return set(parameters.__annotations__)


def test_no_key_of_openai_is_unknown() -> None:
    chat = pytest.importorskip("openai.types.chat")
    responses = pytest.importorskip("openai.types.responses")
    asked = keys_of(chat.completion_create_params.CompletionCreateParamsNonStreaming)
    asked |= keys_of(responses.response_create_params.ResponseCreateParamsNonStreaming)
    answered = {*chat.ChatCompletion.model_fields, *responses.Response.model_fields}
    assert (asked | answered) - openai.KEYS == set()


def test_no_key_of_anthropic_is_unknown() -> None:
    types = pytest.importorskip("anthropic.types")
    asked = keys_of(types.message_create_params.MessageCreateParamsNonStreaming)
    assert (asked | {*types.Message.model_fields}) - anthropic.KEYS == set()


def test_every_item_of_a_response_is_read() -> None:
    items = pytest.importorskip("openai.types.responses.response_output_item")
    union = get_args(items.ResponseOutputItem)[0]
    kinds = {get_args(one.model_fields["type"].annotation)[0] for one in get_args(union)}
    assert {"function_call", "message", "computer_call_output"} <= kinds
    for kind in kinds - {"message", "program", "program_output"}:
        item = {"type": kind, "id": "a", "call_id": "a", "name": "look", "arguments": "{}"}
        record = {"input": "a", "output": [item]}
        notes = [one.kind for one in imported(json.dumps(record).encode()).diagnostics]
        assert "dropped_item" not in notes, kind


def test_an_answer_dumped_by_the_library_is_imported_whole() -> None:
    chat = pytest.importorskip("openai.types.chat")
    message = {"role": "assistant", "content": "Hello.", "refusal": None}
    answer = chat.ChatCompletion(
        id="a",
        created=1_760_000_000,
        model="m",
        object="chat.completion",
        choices=[{"index": 0, "finish_reason": "stop", "message": message}],
        usage={"prompt_tokens": 3, "completion_tokens": 1, "total_tokens": 4},
    )
    found = imported(answer.model_dump_json().encode())
    assert (found.diagnostics, len(found.cases)) == ([], 1)
