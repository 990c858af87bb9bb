"""Spans: whatever they hold is read, wherever a result is told, and what is missing is said."""

import json
from typing import Any

import pytest

from evaltui.core.trace import CALL_ID
from evaltui.traces.reading import trace_body
from tests.traces.importers.fixtures import events_of, imported

CALL = {"type": "tool_call", "id": "c1", "name": "look", "arguments": {"q": 1}}
ANSWER = {"type": "tool_call_response", "id": "c1", "response": {"degrees": 12}}


def text(words: str) -> dict[str, Any]:
    return {"type": "text", "content": words}


def said(role: str, *parts: dict[str, Any]) -> dict[str, Any]:
    return {"role": role, "parts": [*parts]}


def span(number: int, operation: Any, inside: int = 0, **more: Any) -> dict[str, Any]:
    attributes = {f"gen_ai.{key}": value for key, value in more.pop("told", {}).items()}
    return {
        "traceId": "a" * 32,
        "spanId": f"{number:016x}",
        "parentSpanId": f"{inside:016x}" if inside else "",
        "startTimeUnixNano": str(number * 10**9),
        "endTimeUnixNano": str(number * 10**9),
        "attributes": {"gen_ai.operation.name": operation, **attributes},
        **more,
    }


def chat(number: int, asked: list[Any], *answer: dict[str, Any], **more: Any) -> dict[str, Any]:
    told = {"input.messages": asked, "output.messages": [said("assistant", *answer)]}
    return span(number, more.pop("operation", "chat"), told=told, **more)


def tool(number: int, *, call_id: str = "c1", **more: Any) -> dict[str, Any]:
    told = {"tool.name": "look", **({"tool.call.id": call_id} if call_id else {})}
    return span(number, "execute_tool", told={**told, **more.pop("told", {})}, **more)


def wrapped(*spans: dict[str, Any]) -> dict[str, Any]:
    return {"resourceSpans": [{"scopeSpans": [{"spans": [*spans]}]}]}


ASKED = [said("user", text("How warm?"))]
BEFORE = [*ASKED, said("assistant", CALL), said("tool", ANSWER)]
LAST = chat(9, BEFORE, text("12."))


@pytest.mark.parametrize("call_id", ["c1", ""], ids=["id", "no id"])
@pytest.mark.parametrize("operation", ["chat", "completion", "something new"])
def test_a_result_that_only_a_message_tells_is_the_one_of_its_tool(
    call_id: str, operation: str
) -> None:
    ran = tool(2, call_id=call_id, endTimeUnixNano=str(3 * 10**9))
    first = chat(1, ASKED, CALL, operation=operation)
    events = events_of(wrapped(first, ran, chat(9, BEFORE, text("12."), operation=operation)))
    assert [one["input"] or one["output"] for one in events] == [
        *("How warm?", {"q": 1}, {"degrees": 12}, "12.")
    ]
    result = events[2]
    assert (result["latency_ms"], result["attributes"][CALL_ID]) == (1000, "c1")


def test_a_result_in_the_words_of_chat_completions_is_read_too() -> None:
    answer = {"role": "tool", "tool_call_id": "c1", "content": "12"}
    last = chat(9, [*BEFORE[:2], answer], text("12."))
    assert events_of(wrapped(chat(1, ASKED, CALL), tool(2), last))[2]["output"] == "12"


def test_what_a_tool_says_itself_counts_more_than_what_a_message_says() -> None:
    ran = tool(2, told={"tool.call.result": 0})
    assert events_of(wrapped(chat(1, ASKED, CALL), ran, LAST))[2]["output"] == 0


@pytest.mark.parametrize(
    ("told", "output"),
    [
        ('"plain text 17"', "plain text 17"),
        ('{"degrees": 12}', {"degrees": 12}),
        ("[12]", [12]),
        ("plain text 17", "plain text 17"),
        ('"Mild" or "warm"', '"Mild" or "warm"'),
    ],
)
def test_a_result_written_as_json_is_what_that_says(told: str, output: object) -> None:
    ran = tool(2, told={"tool.call.result": told})
    assert events_of(wrapped(chat(1, ASKED, CALL), ran, LAST))[2]["output"] == output


