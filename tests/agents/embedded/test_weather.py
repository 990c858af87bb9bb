"""The measure: a description decides how many of the weather cases pass, with nothing staged."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from evaltui.agents import make_agent
from evaltui.core.agent import AgentRequest
from evaltui.core.case import Case, CaseKey, ContractCase
from evaltui.core.check import CheckContext
from evaltui.core.response import AgentResponse, Execution
from evaltui.core.tool import ToolDefinition, ToolRegistry
from evaltui.core.verdict import VerdictStatus
from evaltui.expectations.contract import contract_plan
from evaltui.judging.run_plan import run_plan

ROOT = Path(__file__).parents[3]
DATA = Path(os.environ.get("EVALTUI_SHARED", ROOT.parent / "shared")) / "data/weather"
MORE = "how cold or hot it is, rain, what it is like outside"
Edit = Callable[[str], str]

pytestmark = pytest.mark.skipif(
    not DATA.is_dir(), reason="needs data/weather of EVALTUI_SHARED or ../shared"
)


def registry(**edits: Edit) -> ToolRegistry:
    tools = json.loads((DATA / "tools.json").read_text("utf-8"))["tools"]
    found = {}
    for tool in tools:
        name = tool["name"]
        description = edits.get(name, str)(tool["description"])
        found[name] = ToolDefinition(name, description, parameters=tool["parameters"])
    return ToolRegistry(found)


def cases(file: str) -> list[Case]:
    rows: list[dict[str, Any]] = json.loads((DATA / file).read_text("utf-8"))
    return [
        Case(
            CaseKey(file, row["id"]),
            ContractCase(row["input"]["message"], expect=row["expect"], stubs=row.get("stubs")),
        )
        for row in rows
    ]


async def outcome(tools: ToolRegistry, case: Case) -> tuple[bool, AgentResponse]:
    agent = make_agent("embedded", "embedded", {}, root=ROOT)
    response = await agent.respond(AgentRequest(case.key, case.message, tools, case.stubs))
    verdicts = await run_plan(contract_plan(case), CheckContext(case, response))
    failed = any(v.status in (VerdictStatus.FAILED, VerdictStatus.ERROR) for v in verdicts)
    return not failed, response


async def passed(tools: ToolRegistry) -> tuple[set[str], list[AgentResponse]]:
    ids, responses = set(), []
    for case in cases("get-weather.golden.json"):
        good, response = await outcome(tools, case)
        responses.append(response)
        if good:
            ids.add(case.id[-3:])
    return ids, responses


def more(description: str) -> str:
    return f"{description} Use for {MORE}."


def woven(description: str) -> str:
    return description.replace("temperature, or humidity", f"temperature, or humidity, {MORE}")


async def test_as_it_stands_half_of_the_cases_pass() -> None:
    ids, _ = await passed(registry())
    assert ids == {"001", "003", "005"}


@pytest.mark.parametrize("edit", [more, woven])
async def test_describing_what_people_ask_makes_all_pass(edit: Edit) -> None:
    ids, responses = await passed(registry(get_weather=edit))
    assert len(ids) == 6
    assert not any(response.notes for response in responses)


async def test_a_sibling_that_claims_the_same_words_is_warned_about() -> None:
    ids, responses = await passed(registry(get_weather=more, get_forecast=more))
    assert len(ids) == 6
    notes = [note for response in responses for note in response.notes]
    for word in ("cold", "raining", "outside"):
        assert any(
            f"`{word}`" in n and "`get_weather`" in n and "`get_forecast`" in n and "overlap" in n
            for n in notes
        )


async def test_a_lazy_description_loses_cases() -> None:
    ids, _ = await passed(registry(get_weather=lambda _: "Weather helper."))
    assert ids == {"001", "005"}


async def test_general_knowledge_fails_honestly() -> None:
    (case,) = [c for c in cases("get-weather.labeled.json") if "barometer" in c.message]
    good, response = await outcome(registry(), case)
    assert response.tool_calls == ()
    assert not good


async def test_a_stubbed_answer_takes_two_turns() -> None:
    case = cases("get-weather.golden.json")[0]
    _, response = await outcome(registry(), case)
    assert response.execution is Execution.STUBS
    assert response.turns == 2
    assert response.tool_calls[0].params == {"city": "Paris"}
    _, routed = await outcome(registry(), replace(case, body=replace(case.body, stubs=None)))
    assert routed.execution is Execution.ROUTING
    assert routed.turns == 1
