"""Scenario files as people write them."""

from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field

from evaltui.formats.contract_model import MAX_TURNS, EvaluatorEntry
from evaltui.settings.written import WHOLE, Text, Written

MAX_MESSAGES = 10
"""Where `maxMessages` is absent."""


class _InScenarios(Written):
    """Keys that are not known are kept; keys are spelled in one way only."""

    model_config = ConfigDict(extra="allow", validate_by_name=False)


class CalledFunction(_InScenarios):
    """The function of a tool call, in the shape of the usual chat APIs."""

    name: Text
    arguments: str = Field("", description="a JSON object, as text")


class SeedCall(_InScenarios):
    """A tool call in a seed message."""

    id: str = ""
    function: CalledFunction


class SeedMessage(_InScenarios):
    """A message from before the conversation begins."""

    role: Literal["user", "assistant", "system", "tool"]
    content: str | list[dict[str, Any]] = Field("", description="text, or blocks of text")
    tool_calls: list[SeedCall] = Field([], alias="tool_calls")
    tool_call_id: str = Field("", alias="tool_call_id")
    name: str = ""


class PersonaEntry(_InScenarios):
    """Who talks to the agent."""

    name: str = ""
    description: str = Field(
        "", description="what evaluators and the model that plays the persona are told"
    )
    system_prompt: str = Field(
        "", description="further instructions for the model that plays the persona"
    )
    lines: list[Text] = Field(
        [],
        description="what the user says, in this order, so that no model has to play the persona",
    )


class Scenario(_InScenarios):
    """A conversation with the agent, and how it is judged."""

    model_config = ConfigDict(json_schema_extra={"required": ["name"]})

    name: str = Field("", description="unique in the file; results are kept under it")
    id: str = Field("", description="results are kept under it instead of the name")
    description: str = Field("", description="what the scenario is about")
    instructions: str = Field("", description="the situation, for the simulated user")
    messages: list[SeedMessage] = Field(
        [], description="messages from before the conversation begins"
    )
    persona: PersonaEntry | None = None
    max_messages: Annotated[int, Field(ge=1), WHOLE] = Field(
        MAX_MESSAGES, description="most messages of user and agent, including `messages`"
    )
    success_criteria: str = Field(
        "", description="what the judge must see for the scenario to pass"
    )
    failure_criteria: str = Field("", description="what the judge must not see")
    failure_criteria_mode: Literal["every_turn", "on_max_messages"] = Field(
        "on_max_messages",
        description="when `failureCriteria` end the scenario: at once, or at the limit",
    )
    evaluators: list[EvaluatorEntry] = Field(
        [], description="evaluators that judge every turn of the agent"
    )
    stubs: dict[str, Any] | None = Field(None, description="what each tool answers, by its name")
    max_turns: Annotated[int, Field(ge=1), WHOLE] = Field(
        MAX_TURNS, description="most rounds of tool calls in each turn"
    )


class ScenarioFile(_InScenarios):
    """Several scenarios."""

    scenarios: list[Scenario]
    title: str | None = Field(None, description="heading of the suite")
