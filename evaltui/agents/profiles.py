"""What `[agents.NAME]` may say: a model of the options of each type of agent.

The schema for editors and every complaint are made from these models.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeAlias, TypeVar

from pydantic import BeforeValidator, Field

from evaltui.agents import AGENTS, imported, type_hint
from evaltui.net import ANSWER_LIMIT
from evaltui.settings.mistakes import check, keep_valid
from evaltui.settings.sentences import Mistake, Wording
from evaltui.settings.written import WHOLE, Probability, SecretText, Text, Written

P = TypeVar("P", bound="AgentOptions")

UNKNOWN_TYPE = "unknown-type"
"""Code of the mistake in a profile that makes all the others unknowable."""
DotPath: TypeAlias = Text
"""A dot path into an answer."""
Words: TypeAlias = Text | Annotated[list[str], Field(min_length=1)]
"""A command as text or as its words."""
Retries: TypeAlias = Annotated[int, Field(ge=0), WHOLE]
Number: TypeAlias = Annotated[float, Field(ge=0, allow_inf_nan=False)]


def _upper(value: object) -> object:
    return value.upper() if isinstance(value, str) else value


class AgentOptions(Written):
    """What every type of agent knows."""

    is_free: bool | None = Field(
        None, description="whether it costs nothing, so that possibly affected cases rerun at once"
    )


def read_profile(model: type[P], type_: str, options: Mapping[str, Any]) -> P:
    """The options of an agent of that type. Raises UserError with the first mistake."""
    return check(model, options, _wording(type_))


def profile_mistakes(type_: str, options: Mapping[str, Any]) -> list[Mistake]:
    """All that is wrong with a profile; paths begin at its table."""
    if type_ not in AGENTS:
        what = f"There is no agent type `{type_}`"
        return [Mistake(("type",), what, type_hint(type_), UNKNOWN_TYPE)]
    return keep_valid(profile_of(type_), options, _wording(type_))[1]


def profile_of(type_: str) -> type[AgentOptions]:
    """What a profile of a type that there is may say."""
    found: type[AgentOptions] = imported(AGENTS[type_].profile)
    return found


def _wording(type_: str) -> Wording:
    return Wording(noun=f"option of `{type_}` agents")


class EmbeddedProfile(AgentOptions):
    call_at: Probability | None = Field(
        None, description="probability from which on a tool is called"
    )


class AnswerPaths(Written):
    """`response`: dot paths into the answer; those of a call start at the call."""

    text: DotPath | None = None
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


class HttpProfile(AgentOptions):
    url: SecretText = Field(examples=["http://localhost:3000/chat"], description="where to ask")
    method: Annotated[Literal["POST", "PUT", "PATCH", "GET"], BeforeValidator(_upper)] = "POST"
    headers: dict[str, str] = Field({}, description="`${NAME}` is filled in")
    request: dict[str, Any] | None = Field(None, description="what is sent, `$message` in it")
    response: AnswerPaths | None = None
    stream: bool | None = Field(None, description="whether the answer comes in events")
    events: EventRules | None = None
    retries: Retries = 0
    max_answer_bytes: Annotated[int, Field(ge=1), WHOLE] = ANSWER_LIMIT


class PriceTable(Written):
    """US dollars for a million tokens."""

    input: Number
    output: Number


class AnthropicProfile(AgentOptions):
    model: Text = Field(examples=["NAME"], description="as the API names it")
    base_url: SecretText | None = Field(None, description="another server that speaks its dialect")
    api_key: SecretText | None = Field(None, description="`${NAME}` of a variable that holds it")
    headers: dict[str, str] = Field({}, description="`${NAME}` is filled in")
    system: str = Field("", description="system prompt")
    system_file: Text | None = Field(None, description="file that holds it")
    temperature: Number | None = None
    max_tokens: Annotated[int, Field(ge=1), WHOLE] | None = None
    top_p: Number | None = None
    stream: bool = True
    extra: dict[str, Any] = Field({}, description="more of the request's body")
    tool_choice: Text | dict[str, Any] | None = Field(
        None, description="`auto`, `none`, `required` or a tool's name"
    )
    timeout: Annotated[float, Field(ge=0.001, allow_inf_nan=False)] | None = Field(
        None, description="seconds for one request"
    )
    retries: Retries | None = None
    price: PriceTable | None = Field(None, description="US dollars for a million tokens")
    execute: Literal["mcp"] | None = Field(
        None, description="`mcp`: calls are executed by the MCP servers of the registry"
    )
    trust_env: bool = Field(False, description="whether the environment's proxies are used")


class OpenAiProfile(AnthropicProfile):
    seed: Annotated[int, WHOLE] | None = None


class LangGraphProfile(AgentOptions):
    base_url: SecretText | None = Field(
        None, examples=["http://localhost:2024"], description="of the server"
    )
    url: SecretText | None = Field(None, description="the same")
    assistant_id: Text = Field("default", description="assistant or graph")
    headers: dict[str, str] = Field({}, description="`${NAME}` is filled in")
    configurable: dict[str, Any] = Field({}, description="of the run's config")
    thread: bool = Field(False, description="whether each request makes a thread")
    input: dict[str, Any] = Field({}, description="more of the graph's input")
    messages_key: Text = "messages"
    retries: Retries = 0


class ProgramOptions(AgentOptions):
    """What commands and functions share."""

    env: dict[str, str] = Field({}, description="variables; `${NAME}` is filled in")
    max_answer_bytes: Annotated[int, Field(ge=1), WHOLE] = ANSWER_LIMIT


class CommandProfile(ProgramOptions):
    command: Words = Field(examples=[["node", "agent.js"]], description="program and arguments")
    mode: Literal["oneshot", "jsonl"] = "oneshot"
    dialect: Literal["contract", "adapter"] = "contract"
    cwd: Text = Field(".", description="folder below the project's")
    repair_command: Words | None = Field(None, description="what is started for a repair")
    max_repairs: Retries | None = None
    send_expectations: bool | None = Field(
        None, description="whether an adapter is told what is expected"
    )


class PythonProfile(ProgramOptions):
    function: Text = Field(
        examples=["agents/mine.py:function"], description="module or file, and function"
    )
    python: Text | None = Field(None, description="interpreter, instead of the project's own")
    files: list[Text] = Field([], description="more files and globs that make it another agent")
