"""What is written of a noun is all of it, under the file's names."""

import json

import pytest
from msgspec import Struct
from msgspec.json import decode, encode
from msgspec.structs import replace

from evaltui.core.inputs import Inputs
from evaltui.core.response import AgentResponse, Message, ToolCall, Usage
from evaltui.core.result import TrialResult
from evaltui.core.verdict import Verdict
from evaltui.disk.results.response_wire import CallWire, MessageWire, ResponseWire, UsageWire
from evaltui.disk.results.result_wire import CaseWire, InputsWire, TrialWire, from_wire, to_wire
from evaltui.disk.results.verdict_wire import VerdictWire
from tests.disk.samples import passed


@pytest.mark.parametrize(
    ("noun", "wire"),
    [
        (ToolCall, CallWire),
        (Message, MessageWire),
        (Usage, UsageWire),
        (Verdict, VerdictWire),
        (TrialResult, TrialWire),
        (Inputs, InputsWire),
    ],
)
def test_fields_are_the_nouns_in_their_order(noun: type[Struct], wire: type[Struct]) -> None:
    assert wire.__struct_fields__ == noun.__struct_fields__


def test_text_and_calls_of_a_response_stand_on_the_case() -> None:
    text, calls, *rest = AgentResponse.__struct_fields__
    assert (text, calls) == ("text", "tool_calls")
    assert list(ResponseWire.__struct_fields__) == rest


def test_score_and_metrics_are_written_where_there_are_any() -> None:
    assert "score" not in json.loads(encode(to_wire(passed())))
    scored = replace(passed(), score=0.4, metrics={"latency": 12.0})
    line = encode(to_wire(scored))
    assert json.loads(line)["metrics"] == {"latency": 12.0}
    read = from_wire(
        decode(line, type=CaseWire), suite=scored.key.suite, run_id="run-1", agent=scored.agent
    )
    assert (read.score, read.metrics) == (0.4, {"latency": 12.0})
