"""Files of an EvalStudio workspace as its own program writes them; other keys are its own."""

from typing import Any, Literal

from pydantic import ConfigDict, Field

from evaltui.settings.written import SecretText, Text, Written


class _InWorkspace(Written):
    model_config = ConfigDict(extra="allow", validate_by_name=False)


class Models(_InWorkspace):
    """Which model does what."""

    evaluation: Text | None = None
    persona: Text | None = None


class LlmSettings(_InWorkspace):
    """Who judges criteria and plays personas."""

    provider: Literal["openai", "anthropic"]
    api_key: SecretText | None = None
    models: Models | None = None


class LlmUse(_InWorkspace):
    """Who answers for one use of models, by its id, in a workspace of version 2."""

    provider_id: Text
    model: Text | None = None


class LlmUses(_InWorkspace):
    """`LlmSettings` as version 2 has them."""

    evaluation: LlmUse | None = None
    persona: LlmUse | None = None


class ConnectorSettings(_InWorkspace):
    """What a connector needs besides its address, by its type."""

    assistant_id: Text | None = None
    configurable: dict[str, Any] | None = None
    method: Literal["GET", "POST", "PUT", "PATCH"] | None = None
    path: str = ""


class Identified(_InWorkspace):
    """What others of the workspace name by its id."""

    id: Text


class Provider(Identified):
    """Who answers for models, in a workspace of version 2."""

    provider: Literal["openai", "anthropic"]
    api_key: SecretText


class Connector(Identified):
    """An agent under test."""

    name: Text
    type: Literal["langgraph", "http"]
    base_url: SecretText
    headers: dict[str, str] = Field({})
    config: ConnectorSettings | None = None


class Persona(Identified):
    """Who talks to the agent."""

    name: Text
    description: str = ""
    system_prompt: str = ""
    headers: dict[str, str] = Field({}, description="sent with what this persona says")
    lines: list[Text] = Field([], description="our own: what it says, in this order")


class EvalEntry(Identified):
    """Scenarios and the connector that they are run with."""

    name: Text
    scenario_ids: list[Text] = Field(min_length=1)
    connector_id: Text | None = None
