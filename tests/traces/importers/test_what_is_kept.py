"""Nothing that an export says of a run is lost: answers, ids, times, usage, errors."""

import json
from typing import Any

import pytest

from evaltui.core.trace import CALL_ID
from evaltui.traces.importers import PROVIDERS
from evaltui.traces.importers.importing import Source
from evaltui.traces.reading import trace_body
from tests.traces.importers.fixtures import BY_FRAMEWORK, events_of, imported

CALL = {"id": "c1", "type": "function", "function": {"name": "look", "arguments": '{"q": 1}'}}


def test_the_answer_of_a_chat_completion_is_read() -> None:
    record = {"choices": [{"message": {"role": "assistant", "content": "Hello."}}]}
    assert [event["output"] for event in events_of(record)] == ["Hello."]


def test_usage_of_an_answer_is_kept_once() -> None:
    used = {"input_tokens": 5, "output_tokens": 7}
    record = {
        "output": [
            {"type": "function_call", "call_id": "a", "name": "look", "arguments": "{}"},
            {"type": "function_call_output", "call_id": "a", "output": "1"},
            {"type": "message", "role": "assistant", "content": "One."},
        ],
        "usage": used,
    }
    said = [event["attributes"].get("gen_ai.usage.output_tokens") for event in events_of(record)]
    assert said == [None, None, 7]


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        (1_700_000_000, "2023-11-14T22:13:20+00:00"),
        (1_700_000_000_000, "2023-11-14T22:13:20+00:00"),
        ("1700000000.5", "2023-11-14T22:13:20.500000+00:00"),
        ("2026-01-01T10:00:00Z", "2026-01-01T10:00:00Z"),
    ],
)
def test_a_time_is_one_that_can_be_replayed(said: Any, kept: str) -> None:
    record = {"messages": [{"role": "user", "content": "a", "timestamp": said}]}
    assert events_of(record)[0]["ts"] == kept
    assert (
        events_of({"messages": [{"role": "user", "content": "a"}], "created_at": said})[0]["ts"]
        == kept
    )


def test_latency_is_kept_once_and_rounded() -> None:
    said = {"role": "assistant", "content": "I look.", "tool_calls": [CALL], "latency_ms": 12.6}
    record = {"messages": [said, {"role": "tool", "tool_call_id": "c1", "content": "1"}]}
    assert [event["latency_ms"] for event in events_of(record)] == [13, None, None]


def test_a_message_cut_in_two_by_a_call_has_its_latency_once() -> None:
    text = {"type": "text", "text": "a"}
    call = {"type": "tool_use", "id": "t", "name": "look", "input": {}}
    said = {"role": "assistant", "content": [text, call, text], "latency_ms": 40}
    assert [event["latency_ms"] for event in events_of({"messages": [said]})] == [40, None, None]


def test_ids_of_traces_and_spans_are_kept_where_they_can_be_ids() -> None:
    messages: list[dict[str, Any]] = [
        {"role": "user", "content": "a", "span_id": "00000000000000aa", "trace_id": "ab" * 16},
        {"role": "assistant", "content": "b", "span_id": "00000000000000aa"},
        {
            "role": "assistant",
            "content": "c",
            "span_id": "no",
            "parent_span_id": "00000000000000aa",
        },
    ]
    first, second, third = events_of({"messages": messages})
    assert {event["trace_id"] for event in (first, second, third)} == {"ab" * 16}
    assert first["span_id"] == "00000000000000aa"
    assert len({first["span_id"], second["span_id"], third["span_id"]}) == 3
    assert third["parent_span_id"] == "00000000000000aa"


