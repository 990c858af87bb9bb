"""OpenAI's chat completions, and every server that speaks them."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from evaltui.agents.models.api_agent import make_api_agent
from evaltui.agents.models.dialect import Dialect
from evaltui.agents.models.model_options import ModelOptions
from evaltui.agents.models.offered_tools import OfferedTools
from evaltui.agents.models.openai.answer import read_event, read_whole
from evaltui.agents.models.openai.messages import write_messages
from evaltui.agents.models.reply_draft import Draft
from evaltui.agents.models.strict_schema import strict_schema
from evaltui.agents.profiles.models import OpenAiProfile
from evaltui.agents.tool_loop import ToolLoop
from evaltui.core.json_value import Json, JsonObject
from evaltui.core.model import ModelRequest


class OpenAiDialect:
    """`POST /chat/completions` with `Authorization: Bearer`."""

    type = "openai"
    profile = OpenAiProfile
    default_url = OpenAiProfile.default_url
    key_variable = OpenAiProfile.key_variable

    def __init__(self, *, is_strict: bool = False) -> None:
        self._is_strict = is_strict

    def path(self, base_path: str) -> str:
        path, question, query = base_path.partition("?")
        path = path.rstrip("/").removesuffix("/chat/completions")
        return f"{path}/chat/completions{question}{query}"

    def headers(self, key: str) -> Mapping[str, str]:
        return {"Authorization": f"Bearer {key}"}

    def spell_tool(
        self, name: str, description: str | None, schema: dict[str, Json]
    ) -> dict[str, Any]:
        function: dict[str, Any] = {"name": name}
        if description is not None:
            function["description"] = description
        if self._is_strict:
            function |= {"parameters": strict_schema(schema), "strict": True}
        else:
            function["parameters"] = schema
        return {"type": "function", "function": function}

    def body(
        self, options: ModelOptions, request: ModelRequest, tools: OfferedTools
    ) -> dict[str, Any]:
        body: dict[str, Any] = {
            "model": options.model,
            "messages": write_messages(options.system, request.messages, tools.names),
        }
        if tools.listed:
            body["tools"] = tools.listed
            if (choice := _choice(options.tool_choice, request.turn, tools)) is not None:
                body["tool_choice"] = choice
        if options.max_tokens is not None:
            # OpenAI's newer models refuse `max_tokens`; most other servers know nothing else.
            is_new = options.is_default_url or options.has_completion_limit
            body["max_completion_tokens" if is_new else "max_tokens"] = options.max_tokens
        chosen = {
            "temperature": options.temperature,
            "top_p": options.top_p,
            "seed": options.seed,
        }
        body |= {key: value for key, value in chosen.items() if value is not None}
        if options.stream:
            body |= {"stream": True, "stream_options": {"include_usage": True}}
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
        return choice
    if turn > 0:
        return None
    if choice == "required":
        return choice
    return {"type": "function", "function": {"name": tools.names.to_api(str(choice))}}


def make(
    name: str,
    options: Mapping[str, Json],
    *,
    root: Path,
    env: Mapping[str, str] | None = None,
) -> ToolLoop:
    """An agent of a profile. Raises UserError for a wrong option; a missing key shows later."""
    is_strict = options.get("strict") is True
    dialect: Dialect = OpenAiDialect(is_strict=is_strict)
    if options.get("api") == "responses":
        from evaltui.agents.models.responses import ResponsesDialect

        dialect = ResponsesDialect(is_strict=is_strict)
    return make_api_agent(dialect, name, options, root=root, env=env)
