"""An answer that a later request repeats is told once, whatever ids its calls have there."""

from typing import Any

import pytest

from tests.traces.importers.fixtures import events_of
from tests.traces.importers.test_otlp import ANSWER, ASKED, CALL, chat, said, text, tool, wrapped


def named(part: dict[str, Any], id_: str | None) -> dict[str, Any]:
    rest = {key: value for key, value in part.items() if key != "id"}
    return rest if id_ is None else {**rest, "id": id_}


def told(*spans: dict[str, Any]) -> list[tuple[str, Any]]:
    return [(one["type"], one["input"] or one["output"]) for one in events_of(wrapped(*spans))]


ONCE = [("message", "How warm?"), ("tool_call", {"q": 1}), ("tool_result", {"degrees": 12}),
        ("message", "12.")]  # fmt: skip


@pytest.mark.parametrize("has_span", [True, False])
@pytest.mark.parametrize(("of_call", "of_result"), [("x", "c1"), ("x", "x"), (None, None)])
def test_a_call_that_is_repeated_by_another_id_is_made_once(
    of_call: str | None, of_result: str | None, has_span: bool
) -> None:
    asked = [
        *ASKED,
        said("assistant", named(CALL, of_call)),
        said("tool", named(ANSWER, of_result)),
    ]
    ran = [tool(2, call_id="")] if has_span else []
    assert told(chat(1, ASKED, CALL), *ran, chat(9, asked, text("12."))) == ONCE


def test_the_same_in_the_words_of_chat_completions() -> None:
    function = {"name": "look", "arguments": '{"q": 1}'}
    calls = {"role": "assistant", "tool_calls": [{"id": "x", "function": function}]}
    first = chat(1, ASKED)
    first["attributes"]["gen_ai.output.messages"] = [
        {**calls, "tool_calls": [{"id": "c1", "function": function}]}
    ]
    asked = [*ASKED, calls, {"role": "tool", "tool_call_id": "x", "content": {"degrees": 12}}]
    assert told(first, chat(9, asked, text("12."))) == ONCE


def test_a_call_that_was_made_after_other_words_is_another_one() -> None:
    other = [said("user", text("How warm there?"))]
    asked = [*other, said("assistant", named(CALL, "x")), said("tool", named(ANSWER, "x"))]
    events = told(chat(1, ASKED, CALL), tool(2, told={"tool.call.result": 1}),
                  chat(9, asked, text("12.")))  # fmt: skip
    assert [kind for kind, _ in events].count("tool_call") == 2


def test_the_same_call_made_again_is_another_one() -> None:
    again = [*ASKED, said("assistant", named(CALL, "x")), said("tool", named(ANSWER, "x"))]
    last = [*again, said("assistant", named(CALL, "y")), said("tool", named(ANSWER, "y"))]
    events = told(chat(1, ASKED, CALL), chat(4, again, named(CALL, "c2")),
                  chat(9, last, text("12.")))  # fmt: skip
    assert events == [*ONCE[:3], *ONCE[1:]]
