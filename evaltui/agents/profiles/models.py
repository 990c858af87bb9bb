"""Profiles of models that are asked through their providers' APIs."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, TypeAlias

from pydantic import Field

from evaltui.agents.profiles.grants import reading, sending_to
from evaltui.agents.profiles.options import AgentOptions, Retries
from evaltui.core.permit import Grant, origin
from evaltui.core.variable import texts_in
from evaltui.settings.written import WHOLE, SecretText, Text, Written

Number: TypeAlias = Annotated[float, Field(ge=0, allow_inf_nan=False)]


class PriceTable(Written):
    """US dollars per million tokens."""

    input: Number
    output: Number
    cached_input: Number | None = Field(
        None, description="price of tokens read from a cache; by default that of `input`"
    )


class AnthropicProfile(AgentOptions):
    default_url: ClassVar[str] = "https://api.anthropic.com"
    key_variable: ClassVar[str] = "ANTHROPIC_API_KEY"
    """The variable that holds the key where the profile names none, for that address only."""

    model: Text = Field(examples=["NAME"], description="the model's name in the API, or `${NAME}`")
    base_url: SecretText | None = Field(None, description="another server with the same API")
    api_key: SecretText | None = Field(
        None, description="`${NAME}` of the variable that holds the key"
    )
    headers: dict[str, str] = Field({}, description="`${NAME}` is filled in")
    system: str = Field("", description="system prompt")
    system_file: Text | None = Field(None, description="file with the system prompt")
    temperature: Number | None = None
    max_tokens: Annotated[int, Field(ge=1), WHOLE] | None = None
    top_p: Number | None = None
    stream: bool = True
    extra: dict[str, Any] = Field(
        {}, description="further keys of the request's body; `${NAME}` is filled in"
    )
    tool_choice: Text | dict[str, Any] | None = Field(
        None, description="`auto`, `none`, `required` or a tool's name"
    )
    timeout: Annotated[float, Field(ge=0.001, allow_inf_nan=False)] | None = Field(
        None, description="time limit of one request in seconds"
    )
    retries: Retries | None = None
    price: PriceTable | None = Field(None, description="US dollars per million tokens")
    execute: Literal["mcp"] | None = Field(
        None, description="`mcp`: the registry's MCP servers execute the calls"
    )
    trust_env: bool = Field(False, description="whether to use the environment's proxies")

    @property
    def has_own_address(self) -> bool:
        """Whether it is the provider's own address that is asked."""
        return origin(self.base_url or self.default_url) == origin(self.default_url)

    @property
    def key_template(self) -> str:
        """What the key is filled in from; empty where none is to be sent."""
        return self.api_key or (f"${{{self.key_variable}:-}}" if self.has_own_address else "")

    def grants(self, root: Path, by: str) -> Iterator[Grant]:
        filled = (self.key_template, *self.headers.values(), self.model, *texts_in(self.extra))
        yield sending_to(self.base_url or self.default_url, filled, root, by)
        if self.system_file:
            yield from reading((self.system_file,), root, by)


class OpenAiProfile(AnthropicProfile):
    default_url: ClassVar[str] = "https://api.openai.com/v1"
    key_variable: ClassVar[str] = "OPENAI_API_KEY"

    seed: Annotated[int, WHOLE] | None = None
    api: Literal["chat", "responses"] = Field(
        "chat", description="`responses`: OpenAI's Responses API instead of chat completions"
    )
    strict: bool = Field(False, description="whether to send tools as strict, as SDKs do")
    max_completion_tokens: Annotated[int, Field(ge=1), WHOLE] | None = Field(
        None, description="`max_tokens` under the name that newer models expect"
    )