@pytest.mark.parametrize(
    ("one", "detail"),
    [
        (tool(2), "what `look` gave back"),
        (tool(2, call_id="c2", told={"tool.call.result": 1}), "what `look` was called with"),
        (span(2, {"a": 1}), "a span of the operation `{'a': 1}` without messages"),
        (span(2, "rerank"), "a span of the operation `rerank` without messages"),
        (span(2, "chat"), "what a model answered"),
        (span(2, "chat", told={"input.messages": ASKED}), "what a model answered"),
    ],
)
def test_what_no_span_tells_is_a_loss(one: dict[str, Any], detail: str) -> None:
    around = (chat(1, ASKED, CALL), chat(9, ASKED, text("12.")))
    content = json.dumps(wrapped(around[0], one, around[1])).encode()
    found = [each for each in imported(content).diagnostics if each.detail == detail]
    assert [(each.is_loss, bool(each.problem().hint)) for each in found] == [(True, True)]


def test_a_tool_without_a_name_is_missed_once() -> None:
    nameless = {**span(2, "execute_tool", told={"tool.call.result": 1}), "name": ""}
    content = json.dumps(wrapped(chat(1, ASKED, text("12.")), nameless)).encode()
    kinds = [one.kind for one in imported(content).diagnostics]
    assert kinds == ["call_without_tool", "result_without_call"]


def test_spans_that_say_nothing_of_an_agent_are_no_loss() -> None:
    database = {**span(3, "x"), "attributes": {"db.system": "postgresql"}}
    ran = tool(2, told={"tool.call.result": 1})
    assert len(events_of(wrapped(chat(1, ASKED, CALL), ran, database, span(4, "embeddings")))) == 3


def test_a_span_around_models_repeats_them_and_one_around_tools_ends_after_them() -> None:
    outer = chat(1, ASKED, text("12."), operation="workflow")
    ran = tool(3, inside=1, told={"tool.call.arguments": {}, "tool.call.result": 1})
    events = events_of(wrapped(outer, chat(2, ASKED, CALL, inside=1), ran, LAST))
    assert [one["type"] for one in events] == ["message", "tool_call", "tool_result", "message"]
    events = events_of(wrapped(outer, ran))
    assert [one["type"] for one in events] == ["message", "tool_call", "tool_result", "message"]


def test_the_message_of_an_exception_is_why_a_tool_failed() -> None:
    raised = {"name": "exception", "attributes": {"exception.message": "no such city"}}
    ran = tool(2, status={"code": 2}, events=[raised])
    result = events_of(wrapped(chat(1, ASKED, CALL), ran))[2]
    assert (result["error"], result["output"]) == ("no such city", None)


def own(one: dict[str, Any]) -> dict[str, Any]:
    """Marked, so that an event says that it is of this span."""
    return {**one, "attributes": {**one["attributes"], "gen_ai.response.model": "own"}}


KEPT = [said("system", text("Be brief.")), *ASKED]


@pytest.mark.parametrize("answer", [text("12."), CALL], ids=["text", "call"])
@pytest.mark.parametrize("form", ["the same words", "other words"])
def test_a_model_within_a_model_answers_once(answer: dict[str, Any], form: str) -> None:
    outer = chat(1, KEPT, answer)
    if form == "other words":  # those of before there were parts
        outer = span(1, "chat", told={
            "prompt.0.role": "user", "prompt.0.content": "How warm?",
            "completion.0.role": "assistant",
            **({"completion.0.content": "12."} if answer is not CALL else {
                "completion.0.tool_calls.0.id": "c1", "completion.0.tool_calls.0.name": "look",
                "completion.0.tool_calls.0.arguments": '{"q": 1}'}),
        })  # fmt: skip
    inner = own(chat(2, KEPT, answer, inside=1))
    within = span(3, "embeddings", inside=1)  # which is not read
    for spans in ((outer, inner), (outer, {**inner, "parentSpanId": within["spanId"]}, within)):
        found = events_of(wrapped(*spans))
        kinds = ["message", "message", "tool_call" if answer is CALL else "message"]
        assert [one["type"] for one in found] == kinds
        assert [one["actor"] for one in found[:2]] == ["system", "user"]
        assert found[2]["attributes"]["gen_ai.response.model"] == "own"


