"""Agents by type, and the embedded one as an agent."""

from pathlib import Path
from typing import Any

import pytest

from evaltui.agents import AGENTS, imported, make_agent
from evaltui.agents.embedded.answer import NO_TOOL
from evaltui.core.agent import Agent, AgentRequest
from evaltui.core.case import CaseKey
from evaltui.core.errors import UserError
from evaltui.core.response import Execution, Message
from evaltui.core.tool import ToolRegistry
from tests.agents.embedded.tools import MESSAGES, OFFICE
from tests.test_import_hygiene import modules_after

REGISTRY = ToolRegistry({tool.name: tool for tool in OFFICE})


def embedded(call_at: float = 0.4, name: str = "embedded", options: Any = None) -> Agent:
    return make_agent("embedded", name, {"call_at": call_at, **(options or {})}, root=Path())


def request(message: str, **fields: Any) -> AgentRequest:
    return AgentRequest(CaseKey("s", "c"), message, REGISTRY, **fields)


@pytest.mark.parametrize(
    ("type_", "options", "said"),
    [
        ("embeded", {}, "`embedded`"),
        ("embedded", {"callat": 0.5}, "`call_at`"),
        ("embedded", {"url": "x"}, "`url`"),
        ("embedded", {"call_at": 1.5}, "1.5"),
        ("embedded", {"call_at": "high"}, "`call_at` is text"),
        ("embedded", {"call_at": True}, "`call_at` is true or false"),
    ],
)
def test_mistakes_are_named(type_: str, options: dict[str, Any], said: str) -> None:
    with pytest.raises(UserError, match=said):
        make_agent(type_, "x", options, root=Path())


def test_every_factory_exists() -> None:
    for type_ in AGENTS.values():
        assert callable(imported(type_.factory))


def test_the_table_loads_no_agent() -> None:
    loaded = modules_after("import evaltui.agents")
    assert not any(
        name.startswith(("evaltui.agents.embedded", "evaltui.agents.http.agent")) for name in loaded
    )


def test_the_embedded_agent_needs_only_the_standard_library() -> None:
    loaded = modules_after("import evaltui.agents.embedded.model")
    assert not {"pydantic", "pydantic_core", "httpx", "regress", "numpy"} & loaded


def test_it_is_named_by_its_version() -> None:
    agent = embedded()
    assert agent.name == "embedded/2"
    assert agent.traits.is_free
    assert agent.traits.reads_registry
    assert len(agent.fingerprint) == 12
    assert agent.fingerprint == embedded().fingerprint
    assert agent.fingerprint != embedded(0.5).fingerprint
    assert embedded(0.5).fingerprint == embedded(0.4, options={"call_at": 0.5}).fingerprint
    assert embedded(name="strict").name == "embedded/2:strict"


async def test_it_routes_without_stubs() -> None:
    response = await embedded().respond(request(MESSAGES[1]))
    assert response.execution is Execution.ROUTING
    assert [call.name for call in response.tool_calls] == ["delete_invoice"]
    assert response.text == "Delete invoice: invoice number INV-204"
    assert response.explanation["called"] == ["delete_invoice"]
    assert response.explanation["callAt"] == 0.4


async def test_it_answers_from_stubs() -> None:
    stubs = {"delete_invoice": {"status": "gone", "freedKb": 12.0}}
    told: list[str] = []
    response = await embedded().respond(request(MESSAGES[1], stubs=stubs, on_text=told.append))
    expected = "Delete invoice: invoice number INV-204; status gone; freed kb 12"
    assert response.text == expected
    assert told[-1] == expected
    assert response.turns == 2


async def test_a_missing_stub_shows_in_the_answer() -> None:
    response = await embedded().respond(request(MESSAGES[1], stubs={}))
    assert 'no stub for "delete_invoice"' in response.text
    assert response.tool_calls[0].success is False


async def test_what_no_tool_fits_is_refused() -> None:
    response = await embedded().respond(request(MESSAGES[5]))
    assert response.tool_calls == ()
    assert response.text == NO_TOOL


async def test_the_last_user_message_of_a_conversation_counts() -> None:
    history = (
        Message("user", MESSAGES[0]),
        Message("assistant", "Create invoice: customer Acme", (), "", ""),
    )
    response = await embedded().respond(request(MESSAGES[1], history=history))
    assert [call.name for call in response.tool_calls] == ["delete_invoice"]


async def test_an_edit_of_the_registry_is_seen_at_once() -> None:
    agent = embedded()
    before = await agent.respond(request(MESSAGES[1]))
    without = ToolRegistry({t.name: t for t in OFFICE if t.name != "delete_invoice"})
    after = await agent.respond(AgentRequest(CaseKey("s", "c"), MESSAGES[1], without))
    assert [c.name for c in before.tool_calls] == ["delete_invoice"]
    assert "delete_invoice" not in [c.name for c in after.tool_calls]


@pytest.mark.parametrize(
    ("options", "is_said"),
    [
        ({"is_free": True}, True),
        ({"is_free": False}, False),
        ({}, False),
        ({"is_free": True, "price": {"input": 1.0, "output": 1.0}}, False),
    ],
)
def test_whether_a_profile_says_that_it_is_free(
    options: dict[str, Any], tmp_path: Path, *, is_said: bool
) -> None:
    model: dict[str, Any] = {"model": "m", "base_url": "http://localhost:1/v1", **options}
    assert make_agent("openai", "mine", model, root=tmp_path).traits.is_said_free is is_said