def test_results_find_their_calls_by_id_whatever_their_order() -> None:
    other = {**CALL, "id": "c2", "function": {"name": "count", "arguments": "{}"}}
    messages: list[dict[str, Any]] = [
        {"role": "assistant", "tool_calls": [CALL, other]},
        {"role": "tool", "tool_call_id": "c2", "content": "2"},
        {"role": "tool", "tool_call_id": "c1", "content": "1"},
    ]
    events = events_of({"messages": messages})
    assert [event["tool"] for event in events] == ["look", "count", "count", "look"]
    assert [event["attributes"][CALL_ID] for event in events] == ["c1", "c2", "c2", "c1"]
    assert events[2]["parent_span_id"] == events[1]["span_id"]
    assert events[3]["parent_span_id"] == events[0]["span_id"]


def test_what_a_user_says_is_input_wherever_it_stands() -> None:
    record = {"response": {"output": [{"type": "message", "role": "user", "content": "a"}]}}
    (event,) = events_of(record)
    assert (event["input"], event["output"]) == ("a", None)
    assert imported(json.dumps(record).encode()).suite("d", BY_FRAMEWORK, "a")["cases"] != []


def test_sections_count_on() -> None:
    record = {
        "contents": [{"role": "user", "parts": [{"text": "a"}]}],
        "candidates": [{"content": {"role": "model", "parts": [{"text": "b"}]}}],
        "predictions": [{"content": "c"}],
    }
    assert [event["idx"] for event in events_of(record)] == [0, 1, 2]


def test_instructions_that_an_answer_repeats_were_given_once() -> None:
    request = {"instructions": "Be brief.", "input": "hi"}
    answer = {"id": "r", "output": [{"type": "message", "role": "assistant", "content": "Hello"}]}
    told = []
    for instructions in ("Be brief.", "Be kind.", None):
        response = {**answer, "instructions": instructions}
        events = events_of({"request": request, "response": response})
        told.append([event["output"] for event in events if event["actor"] == "system"])
    assert told == [["Be brief."], ["Be brief.", "Be kind."], ["Be brief."]]


def test_an_instruction_is_no_answer() -> None:
    instruction = {"role": "developer", "content": "Say 72F."}
    record = {"messages": [instruction, {"role": "user", "content": "How warm?"}]}
    assert events_of(record)[0]["actor"] == "system"
    alone = imported(json.dumps({"messages": [instruction]}).encode())
    assert alone.cases == []
    assert [one.kind for one in alone.diagnostics] == ["empty_trace"]


@pytest.mark.parametrize(
    "record",
    [
        {"messages": [{"role": "user", "content": "a"}], "error": {"message": "overloaded"}},
        {"output": [], "status": "failed", "error": {"message": "overloaded"}},
        {"messages": [], "type": "message", "error": "overloaded"},
    ],
)
def test_an_error_of_the_agent_is_one_of_the_trace(record: dict[str, Any]) -> None:
    last = events_of(record)[-1]
    assert (last["actor"], last["error"], last["output"]) == ("agent", "overloaded", None)


@pytest.mark.parametrize("provider", ["auto", "anthropic"])
@pytest.mark.parametrize(
    ("result", "why"),
    [
        (
            {
                "type": "errored",
                "error": {"type": "error", "error": {"type": "api_error", "message": "bad"}},
            },
            "bad",
        ),
        ({"type": "expired"}, "the request was not answered: expired"),
        ({"type": "canceled"}, "the request was not answered: canceled"),
    ],
)
def test_a_request_of_a_batch_that_failed_is_kept(
    provider: str, result: dict[str, Any], why: str
) -> None:
    record = {"custom_id": "b", "result": result}
    (event,) = events_of(record, Source(PROVIDERS, provider))
    assert (event["actor"], event["error"], event["output"]) == ("agent", why, None)


def test_ids_are_the_same_for_the_same_export() -> None:
    record = json.dumps([{"messages": [{"role": "user", "content": "a"}]}] * 2).encode()
    assert imported(record) == imported(record)
    first, second = (event["trace_id"] for event in _firsts(record))
    assert first != second


def _firsts(content: bytes) -> list[dict[str, Any]]:
    suite: Any = imported(content).suite("d", BY_FRAMEWORK, "a")
    return [{"trace_id": case["trace"][0].trace_id} for case in suite["cases"]]


