"""Anthropic's messages, and every server that speaks them."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from evaltui.agents.models.anthropic.answer import read_event, read_whole
from evaltui.agents.models.anthropic.messages import write_messages
from evaltui.agents.models.api_agent import make_api_agent
from evaltui.agents.models.model_options import ModelOptions
from evaltui.agents.models.offered_tools import OfferedTools
from evaltui.agents.models.reply_draft import Draft
from evaltui.agents.profiles.models import AnthropicProfile
from evaltui.agents.tool_loop import ToolLoop
from evaltui.core.json_value import Json, JsonObject
from evaltui.core.model import ModelRequest

VERSION = "2023-06-01"
"""Not 2026-10-21, which refuses `temperature` and `top_p`; a header of the profile may set it."""
DEFAULT_MAX_TOKENS = 4096
"""The API wants a limit; this one every current model allows."""


class AnthropicDialect:
    """`POST /v1/messages` with `x-api-key`."""

    type = "anthropic"
    profile = AnthropicProfile
    default_url = AnthropicProfile.default_url
    key_variable = AnthropicProfile.key_variable

    def path(self, base_path: str) -> str:
        path, question, query = base_path.partition("?")
        path = path.rstrip("/").removesuffix("/messages").removesuffix("/v1")
        return f"{path}/v1/messages{question}{query}"

    def headers(self, key: str) -> Mapping[str, str]:
        return {"x-api-key": key, "anthropic-version": VERSION}

    def spell_tool(
        self, name: str, description: str | None, schema: dict[str, Json]
    ) -> dict[str, Any]:
        tool: dict[str, Any] = {"name": name}
        if description is not None:
            tool["description"] = description
        return tool | {"input_schema": schema}

    def body(
        self, options: ModelOptions, request: ModelRequest, tools: OfferedTools
    ) -> dict[str, Any]:
        system, messages = write_messages(options.system, request.messages, tools.names)
        body: dict[str, Any] = {
            "model": options.model,
            "max_tokens": options.max_tokens or DEFAULT_MAX_TOKENS,
            "messages": messages,
        }
        if system:
            body["system"] = system
        if tools.listed:
            body["tools"] = tools.listed
            if (choice := _choice(options.tool_choice, request.turn, tools)) is not None:
                body["tool_choice"] = choice
        if options.temperature is not None:
            body["temperature"] = options.temperature
        if options.top_p is not None:
            body["top_p"] = options.top_p
        if options.stream:
            body["stream"] = True
        return body

    def read_whole(self, answer: JsonObject, draft: Draft) -> None:
        read_whole(answer, draft)

    def read_event(self, event: JsonObject, draft: Draft) -> None:
        read_event(event, draft)


def _choice(choice: Json, turn: int, tools: OfferedTools) -> Json:
    """What forces a call does so in the first turn only: a loop must be able to end."""
    if choice is None or isinstance(choice, Mapping):
        return choice if turn == 0 else None
    if choice in {"auto", "none"}:
        return {"type": choice}
    if turn > 0:
        return None
    if choice in {"required", "any"}:
        return {"type": "any"}
    return {"type": "tool", "name": tools.names.to_api(str(choice))}


def make(
    name: str,
    options: Mapping[str, Json],
    *,
    root: Path,
    env: Mapping[str, str] | None = None,
) -> ToolLoop:
    """An agent of a profile. Raises UserError for a wrong option; a missing key shows later."""
    return make_api_agent(AnthropicDialect(), name, options, root=root, env=env)
