"""What a run of eval files says of an agent, as spans and as a trace of these again."""

from pathlib import Path

import pytest

from evaltui.cli.main import run_command
from evaltui.core.response import AgentResponse, Message, ToolCall, Usage
from evaltui.core.trace import CALL_ID
from evaltui.reporters.evidence import EvidenceReporter
from evaltui.traces.measured import cost_usd, tokens
from evaltui.traces.reading import read_suite_file, trace_body
from tests.evidence.otel.packs import attributes_of, exported, spans_of
from tests.reporters.scene import events, result, suite, tell

CALLS = tuple(
    ToolCall("find", {"q": number}, True, 2.0, {"hits": number}, id=f"c{number}")
    for number in range(4)
)
TOLD = tuple(Message("tool", str(one.result), tool_call_id=one.id, name=one.name) for one in CALLS)
MESSAGES = (
    Message("user", "hi"),
    Message("assistant", "I look", CALLS[:3]),
    *(TOLD[1], TOLD[0], TOLD[2]),
    Message("assistant", "", CALLS[3:]),
    TOLD[3],
    Message("assistant", "three"),
)
IDS = ["c0", "c1", "c2", "c1", "c0", "c2", "c3", "c3"]
"""Of calls and results, in the order of the messages."""


def pack_of(place: Path, usage: Usage | None) -> Path:
    """That of a run with one case, whose agent answers three times."""
    of = suite("a", ["one"])
    answer = AgentResponse("three", CALLS, 12.0, messages=MESSAGES, usage=usage)
    # Not the embedded one's, of which it is known that it costs nothing.
    asked = result(of, "one", response=answer, agent="remote")
    tell(EvidenceReporter(str(place)), events([of], [asked]))
    return place


@pytest.mark.parametrize(
    ("usage", "in_out"),
    [
        (Usage(21, 9, 0.25), (21, 9)),
        (Usage(21, 9), (21, 9)),
        (Usage(0, None), (0, None)),
        (None, (None, None)),
    ],
    ids=["all", "no cost", "a part", "nothing"],
)
def test_answers_calls_and_tokens_are_the_same_in_each_form(
    tmp_path: Path, usage: Usage | None, in_out: tuple[int | None, int | None]
) -> None:
    pack = pack_of(tmp_path / "run", usage)
    (request,) = exported(pack, "--format", "otlp")
    agent, *inner = spans_of(request)
    assert [one["name"].split()[0] for one in inner].count("chat") == 3
    told = {key: one for key, one in attributes_of(agent).items() if "usage" in key}
    names = ("gen_ai.usage.input_tokens", "gen_ai.usage.output_tokens")
    assert [told.pop(name, None) for name in names] == [
        None if one is None else str(one) for one in in_out
    ]
    cost = None if usage is None else usage.cost_usd
    assert told == ({} if cost is None else {"gen_ai.usage.cost_usd": cost})

    again = tmp_path / "again.json"
    flags = ["--input", str(tmp_path / "spans.jsonl"), "--out", str(again), "--strict"]
    assert run_command(["import-trace", "--provider", "otlp", *flags]) == 0
    (case,) = (trace_body(one) for one in read_suite_file(again).cases())
    assert [one.attributes[CALL_ID] for one in case.trace if one.tool] == IDS
    assert [(one.input, one.output) for one in case.trace if one.type == "message"] == [
        ("hi", None),
        (None, "I look"),
        (None, "three"),
    ]
    assert (*tokens(case).values(),) == in_out
    assert cost_usd(case) == cost