def test_three_that_wrap_each_other_answer_once_wherever_they_stand() -> None:
    spans = [chat(n, ASKED, text("12."), inside=n - 1) for n in (1, 2, 3)]
    at_once = [{**one, "startTimeUnixNano": "1000000000"} for one in spans]
    for order in (spans, at_once, at_once[::-1], [at_once[1], at_once[2], at_once[0]]):
        found = events_of(wrapped(*order))
        assert [(one["actor"], one["span_id"]) for one in found][1:] == [
            ("assistant", spans[2]["spanId"])
        ]


def test_what_the_outermost_asks_in_other_words_is_told_by_the_innermost() -> None:
    words = {"prompt.0.role": "user", "prompt.0.content": "How warm?"}
    outer, middle = span(1, "chat", told=words), span(2, "chat", inside=1)
    found = events_of(wrapped(outer, middle, chat(3, ASKED, text("12."), inside=2)))
    assert [(one["input"], one["output"]) for one in found] == [("How warm?", None), (None, "12.")]


def test_of_silent_spans_within_each_other_the_tokens_count_once() -> None:
    groups = [
        one
        for n in (1, 5)
        for one in (
            chat(n, ASKED, text(f"{n}.")),
            span(n + 1, "chat", inside=n),
            span(n + 2, "chat", inside=n + 1, told={"usage.input_tokens": 7}),
        )
    ]
    answers = [one for one in events_of(wrapped(*groups)) if one["output"]]
    assert [one["output"] for one in answers] == ["1.", "5."]
    assert [one["attributes"]["gen_ai.usage.input_tokens"] for one in answers] == [7, 7]


@pytest.mark.parametrize(
    ("id_", "inside", "used"), [("m1", 1, [10]), ("m2", 1, [10, 10]), ("m1", 7, [10, 10])]
)
def test_an_answer_that_two_spans_beside_each_other_tell_is_paid_once(
    id_: str, inside: int, used: list[int]
) -> None:
    usage = {"usage.input_tokens": 10, "response.id": "m1"}
    messages = {"input.messages": ASKED, "output.messages": [said("assistant", text("12."))]}
    own = span(3, "chat", inside=inside, told={**usage, "response.id": id_})
    outer = {"spanId": f"{1:016x}", "traceId": "a" * 32, "startTimeUnixNano": "1"}
    spans = [outer, span(2, "chat", inside=1, told={**usage, **messages}), own]
    (case,) = imported(json.dumps(wrapped(*spans)).encode()).cases
    told = [one.attributes.get("gen_ai.usage.input_tokens") for one in trace_body(case).trace]
    assert [one for one in told if one] in (used, [sum(used)])


def test_what_cannot_be_read_of_an_outer_answer_is_missed() -> None:
    picture = chat(1, ASKED, {"type": "image", "url": "x"})
    spans = wrapped(picture, chat(2, ASKED, text("12."), inside=1))
    (missed,) = imported(json.dumps(spans).encode()).diagnostics
    assert (missed.kind, missed.detail) == ("dropped_content", "not text: image")


def test_a_span_around_several_answers_tells_none_of_them_again() -> None:
    outer = chat(1, ASKED, text("12."))
    ran = tool(3, inside=1, told={"tool.call.result": {"degrees": 12}})
    last = {**LAST, "parentSpanId": outer["spanId"]}
    found = events_of(wrapped(outer, chat(2, ASKED, CALL, inside=1), ran, last))
    assert [one["type"] for one in found] == ["message", "tool_call", "tool_result", "message"]


def test_what_only_the_outer_span_says_is_kept() -> None:
    silent = span(2, "chat", inside=1, told={"usage.input_tokens": 7})
    outer = chat(1, ASKED, text("12."))
    (asked, answer) = events_of(wrapped(outer, silent))
    assert (asked["input"], answer["output"]) == ("How warm?", "12.")
    assert answer["attributes"]["gen_ai.usage.input_tokens"] == 7
    other = events_of(wrapped(chat(1, ASKED, text("Mild.")), chat(2, ASKED, text("12."), inside=1)))
    assert [one["output"] for one in other] == [None, "12.", "Mild."]
    only_asked = span(2, "chat", inside=1, told={"input.messages": ASKED})
    assert [one["output"] for one in events_of(wrapped(outer, only_asked))] == [None, "12."]


