"""The profile of an HTTP agent, and where to find things in its answers."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BeforeValidator, Field

from evaltui.agents.profiles.grants import sending_to
from evaltui.agents.profiles.options import OutsideOptions, PersonaHeaders, Retries, all_values
from evaltui.core.permit import Grant
from evaltui.net import ANSWER_LIMIT
from evaltui.settings.written import WHOLE, SecretText, Text, Written

DotPath: TypeAlias = Text
"""A dot path into an answer."""


def _upper(value: object) -> object:
    return value.upper() if isinstance(value, str) else value


class AnswerPaths(Written):
    """`response`: dot paths into the answer; those of a call start at the call."""

    text: DotPath | Annotated[list[DotPath], Field(min_length=1)] | None = Field(
        None, description="of several the first that is there counts"
    )
    messages: DotPath | None = Field(
        None,
        description="a list of messages, where nothing is at `text`: those behind the ones that "
        "were sent are the answer",
    )
    plain_text: bool = Field(
        False, description="whether an answer that is no JSON, or a text in JSON, is the text"
    )
    tool_calls: DotPath | Literal[False] | None = Field(
        None, description="`false`: the agent reports no tool calls"
    )
    name: DotPath | None = None
    params: DotPath | None = None
    success: DotPath | None = None
    duration: DotPath | None = None
    result: DotPath | None = None
    input_tokens: DotPath | Literal[False] | None = None
    output_tokens: DotPath | Literal[False] | None = None
    cost_usd: DotPath | Literal[False] | None = None


class EventRules(Written):
    """`events`: what an event of a stream can hold; `PATH`, or `KEY=VALUE:PATH`."""

    text: Text | None = Field(None, description="a piece of the text")
    tool_call: Text | None = Field(None, description="a tool call, or a list of them")
    error: Text | None = Field(None, description="a fault")
    final: Text | None = Field(None, description="the whole answer")


class HttpProfile(OutsideOptions):
    url: SecretText = Field(examples=["http://localhost:3000/chat"], description="where to ask")
    method: Annotated[Literal["POST", "PUT", "PATCH", "GET"], BeforeValidator(_upper)] = "POST"
    headers: dict[str, str] = Field({}, description="`${NAME}` is filled in")
    persona_headers: PersonaHeaders = Field(
        {}, description="more of them with what a persona of a scenario says, by its name"
    )
    request: dict[str, Any] | None = Field(None, description="what is sent, `$message` in it")
    response: AnswerPaths | None = None
    stream: bool | None = Field(None, description="whether the answer comes in events")
    events: EventRules | None = None
    retries: Retries = 0
    max_answer_bytes: Annotated[int, Field(ge=1), WHOLE] = ANSWER_LIMIT

    def grants(self, root: Path, by: str) -> Iterator[Grant]:
        filled = (*self.headers.values(), *all_values(self.persona_headers))
        yield sending_to(self.url, filled, root, by)
