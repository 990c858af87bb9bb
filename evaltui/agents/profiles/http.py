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
    """`response`: dot paths into the answer; those for a call start at the call."""

    text: DotPath | Annotated[list[DotPath], Field(min_length=1)] | None = Field(
        None, description="where the text is; of several paths, the first that exists counts"
    )
    messages: DotPath | None = Field(
        None,
        description="where a list of messages is, if there is no `text`: those after the ones "
        "that were sent are the answer",
    )
    plain_text: bool = Field(
        False,
        description="whether an answer that is not JSON, or is a JSON string, is the text itself",
    )
    tool_calls: DotPath | Literal[False] | None = Field(
        None, description="`false`: the agent reports none but those in its messages"
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
    """`events`: where the events of a stream hold what; `PATH`, or `KEY=VALUE:PATH`."""

    text: Text | None = Field(None, description="a piece of the text")
    tool_call: Text | None = Field(None, description="a tool call, or a list of them")
    error: Text | None = Field(None, description="an error")
    final: Text | None = Field(None, description="the whole answer")


class HttpProfile(OutsideOptions):
    url: SecretText = Field(
        examples=["http://localhost:3000/chat"], description="address of the agent"
    )
    method: Annotated[Literal["POST", "PUT", "PATCH", "GET"], BeforeValidator(_upper)] = "POST"
    headers: dict[str, str] = Field({}, description="`${NAME}` is filled in")
    persona_headers: PersonaHeaders = Field(
        {}, description="further headers for each persona of a scenario, by its name"
    )
    request: dict[str, Any] | None = Field(
        None, description="body of the request, with `$message` for the message"
    )
    response: AnswerPaths | None = None
    stream: bool | None = Field(None, description="whether the answer is a stream of events")
    events: EventRules | None = None
    retries: Retries = 0
    max_answer_bytes: Annotated[int, Field(ge=1), WHOLE] = ANSWER_LIMIT

    def grants(self, root: Path, by: str) -> Iterator[Grant]:
        filled = (*self.headers.values(), *all_values(self.persona_headers))
        yield sending_to(self.url, filled, root, by)
