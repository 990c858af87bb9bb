"""`export-otel --format otlp`: requests of the protocol, in the words for generative AI."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from evaltui.cli.main import run_command
from evaltui.core.json_or_text import json_or_text
from evaltui.core.trace import CALL_ID
from evaltui.core.trace_times import latencies_ms
from evaltui.traces.measured import cost_usd, tokens
from evaltui.traces.reading import read_suite_file, trace_body
from tests.evidence.otel.packs import (
    TRACE,
    attributes_of,
    event,
    exported,
    spans_of,
    write_pack,
)

FIXTURES = Path(__file__).parent.parent.parent / "fixtures"
EXPORTS = sorted((FIXTURES / "adapters").glob("*.json"))


def of_fixture(path: Path, folder: Path) -> list[Any]:
    """The lines of what a fixture became."""
    suite = folder / "suite.json"
    assert run_command(["import-trace", "--input", str(path), "--out", str(suite)]) == 0
    assert run_command(["run", "--suite", str(suite), "--out", str(folder / "run")]) == 0
    return exported(folder / "run", "--format", "otlp")


@pytest.mark.parametrize("path", EXPORTS, ids=lambda path: path.name)
def test_the_protocol_takes_each_line(path: Path, tmp_path: Path) -> None:
    service = pytest.importorskip("opentelemetry.proto.collector.trace.v1.trace_service_pb2")
    json_format = pytest.importorskip("google.protobuf.json_format")
    for request in of_fixture(path, tmp_path):
        read = json_format.Parse(json.dumps(request), service.ExportTraceServiceRequest())
        assert len(read.resource_spans[0].scope_spans[0].spans) == len(spans_of(request))


@pytest.mark.parametrize("path", EXPORTS, ids=lambda path: path.name)
def test_ids_and_times_are_valid(path: Path, tmp_path: Path) -> None:
    for request in of_fixture(path, tmp_path):
        root, *inner = spans_of(request)
        assert root["parentSpanId"] == ""
        assert {one["parentSpanId"] for one in inner} <= {root["spanId"]}
        assert len({one["spanId"] for one in (root, *inner)}) == 1 + len(inner)
        for span in (root, *inner):
            assert re.fullmatch("(?!0+$)[0-9a-f]{32}", span["traceId"])
            assert re.fullmatch("(?!0+$)[0-9a-f]{16}", span["spanId"])
            assert 0 < int(span["startTimeUnixNano"]) <= int(span["endTimeUnixNano"])
            assert int(root["startTimeUnixNano"]) <= int(span["startTimeUnixNano"])
            assert int(span["endTimeUnixNano"]) <= int(root["endTimeUnixNano"])


@pytest.mark.parametrize("path", EXPORTS, ids=lambda path: path.name)
def test_what_is_exported_can_be_imported_again(path: Path, tmp_path: Path) -> None:
    of_fixture(path, tmp_path)
    spans, again = str(tmp_path / "spans.jsonl"), tmp_path / "again.json"
    flags = ["--input", spans, "--out", str(again), "--strict"]
    assert run_command(["import-trace", "--provider", "otlp", *flags]) == 0
    assert happened_in(again) == happened_in(tmp_path / "suite.json")


def test_times_that_nobody_told_stay_unknown_and_pass_no_bound(tmp_path: Path) -> None:
    moment = "2026-01-01T10:00:00+00:00"
    trace = [
        event(0, "user", "message", input="How warm?"),
        event(1, "agent", "tool_call", tool="look", input={"q": 1}),
        event(2, "tool", "tool_result", tool="look", output={"t": 3}, latency_ms=250),
        event(3, "assistant", "message", output="3 degrees", ts=moment),
        event(4, "user", "message", input="And there?"),
        event(5, "assistant", "message", output="4 degrees", latency_ms=0),
    ]
    pack = write_pack(tmp_path, [{"case_id": "a", "trace": trace}])
    exported(pack, "--format", "otlp")
    again = tmp_path / "again.json"
    spans = str(tmp_path / "spans.jsonl")
    assert run_command(["import-trace", "--input", spans, "--out", str(again), "--strict"]) == 0
    (case,) = json.loads(again.read_bytes())["cases"]
    assert [one["latency_ms"] for one in case["trace"]] == [None, None, 250, None, None, 0]
    assert [one["ts"] for one in case["trace"] if one["output"] == "3 degrees"] == [moment]
    assert {one["ts"] for one in case["trace"] if one["output"] != "3 degrees"} <= {None, ""}


IN_ALL = {"input_tokens": "21", "output_tokens": None, "cost_usd": 0.5, "more": 1}


@pytest.mark.parametrize(
    ("metadata", "used"),
    [({}, (16, 1.75)), ({"token_usage": IN_ALL}, (37, 2.25)), ({"token_usage": 3}, (16, 1.75))],
    ids=["events", "also the case", "nonsense"],
)
def test_tokens_and_cost_are_the_same_afterwards(
    tmp_path: Path, metadata: dict[str, Any], used: tuple[int, float]
) -> None:
    """Under whichever name an event tells them, whoever it is of, and with those of the case."""
    own = {"usage.input_tokens": 7, "usage.output_tokens": 2, "usage.cost_usd": 0.25}
    cached = {"gen_ai.usage.input_tokens": 9, "gen_ai.usage.cache_read.input_tokens": 4}
    trace = [
        event(0, "user", "message", input="How warm?"),
        event(1, "agent", "tool_call", tool="look", input={"q": 1}, attributes=own),
        event(2, "tool", "tool_result", tool="look", output=3, attributes={"cost_usd": 0.5}),
        event(3, "assistant", "message", output="3 degrees", attributes={**cached, "cost_usd": 1}),
    ]
    case = {"case_id": "a", "trace": trace, "metadata": metadata}
    exported(write_pack(tmp_path, [case]), "--format", "otlp")
    before, after = tmp_path / "suite.json", tmp_path / "again.json"
    spans = str(tmp_path / "spans.jsonl")
    assert run_command(["import-trace", "--input", spans, "--out", str(after), "--strict"]) == 0
    (first,), (second,) = (map(trace_body, read_suite_file(one).cases()) for one in (before, after))
    assert tokens(second) == tokens(first) == {"input": used[0], "output": 2.0}
    assert cost_usd(second) == cost_usd(first) == used[1]
    last = second.trace[-1].attributes
    of_cache = "gen_ai.usage.cache_read.input_tokens"
    assert last[of_cache] == cached[of_cache]


def test_tools_that_ran_side_by_side_keep_their_times(tmp_path: Path) -> None:
    calls = [
        event(number, "agent", "tool_call", tool=tool, attributes={CALL_ID: tool, **more})
        for number, (tool, more) in enumerate({"a": {}, "b": {"gen_ai.response.id": "r"}}.items())
    ]
    results = [
        event(number, "tool", "tool_result", tool=tool, output=1, latency_ms=number, ts=ts)
        for number, tool, ts in ((2, "a", MOMENT), (3, "b", MOMENT))
    ]
    last = event(4, "assistant", "message", output="done", ts="2026-01-01T10:01:00+00:00")
    pack = write_pack(tmp_path, [{"case_id": "a", "trace": [*calls, *results, last]}])
    exported(pack, "--format", "otlp")
    again, spans = tmp_path / "again.json", str(tmp_path / "spans.jsonl")
    assert run_command(["import-trace", "--input", spans, "--out", str(again), "--strict"]) == 0
    (case,) = read_suite_file(again).cases()
    ran = [one for one in trace_body(case).trace if one.type == "tool_result"]
    assert [(one.tool, one.ts, one.latency_ms) for one in ran] == [
        ("a", MOMENT, 2),
        ("b", MOMENT, 3),
    ]


@pytest.mark.parametrize(
    ("latencies", "ms"), [((492, None), 492), ((None, 492), 492), ((492, 8), 500), ((0, None), 0)]
)
def test_an_answer_with_several_calls_lasts_as_long_as_its_events_say(
    tmp_path: Path, latencies: tuple[int | None, int | None], ms: int
) -> None:
    calls = [
        event(
            at, "agent", "tool_call", tool="a", input={}, latency_ms=took, ts=f"{DAY}T10:00:0{at}Z"
        )
        for at, took in enumerate(latencies)
    ]
    (request,) = exported(
        write_pack(tmp_path, [{"case_id": "a", "trace": calls}]), "--format", "otlp"
    )
    chat = spans_of(request)[1]
    assert int(chat["endTimeUnixNano"]) - int(chat["startTimeUnixNano"]) == ms * 1_000_000
    again, spans = tmp_path / "again.json", str(tmp_path / "spans.jsonl")
    assert run_command(["import-trace", "--input", spans, "--out", str(again), "--strict"]) == 0
    (case,) = read_suite_file(again).cases()
    assert latencies_ms(trace_body(case).trace) == [ms]


DAY = "2026-01-01"
MOMENT = "2026-01-01T10:00:00+00:00"
LIKE_JSON = ['{"a": 1}', "[1,\n2]", '"[1]"', '"\\"[1]\\""', '"quoted"', "{broken", "null", ""]
"""Texts: none of them may become what it looks like."""


@pytest.mark.parametrize(
    "output", [66, 0.5, True, "66", "no", {"a": "[1]"}, [1, "{}"], {}, *LIKE_JSON]
)
def test_a_result_comes_back_as_what_it_was(output: Any, tmp_path: Path) -> None:
    call = event(0, "agent", "tool_call", tool="look", input={})
    trace = [call, event(1, "tool", "tool_result", tool="look", output=output)]
    pack = write_pack(tmp_path, [{"case_id": "a", "trace": trace}])
    (tmp_path / "spans.json").write_text(json.dumps(exported(pack, "--format", "otlp")))
    flags = ["--input", str(tmp_path / "spans.json"), "--out", str(tmp_path / "again.json")]
    assert run_command(["import-trace", *flags, "--strict"]) == 0
    (case,) = read_suite_file(tmp_path / "again.json").cases()
    back = trace_body(case).trace[-1].output
    assert (type(back), back) == (type(output), output)


@pytest.mark.parametrize(
    ("actor", "told", "back"),
    [
        ("user", {}, (None, None)),
        ("user", {"output": "a"}, ("a", None)),
        ("system", {"input": "a"}, (None, "a")),
        ("system", {}, (None, None)),
    ],
)
def test_a_message_comes_back_as_what_was_said(
    actor: str, told: dict[str, Any], back: tuple[Any, Any], tmp_path: Path
) -> None:
    trace = [event(0, actor, "message", **told), event(1, "assistant", "message", output="ok")]
    pack = write_pack(tmp_path, [{"case_id": "a", "trace": trace}])
    (tmp_path / "spans.json").write_text(json.dumps(exported(pack, "--format", "otlp")))
    flags = ["--input", str(tmp_path / "spans.json"), "--out", str(tmp_path / "again.json")]
    assert run_command(["import-trace", *flags, "--strict"]) == 0
    (case,) = read_suite_file(tmp_path / "again.json").cases()
    first, last = trace_body(case).trace
    assert (first.actor, first.input, first.output, last.output) == (actor, *back, "ok")


def happened_in(suite: Path) -> list[Any]:
    """What happened in each case; whoever answers is the agent, texts of JSON are their values."""
    found: list[Any] = []
    for number, case in enumerate(read_suite_file(suite).cases()):
        for one in trace_body(case).trace:
            actor = "agent" if one.actor == "assistant" else one.actor
            values = [
                json_or_text(value) if isinstance(value, str) else value
                for value in (one.input, one.output)
            ]
            found.append((number, actor, one.type, one.tool, *values, one.error))
    return found


def test_a_model_is_asked_and_a_tool_runs(tmp_path: Path) -> None:
    cases = [{"case_id": "a", "trace": TRACE}]
    pack = write_pack(tmp_path, cases, "--model", "m", "--agent-version", "guide-2")
    (request,) = exported(pack, "--format", "otlp")
    agent, first, tool, second = spans_of(request)
    names = [one["name"] for one in (agent, first, tool, second)]
    assert names == ["invoke_agent guide-2", "chat m", "execute_tool look", "chat m"]
    assert [one["kind"] for one in (agent, first, tool, second)] == [1, 3, 1, 3]
    said = attributes_of(tool)
    assert json.loads(said["gen_ai.tool.call.arguments"]) == {"q": 1}
    assert json.loads(said["gen_ai.tool.call.result"]) == {"t": 3}
    assert int(tool["endTimeUnixNano"]) - int(tool["startTimeUnixNano"]) == 250_000_000
    asked = json.loads(attributes_of(second)["gen_ai.input.messages"])
    assert [one["role"] for one in asked] == ["user", "assistant", "tool"]
    call_id = attributes_of(tool)["gen_ai.tool.call.id"]
    assert asked[1]["parts"][0]["id"] == asked[2]["parts"][0]["id"] == call_id
    (answer,) = json.loads(attributes_of(second)["gen_ai.output.messages"])
    part = {"type": "text", "content": "3 degrees"}
    assert answer == {"role": "assistant", "parts": [part], "finish_reason": "stop"}


def test_errors_have_a_status(tmp_path: Path) -> None:
    trace = [
        event(0, "agent", "tool_call", tool="look", input={}),
        event(1, "tool", "tool_result", tool="look", error="timeout"),
        event(2, "agent", "message", error="gave up"),
    ]
    (request,) = exported(
        write_pack(tmp_path, [{"case_id": "a", "trace": trace}]), "--format", "otlp"
    )
    status = [one["status"] for one in spans_of(request)]
    assert status == [
        {"code": 2, "message": "gave up"},
        {},
        {"code": 2, "message": "timeout"},
        {"code": 2, "message": "gave up"},
    ]


def test_values_of_every_kind_are_attributes(tmp_path: Path) -> None:
    deep: Any = "x"
    for _ in range(60):
        deep = [deep]
    values = {"a": True, "b": 7, "c": 1.5, "d": "t", "e": [1, {"f": None}], "g": 10**30, "h": deep}
    trace = [event(0, "agent", "message", output="a", attributes=values)]
    (request,) = exported(
        write_pack(tmp_path, [{"case_id": "a", "trace": trace}]), "--format", "otlp"
    )
    said = {one["key"]: one["value"] for one in spans_of(request)[1]["attributes"]}
    assert said["a"] == {"boolValue": True}
    assert said["b"] == {"intValue": "7"}
    assert said["c"] == {"doubleValue": 1.5}
    assert said["d"] == {"stringValue": "t"}
    pair = {"key": "f", "value": {}}
    assert said["e"]["arrayValue"]["values"][1] == {"kvlistValue": {"values": [pair]}}
    assert said["g"] == {"stringValue": str(10**30)}
    assert "stringValue" in json.dumps(said["h"])


def test_usage_of_a_turn_is_added_up(tmp_path: Path) -> None:
    used = {"gen_ai.usage.input_tokens": 2}
    trace = [
        event(0, "assistant", "message", output="I look.", attributes=used),
        event(1, "agent", "tool_call", tool="look", input={}, attributes=used),
    ]
    (request,) = exported(
        write_pack(tmp_path, [{"case_id": "a", "trace": trace}]), "--format", "otlp"
    )
    assert attributes_of(spans_of(request)[1])["gen_ai.usage.input_tokens"] == "4"