def test_what_the_inner_span_says_needs_no_outer_one() -> None:
    outer = span(1, "chat", told={"usage.input_tokens": 7})
    (_, answer) = events_of(wrapped(outer, chat(2, ASKED, text("12."), inside=1)))
    assert answer["attributes"]["gen_ai.usage.input_tokens"] == 7
    nobody = wrapped(outer, span(2, "chat", inside=1), chat(3, ASKED, text("12.")))
    (missed,) = imported(json.dumps(nobody).encode()).diagnostics
    assert "what a model answered" in missed.detail


def test_a_failure_is_told_once_and_a_retry_after_it() -> None:
    wrong: dict[str, Any] = {"status": {"code": 2, "message": "overloaded"}}
    failed = span(2, "chat", inside=1, told={"input.messages": ASKED}, **wrong)
    outer = span(1, "chat", told={"input.messages": ASKED}, **wrong)
    errors = [one["error"] for one in events_of(wrapped(outer, failed))]
    assert errors == [None, "overloaded"]
    outer, again = chat(1, ASKED, text("12.")), chat(3, ASKED, text("12."), inside=1)
    found = events_of(wrapped(outer, failed, again))
    assert [(one["error"], one["output"]) for one in found][1:] == [
        ("overloaded", None), (None, "12.")]  # fmt: skip
    late = span(1, "chat", told={"input.messages": ASKED}, **wrong)
    found = events_of(wrapped(late, again))
    assert [one["error"] for one in found] == [None, None, "overloaded"]


def test_a_model_that_a_tool_asks_is_none_within_the_one_that_called_it() -> None:
    outer = own(chat(1, ASKED, CALL))
    ran = tool(2, inside=1, told={"tool.call.result": "12."})
    asked = chat(3, [said("user", text("Look it up."))], text("12."), inside=2)
    found = events_of(wrapped(outer, ran, asked))
    kinds = ["message", "tool_call", "tool_result", "message", "message"]
    assert [one["type"] for one in found] == kinds
    assert found[1]["attributes"]["gen_ai.response.model"] == "own"


def systems(*spans: dict[str, Any]) -> list[Any]:
    (case,) = imported(json.dumps(wrapped(*spans)).encode()).cases
    return [one.attributes.get("gen_ai.system") for one in trace_body(case).trace]


def by(provider: str, one: dict[str, Any], key: str = "gen_ai.provider.name") -> dict[str, Any]:
    return {**one, "attributes": {**one["attributes"], key: provider}}


@pytest.mark.parametrize("key", ["gen_ai.provider.name", "gen_ai.system"])
def test_events_are_from_the_provider_that_their_spans_name(key: str) -> None:
    first = chat(1, ASKED, CALL)
    both = (by("anthropic", first, key), tool(2, told={"tool.call.result": "12"}), LAST)
    assert systems(*both) == ["anthropic"] * 4, "also of spans that do not say it"
    assert systems(first, LAST) == [None] * 4, "and nobody is made up"
    several = systems(by("anthropic", first, key), tool(2), by("openai", LAST, key))
    assert several == ["anthropic", "anthropic", None, "openai"]


def message(**fields: Any) -> dict[str, Any]:
    """As LangChain writes the answer of a tool."""
    name = ["langchain", "schema", "messages", "ToolMessage"]
    kwargs = {"type": "tool", "name": "look", "tool_call_id": "c1", **fields}
    return {"lc": 1, "type": "constructor", "id": name, "kwargs": kwargs}


@pytest.mark.parametrize(
    ("result", "output", "error"),
    [
        (
            {"output": message(content='["hit", 1]'), "kwargs": {"color": "green"}},
            '["hit", 1]',
            None,
        ),
        (message(content=[{"type": "text", "text": "12"}]), "12", None),
        (message(content="no", status="error"), "no", "the tool reported an error"),
        (
            {"output": {"lc": 1, "id": ["x", "Other"]}},
            {"output": {"lc": 1, "id": ["x", "Other"]}},
            None,
        ),
        ({"output": "12"}, {"output": "12"}, None),
    ],
)
def test_what_langchain_wraps_around_a_result_is_none_of_it(
    result: Any, output: Any, error: str | None
) -> None:
    wrapped_result = json.dumps(result)
    (_, _, found, _) = events_of(
        wrapped(chat(1, ASKED, CALL), tool(2, told={"tool.call.result": wrapped_result}), LAST)
    )
    assert (found["output"], found["error"]) == (output, error)