def test_the_text_of_a_result_stays_text() -> None:
    messages: list[dict[str, Any]] = [
        {"role": "assistant", "tool_calls": [CALL]},
        {"role": "tool", "tool_call_id": "c1", "content": '{"a": 1}'},
    ]
    call, result = events_of({"messages": messages})
    assert (call["input"], result["output"]) == ({"q": 1}, '{"a": 1}')


def test_what_a_request_to_a_model_repeats_is_told_once() -> None:
    def chat(number: int, asked: list[str], answer: str) -> dict[str, Any]:
        def message(role: str, text: str) -> dict[str, Any]:
            return {"role": role, "parts": [{"type": "text", "content": text}]}

        roles = ("user", "assistant")
        before = [message(roles[index % 2], text) for index, text in enumerate(asked)]
        said = {
            "gen_ai.operation.name": "chat",
            "gen_ai.input.messages": before,
            "gen_ai.output.messages": [message("assistant", answer)],
        }
        times = {"startTimeUnixNano": str(number * 10**9), "endTimeUnixNano": str(number * 10**9)}
        return {"traceId": "a" * 32, "spanId": f"{number:016x}", **times, "attributes": said}

    spans = [chat(2, ["go on", "one", "go on"], "two"), chat(1, ["go on"], "one")]
    events = events_of({"resourceSpans": [{"scopeSpans": [{"spans": spans}]}]})
    told = [event["input"] or event["output"] for event in events]
    assert told == ["go on", "one", "go on", "two"]


def test_events_of_a_stream_are_put_together_by_run() -> None:
    def event(kind: str, run: str, data: dict[str, Any], *outer: str) -> bytes:
        one = {"event": kind, "name": "x", "run_id": run, "parent_ids": [*outer], "data": data}
        return json.dumps(one).encode()

    asked = {"input": {"messages": [{"type": "human", "content": "a"}]}}
    lines = [
        event("on_chain_start", "r", asked),
        event("on_chain_start", "s", asked),
        event("on_chat_model_end", "m", {"output": {"content": "b"}}, "r"),
        event("on_chat_model_end", "n", {"output": {"content": "c"}}, "s"),
    ]
    found = imported(b"\n".join(lines), BY_FRAMEWORK, "a.jsonl")
    suite: Any = found.suite("d", BY_FRAMEWORK, "a")
    assert [[one.output for one in case["trace"]] for case in suite["cases"]] == [
        [None, "b"],
        [None, "c"],
    ]


def test_tools_of_openais_own_are_calls_with_results() -> None:
    output = [
        {"type": "web_search_call", "id": "w", "status": "failed", "action": {"query": "a"}},
        {"type": "computer_call", "id": "i", "call_id": "c", "action": {"type": "click"}},
        {"type": "computer_call_output", "call_id": "c", "output": {"image": "b"}},
        {"type": "local_shell_call", "id": "x", "call_id": "s", "action": {"command": ["ls"]}},
        {"type": "local_shell_call_output", "id": "other", "output": "c"},
    ]
    events = events_of({"output": output})
    told = [(event["type"], event["tool"], event["error"]) for event in events]
    assert told == [
        ("tool_call", "web_search", None),
        ("tool_result", "web_search", "the tool ended failed"),
        ("tool_call", "computer", None),
        ("tool_result", "computer", None),
        ("tool_call", "local_shell", None),
        ("tool_result", "local_shell", None),
    ]
    assert [event["output"] for event in events[3::2]] == [{"image": "b"}, "c"]


@pytest.mark.parametrize("kind", ["mcp_call", "web_search_call"])
def test_the_error_of_a_call_is_told_once_by_its_result(kind: str) -> None:
    item = {"type": kind, "id": "m", "name": "look", "arguments": "{}", "error": "No route"}
    told = [(one["type"], one["error"]) for one in events_of({"output": [item]})]
    assert told == [("tool_call", None), ("tool_result", "No route")]


