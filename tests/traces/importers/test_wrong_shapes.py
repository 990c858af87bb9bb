"""Where something else stands than what is read, an import says so: nothing is lost in silence."""

import json
from typing import Any

import pytest

from tests.traces.importers.fixtures import BY_FRAMEWORK, BY_PROVIDER, imported
from tests.traces.importers.test_otlp import ASKED, chat, span, text, wrapped

USER = {"role": "user", "content": "hi"}
SAID = {"role": "assistant", "content": "ANSWER"}
MODEL = {"role": "model", "parts": [{"text": "yo"}]}
CONTENTS = [{"role": "user", "parts": [{"text": "hi"}]}]
HUMAN = {"agent": {"messages": [{"type": "human", "content": "hi"}]}}
TOOL = {"type": "tool", "name": "f", "tool_call_id": "k", "content": "RESULT"}
AI = {"type": "ai", "content": "yo"}
ANSWERED = {"id": "m", "type": "message", "role": "assistant", "content": [{"text": "a"}]}
SPAN = chat(1, ASKED, text("One."))
OTHER = chat(2, ASKED, text("LOST"))


def resource(*scopes: Any) -> dict[str, Any]:
    return {"resourceSpans": [{"scopeSpans": [{"spans": [SPAN]}, *scopes]}]}


def kinds(record: Any) -> list[str]:
    is_graph = isinstance(record, list)
    found = imported(json.dumps(record).encode(), BY_FRAMEWORK if is_graph else BY_PROVIDER)
    assert all(one.problem().hint for one in found.diagnostics)
    return [one.kind for one in found.diagnostics if one.is_loss]


@pytest.mark.parametrize(
    ("record", "kind"),
    [
        ({"messages": [USER], "choices": [{"message": ["ANSWER"]}]}, "not_an_object"),
        ({"messages": [USER], "choices": [{"index": 0}]}, "not_told"),
        ({"request": {"messages": [USER]}, "response": [{"choices": []}]}, "not_an_object"),
        ({"request": {"messages": [USER]}, "response": {"answers": [SAID]}}, "not_told"),
        ({"request": [{"messages": []}], "messages": [USER]}, "not_an_object"),
        ({"messages": [USER, {"role": "assistant", "contentX": "LOST"}, SAID]}, "not_told"),
        ({"messages": [USER, SAID], "usage": ["input_tokens"]}, "not_an_object"),
        ({"messages": [USER, SAID], "usage": {"input_tokens": {"v": 5}}}, "unreadable_number"),
        ({"messages": [USER, {**SAID, "usage": {"input_tokens": "x"}}]}, "unreadable_number"),
        ({**ANSWERED, "usage": "5 tokens"}, "not_an_object"),
        ({**ANSWERED, "usage": {"output_tokens": -5}}, "unreadable_number"),
        ({**ANSWERED, "usage": {"cache_read_input_tokens": [5]}}, "unreadable_number"),
        ({"type": "message", "role": "assistant", "messages": [USER], "contentX": 1}, "not_told"),
        ({"contents": CONTENTS, "candidates": [{"content": [MODEL]}]}, "not_an_object"),
        (
            {"contents": CONTENTS, "candidates": [{"content": {"role": "model", "partsX": [1]}}]},
            "not_told",
        ),
        ({"contents": CONTENTS, "systemInstruction": [{"parts": []}]}, "not_an_object"),
        (
            {"contents": CONTENTS, "candidates": [{"content": MODEL}], "usageMetadata": [{"a": 1}]},
            "not_an_object",
        ),
        ([HUMAN, {"tools": {"messages": [[TOOL]]}}], "not_an_object"),
        ([HUMAN, {"agent": {"messages": "yo"}}], "not_an_object"),
        (
            [HUMAN, {"agent": {"messages": [{**AI, "usage_metadata": {"input_tokens": [5]}}]}}],
            "unreadable_number",
        ),
        (wrapped(SPAN, [OTHER]), "not_an_object"),  # type: ignore[arg-type]
        (resource({"spans": OTHER}), "not_an_object"),
        (resource([{"spans": [OTHER]}]), "not_an_object"),
        ({"resourceSpans": [*resource()["resourceSpans"], [OTHER]]}, "not_an_object"),
        (wrapped({**SPAN, "events": [["gen_ai.choice"]]}), "not_an_object"),
        (wrapped(SPAN, span(2, "x", attributes=["gen_ai.prompt"])), "not_an_object"),
        (wrapped(span(1, "chat", told={"completion": "a", "usage.input_tokens": [5]})),
         "unreadable_number"),
        (wrapped(span(1, "chat", told={"output.messages": {"strValue": "LOST"}})), "dropped_item"),
    ],
)  # fmt: skip
def test_another_shape_is_a_loss(record: Any, kind: str) -> None:
    assert kind in kinds(record)


def test_what_only_lacks_something_is_none() -> None:
    assert kinds({"messages": [USER, SAID], "usage": None, "response": None}) == []
    assert kinds({"messages": [USER, {"role": "assistant", "content": None}], "usage": {}}) == []
    assert kinds({"contents": CONTENTS, "systemInstruction": "Be brief."}) == []
    assert kinds({"contents": CONTENTS, "candidates": [{"finishReason": "SAFETY"}]}) == []