def test_spans_in_openinferences_words_are_refused_as_that() -> None:
    told = {"openinference.span.kind": "LLM", "llm.input_messages.0.message.content": "Hi"}
    other = {**span(1, None), "attributes": told}
    (note,) = imported(json.dumps(wrapped(other)).encode()).diagnostics
    assert note.kind == "empty_trace"
    assert "OpenInference's words" in note.detail
    (note,) = imported(json.dumps(wrapped({**other, "attributes": {}})).encode()).diagnostics
    assert note.detail == "nothing in it says what an agent did"


def test_an_agent_that_was_only_made_did_nothing() -> None:
    told = {"system_instructions": "Be brief."}
    made = imported(json.dumps(wrapped(span(1, "create_agent", told=told))).encode())
    assert made.cases == []
    assert [one.kind for one in made.diagnostics] == ["empty_trace"]


def test_steps_of_a_graph_around_models_are_no_loss() -> None:
    step = span(1, "execute_task", told={"task.output": "{}"})
    assert events_of(wrapped(step, LAST))
    notes = imported(json.dumps(wrapped(step)).encode()).diagnostics
    assert "a span of the operation `execute_task` without messages" in {
        one.detail for one in notes
    }


def test_calls_in_an_event_of_a_span_may_be_a_text() -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "look", "arguments": '{"q": 1}'}}
    told = {"name": "gen_ai.assistant.message", "attributes": {"tool_calls": json.dumps([call])}}
    choice = {"name": "gen_ai.choice", "attributes": {"message": '{"content": "12."}'}}
    events = events_of(wrapped(span(1, "chat", events=[told, choice])))
    assert [(one["tool"], one["input"] or one["output"]) for one in events] == [
        ("look", {"q": 1}),
        (None, "12."),
    ]


THOUGHT = {"type": "reasoning", "content": "hm"}


@pytest.mark.parametrize(
    ("answer", "repeated"),
    [
        ([THOUGHT, text("Looking.")], [text("Looking.")]),
        ([text("Look"), text("ing.")], [text("Looking.")]),
        ([text("Looking.")], [THOUGHT, text("Looking.")]),
        ([THOUGHT, text("Looking."), CALL], [text("Looking."), CALL]),
        ([text("Looking."), {**CALL, "arguments": '{"q": 1}'}], [text("Looking."), CALL]),
    ],
    ids=["thought", "two texts", "thought later", "thought and call", "arguments as text"],
)
def test_an_answer_that_the_next_request_repeats_otherwise_counts_once(
    answer: list[Any], repeated: list[Any]
) -> None:
    history = [*ASKED, said("assistant", *repeated)]
    has_call = repeated[-1] == CALL
    after = [said("tool", ANSWER)] if has_call else [said("user", text("And?"))]
    spans = (chat(1, ASKED, *answer), chat(9, [*history, *after], text("12.")))
    outputs = [one["output"] for one in events_of(wrapped(*spans)) if one["actor"] == "assistant"]
    assert outputs == ["Looking.", "12."]


def test_an_answer_that_was_given_twice_counts_twice() -> None:
    once = said("assistant", text("Looking."))
    again = [*ASKED, once, *ASKED]
    spans = (
        chat(1, ASKED, THOUGHT, text("Looking.")),
        chat(2, again, THOUGHT, text("Looking.")),
        chat(3, [*again, once, *ASKED], text("12.")),
    )
    outputs = [one["output"] for one in events_of(wrapped(*spans)) if one["actor"] == "assistant"]
    assert outputs == ["Looking.", "Looking.", "12."]
    other = (chat(1, ASKED, text("Looking.")), chat(2, [*ASKED, said("assistant", text("Look"))]))
    notes = imported(json.dumps(wrapped(*other)).encode())
    assert "Look" in [one.output for one in trace_body(notes.cases[0]).trace]


def test_a_text_of_chat_completions_and_the_same_in_parts_are_one() -> None:
    first = {"output.messages": [{"role": "assistant", "content": "Looking."}]}
    history = [*ASKED, {"role": "assistant", "content": [{"type": "text", "text": "Looking."}]}]
    told = {"input.messages": ASKED, **first}
    events = events_of(wrapped(span(1, "chat", told=told), chat(9, history, text("12."))))
    assert [one["output"] for one in events][1:] == ["Looking.", "12."]