def test_what_two_answers_used_that_no_span_tells_is_added_up_and_they_are_missed() -> None:
    def span(number: int, data: dict[str, Any]) -> dict[str, Any]:
        began = f"2026-01-01T10:00:0{number}Z"
        return {"object": "trace.span", "trace_id": "t", "started_at": began, "span_data": data}

    used = {"type": "response", "usage": {"input_tokens": 50, "output_tokens": 7}}
    tool = {"type": "function", "name": "look", "input": "{}", "output": "1"}
    told = {
        "type": "generation",
        "output": [{"role": "assistant", "content": "1"}],
        "usage": {"input_tokens": 3, "output_tokens": 1},
    }
    spans = [span(1, used), span(2, tool), span(3, used), span(4, told)]
    found = imported(json.dumps(spans).encode(), BY_FRAMEWORK)
    assert [(one.kind, one.is_loss) for one in found.diagnostics] == [("not_told", True)] * 2
    (case,) = found.cases
    last = trace_body(case).trace[-1].attributes
    assert (last["gen_ai.usage.input_tokens"], last["gen_ai.usage.output_tokens"]) == (103, 15)


def test_pairs_of_a_role_and_a_text_are_messages() -> None:
    pairs = [["user", "a"], ["ai", "b"]]
    start = {"event": "on_chain_start", "run_id": "r", "data": {"input": {"messages": pairs}}}
    run = {"inputs": {"messages": pairs[:1]}, "outputs": {"messages": pairs}}
    for record in ({"messages": pairs}, start, run):
        events = events_of(record, BY_FRAMEWORK)
        assert [(one["input"], one["output"]) for one in events] == [("a", None), (None, "b")]


ASKED = {"contents": [{"role": "user", "parts": [{"text": "q"}]}]}


@pytest.mark.parametrize(
    ("record", "error"),
    [
        ({"status": "Bad Request", "request": ASKED, "response": {}}, "Bad Request"),
        (
            {**ASKED, "candidates": [{"finishReason": "SAFETY"}]},
            "the answer was withheld: SAFETY",
        ),
        ({**ASKED, "candidates": [{"finishReason": "STOP"}]}, None),
        (
            {**ASKED, "promptFeedback": {"blockReason": "SAFETY"}},
            "the prompt was blocked: SAFETY",
        ),
    ],
)
def test_a_request_that_nothing_answered_has_an_event_of_the_agent(
    record: dict[str, Any], error: str | None
) -> None:
    used = {"usageMetadata": {"promptTokenCount": 3, "candidatesTokenCount": 0}}
    asked, answered = events_of({**record, **used})
    assert (asked["actor"], asked["input"]) == ("user", "q")
    assert (answered["actor"], answered["output"], answered["error"]) == ("agent", None, error)
    if "status" not in record:
        told = answered["attributes"]
        names = ("gen_ai.usage.input_tokens", "gen_ai.usage.output_tokens")
        assert [told[name] for name in names] == [3, 0]


def test_a_status_beside_an_answer_is_no_error() -> None:
    said = {"candidates": [{"content": {"parts": [{"text": "a"}]}, "finishReason": "STOP"}]}
    events = events_of({"status": "done", "request": ASKED, "response": said})
    assert [event["error"] for event in events] == [None, None]


@pytest.mark.parametrize("used", [(5, 0), (0, 3), (0, 0)])
def test_tokens_of_which_there_were_none_are_told(used: tuple[int, int]) -> None:
    said = {"prompt_tokens": used[0], "completion_tokens": used[1]}
    answer = {"message": {"role": "assistant", "content": "a"}, "finish_reason": "stop"}
    (event,) = events_of({"choices": [answer], "usage": said})
    names = ("gen_ai.usage.input_tokens", "gen_ai.usage.output_tokens")
    assert tuple(event["attributes"].get(name) for name in names) == used
