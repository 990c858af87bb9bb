"""What is written of a noun is all of it, under the file's names."""

import pytest
from msgspec import Struct

from evaltui.core.inputs import Inputs
from evaltui.core.response import AgentResponse, Message, ToolCall, Usage
from evaltui.core.result import TrialResult
from evaltui.core.verdict import Verdict
from evaltui.disk.result_wire import (
    CallWire,
    InputsWire,
    MessageWire,
    ResponseWire,
    TrialWire,
    UsageWire,
    VerdictWire,
)


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
