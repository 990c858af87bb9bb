"""Whose a record is decides its form, never what somebody said in it."""

import json
from typing import Any

import pytest

from evaltui.traces.importers.importing import Source
from evaltui.traces.reading import trace_body
from tests.traces.importers.fixtures import BY_FRAMEWORK, BY_PROVIDER, imported

USE = {"type": "tool_use", "id": "t", "name": "look", "input": {}}
ASKED: dict[str, Any] = {
    "model": "m",
    "max_tokens": 9,
    "messages": [{"role": "user", "content": "Hi."}],
}
TOLD = {"role": "developer", "content": "Be kind."}
ANSWER = {"message": {"role": "assistant", "content": "Hello."}}
SAID = "crew task kernel invocation azureml anthropic_version contents langgraph autogen"


@pytest.mark.parametrize(
    ("record", "name"),
    [
        ({"messages": [{"role": "user", "content": SAID}]}, "openai"),
        ({"anthropic_version": "x", "messages": [{"role": "user", "content": "a"}]}, "anthropic"),
        (
            {"type": "message", "role": "assistant", "content": [{"type": "text", "text": SAID}]},
            "anthropic",
        ),
        ({"predictions": [{"content": {"role": "model", "parts": [{"text": SAID}]}}]}, "vertex"),
        ({"steps": [{"role": "user", "input": SAID}]}, "foundry"),
        ({"input": [{"role": "user", "content": [USE]}]}, "anthropic"),
        ({**ASKED, "system": "Be brief."}, "anthropic"),
        ({**ASKED, "system": "Be brief.", "choices": [ANSWER]}, "openai"),
        ({**ASKED, "system": SAID, "messages": [TOLD, *ASKED["messages"]]}, "openai"),
        (ASKED, "openai"),
        ({"input": [{"role": "user", "content": [{"type": "input_text", "text": "a"}]}]}, "openai"),
    ],
)
def test_of_providers(record: dict[str, Any], name: str) -> None:
    assert dict(imported(json.dumps(record).encode()).counts) == {name: 1}


@pytest.mark.parametrize("provider", ["auto", "anthropic", "openai"])
def test_what_the_agent_was_told_to_be_is_kept(provider: str) -> None:
    record = {**ASKED, "system": "Be brief."}
    found = imported(json.dumps(record).encode(), Source(BY_PROVIDER.importers, provider))
    [case] = found.cases
    said = [(one.actor, one.output or one.input) for one in trace_body(case).trace]
    assert said == [("system", "Be brief."), ("user", "Hi.")]


@pytest.mark.parametrize(
    ("record", "name"),
    [
        ({"events": [{"type": "message", "role": "user", "content": SAID}]}, "langgraph"),
        ({"messages": [{"source": "user", "type": "TextMessage", "content": SAID}]}, "autogen"),
        ({"crew": "a", "steps": [{"role": "user", "input": SAID}]}, "crewai"),
        ({"invocations": [{"plugin": "a", "function": "b", "result": SAID}]}, "semantic_kernel"),
        ({"input": SAID, "final_output": SAID}, "openai_agents"),
    ],
)
def test_of_frameworks(record: dict[str, Any], name: str) -> None:
    found = imported(json.dumps(record).encode(), BY_FRAMEWORK)
    assert dict(found.counts) == {name: 1}


def test_each_record_is_looked_at_for_itself() -> None:
    records = [
        {"messages": [{"role": "user", "content": "a"}]},
        {"contents": [{"role": "user", "parts": [{"text": "a"}]}]},
    ]
    assert dict(imported(json.dumps(records).encode()).counts) == {"openai": 1, "vertex": 1}


def test_a_name_that_is_given_is_believed() -> None:
    record = {"messages": [{"role": "user", "content": "a"}]}
    source = Source(BY_PROVIDER.importers, "anthropic")
    assert dict(imported(json.dumps(record).encode(), source).counts) == {"anthropic": 1}
