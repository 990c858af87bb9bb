"""OpenAI's Responses: items in, items out, and what the model thought between them."""

from collections.abc import Mapping
from typing import Any

from evaltui.agents.models.model_options import ModelOptions
from evaltui.agents.models.offered_tools import OfferedTools
from evaltui.agents.models.reply_draft import Draft
from evaltui.agents.models.responses.answer import read_event, read_whole
from evaltui.agents.models.responses.items import write_items
from evaltui.agents.models.strict_schema import strict_schema
from evaltui.agents.profiles.models import OpenAiProfile
from evaltui.core.json_value import Json, JsonObject
from evaltui.core.model import ModelRequest


class ResponsesDialect:
    """`POST /responses` with `Authorization: Bearer`."""

    type = "openai"
    profile = OpenAiProfile
    default_url = OpenAiProfile.default_url
    key_variable = OpenAiProfile.key_variable

    def __init__(self, *, is_strict: bool = False) -> None:
        self._is_strict = is_strict

    def path(self, base_path: str) -> str:
        path, question, query = base_path.partition("?")
        path = path.rstrip("/").removesuffix("/responses")
        return f"{path}/responses{question}{query}"

    def headers(self, key: str) -> Mapping[str, str]:
        return {"Authorization": f"Bearer {key}"}

    def spell_tool(
        self, name: str, description: str | None, schema: dict[str, Json]
    ) -> dict[str, Any]:
        tool: dict[str, Any] = {"type": "function", "name": name}
        if description is not None:
            tool["description"] = description
        # Said in either case: this API takes tools for strict where nothing is said.
        parameters = strict_schema(schema) if self._is_strict else schema
        return tool | {"parameters": parameters, "strict": self._is_strict}

    def body(
        self, options: ModelOptions, request: ModelRequest, tools: OfferedTools
    ) -> dict[str, Any]:
        body: dict[str, Any] = {
            "model": options.model,
            "input": write_items(request.messages, tools.names),
        }
        if options.system:
            body["instructions"] = options.system
        if tools.listed:
            body["tools"] = tools.listed
            if (choice := _choice(options.tool_choice, request.turn, tools)) is not None:
                body["tool_choice"] = choice
        chosen = {
            "max_output_tokens": options.max_tokens,
            "temperature": options.temperature,
            "top_p": options.top_p,
        }
        body |= {key: value for key, value in chosen.items() if value is not None}
        return body | ({"stream": True} if options.stream else {})

    def read_whole(self, answer: JsonObject, draft: Draft) -> None:
        read_whole(answer, draft)

    def read_event(self, event: JsonObject, draft: Draft) -> None:
        read_event(event, draft)


def _choice(choice: Json, turn: int, tools: OfferedTools) -> Json:
    """What forces a call does so in the first turn only: a loop must be able to end."""
    if isinstance(choice, str) and choice in {"auto", "none"}:
        return choice
    if turn > 0 or choice is None or isinstance(choice, Mapping) or choice == "required":
        return choice if turn == 0 else None
    return {"type": "function", "name": tools.names.to_api(str(choice))}
