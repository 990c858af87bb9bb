"""A conversation is written and read back with its turns and their verdicts."""

from msgspec.structs import replace

from evaltui.core.json_value import JsonObject
from evaltui.core.response import AgentResponse, Message, Turn, Usage
from evaltui.core.verdict import Kind, Verdict, VerdictStatus
from evaltui.disk.codec import encode, read
from evaltui.disk.results.result_wire import CaseWire, from_wire, to_wire
from tests.disk.samples import passed

FAILED = Verdict(
    "regex", VerdictStatus.FAILED, "no match", "Regex", evidence={"a": [1]}, category="assertion"
)
CALLS = Verdict("tool-call-count", VerdictStatus.PASSED, "1", kind=Kind.METRIC, value=1.0)


def test_every_turn_comes_back() -> None:
    blocks: JsonObject = {"id": "m1", "content": [{"type": "image"}], "metadata": {"a": [1, None]}}
    said = [Message(role, role, extra=blocks) for role in ("user", "assistant")]
    messages = (*said, Message("user", "user"), Message("assistant", "assistant"))
    first = Turn(1, 2, 12.5, Usage(4, 5, 0.25, 90), verdicts=(CALLS,), tells_calls=False)
    turns = (first, Turn(3, 4, 1.0, Usage(cost_usd=0.25), True, (FAILED, CALLS)))
    response = AgentResponse("assistant", messages=messages, conversation=turns, tells_calls=False)
    line = encode(to_wire(replace(passed(), response=response)))
    case = from_wire(read(CaseWire, line), suite="a", run_id="r", agent="x")
    assert case.response == response
