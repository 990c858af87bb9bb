"""What `[agents.NAME]` may say: a model of the options of each type of agent.

The schema for editors and every complaint are made from these models.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, TypeAlias, TypeVar

from pydantic import BeforeValidator, Field

from evaltui.agents import AGENTS, imported, type_hint
from evaltui.core.permit import Grant, grant, origin
from evaltui.core.variable import texts_in
from evaltui.files import outside
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

    def grants(self, root: Path, by: str) -> Iterator[Grant]:
        """All that the agent would run, send or read outside of the project; `by` names it."""
        raise NotImplementedError


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


def grants_of(type_: str, options: Mapping[str, Any], root: Path, by: str) -> tuple[Grant, ...]:
    """What an agent would run, send or read outside; nothing of one that cannot be made."""
    if type_ not in AGENTS:
        return ()
    written, _ = keep_valid(profile_of(type_), options, _wording(type_))
    return () if written is None else tuple(written.grants(root, by))


def _wording(type_: str) -> Wording:
    return Wording(noun=f"option of `{type_}` agents")


class EmbeddedProfile(AgentOptions):
    call_at: Probability | None = Field(
        None, description="probability from which on a tool is called"
    )

    def grants(self, root: Path, by: str) -> Iterator[Grant]:  # noqa: ARG002
        yield from ()


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


class OutsideOptions(AgentOptions):
    """What agents share that choose among tools which they may have from anywhere."""

    reads_registry: bool | None = Field(
        None,
        description="`false`: tool definitions that evaltui reads have nothing to do with it, so "
        "that no edit of them can affect its cases",
    )


PersonaHeaders: TypeAlias = dict[str, dict[str, str]]


def all_values(tables: Mapping[str, Mapping[str, str]]) -> Iterator[str]:
    """Of all personas."""
    return (value for table in tables.values() for value in table.values())


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


class PriceTable(Written):
    """US dollars for a million tokens."""

    input: Number
    output: Number
    cached_input: Number | None = Field(
        None, description="of tokens that are read from a cache; they cost as `input` without it"
    )


class AnthropicProfile(AgentOptions):
    default_url: ClassVar[str] = "https://api.anthropic.com"
    key_variable: ClassVar[str] = "ANTHROPIC_API_KEY"
    """The variable that holds the key where the profile names none, for that address only."""

    model: Text = Field(examples=["NAME"], description="as the API names it, or `${NAME}`")
    base_url: SecretText | None = Field(None, description="another server that speaks its dialect")
    api_key: SecretText | None = Field(None, description="`${NAME}` of a variable that holds it")
    headers: dict[str, str] = Field({}, description="`${NAME}` is filled in")
    system: str = Field("", description="system prompt")
    system_file: Text | None = Field(None, description="file that holds it")
    temperature: Number | None = None
    max_tokens: Annotated[int, Field(ge=1), WHOLE] | None = None
    top_p: Number | None = None
    stream: bool = True
    extra: dict[str, Any] = Field({}, description="more of the body; `${NAME}` is filled in")
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
        "chat", description="`responses`: OpenAI's Responses instead of chat completions"
    )
    strict: bool = Field(False, description="whether tools are sent as strict, as SDKs do")
    max_completion_tokens: Annotated[int, Field(ge=1), WHOLE] | None = Field(
        None, description="`max_tokens`, under the name that newer models want"
    )


class LangGraphProfile(OutsideOptions):
    base_url: SecretText | None = Field(
        None, examples=["http://localhost:2024"], description="of the server"
    )
    url: SecretText | None = Field(None, description="the same")
    assistant_id: Text = Field("default", description="assistant or graph, or `${NAME}`")
    headers: dict[str, str] = Field({}, description="`${NAME}` is filled in")
    persona_headers: PersonaHeaders = Field(
        {}, description="more of them with what a persona of a scenario says, by its name"
    )
    configurable: dict[str, Any] = Field({}, description="of the run's config")
    thread: bool = Field(False, description="whether each conversation has a thread of its own")
    input: dict[str, Any] = Field({}, description="more of the graph's input")
    messages_key: Text = "messages"
    retries: Retries = 0

    def grants(self, root: Path, by: str) -> Iterator[Grant]:
        texts = (*texts_in(self.configurable), *all_values(self.persona_headers))
        filled = (self.assistant_id, *self.headers.values(), *texts)
        yield sending_to(self.base_url or self.url or "", filled, root, by)


class ProgramOptions(OutsideOptions):
    """What commands and functions share."""

    env: dict[str, str] = Field({}, description="variables; `${NAME}` is filled in")
    max_answer_bytes: Annotated[int, Field(ge=1), WHOLE] = ANSWER_LIMIT
    names_all_files: bool = Field(
        False, description="whether no file of the project matters but those that are known"
    )


class CommandProfile(ProgramOptions):
    command: Words = Field(examples=[["node", "agent.js"]], description="program and arguments")
    mode: Literal["oneshot", "jsonl"] = "oneshot"
    dialect: Literal["contract", "adapter"] = "contract"
    cwd: Text = Field(".", description="folder below the project's")
    files: list[Text] = Field(
        [], description="files and globs that make it another agent, beside those of the command"
    )
    repair_command: Words | None = Field(None, description="what is started for a repair")
    max_repairs: Retries | None = None
    send_expectations: bool | None = Field(
        None, description="whether an adapter is told what is expected"
    )

    def grants(self, root: Path, by: str) -> Iterator[Grant]:
        import shlex

        from evaltui.core.shown_secret import shown_command

        where = f"`{outside(root, self.cwd) or self.cwd}`"
        for command in (self.command, self.repair_command):
            if command is not None:
                words = [command] if isinstance(command, str) else command
                line = command if isinstance(command, str) else shlex.join(command)
                shown = f"`{shown_command(line)}` in {where}"
                yield running(shown, [words, where], self.env, words, root, by)


class PythonProfile(ProgramOptions):
    function: Text = Field(
        examples=["agents/mine.py:function"], description="module or file, and function"
    )
    python: Text | None = Field(None, description="interpreter, instead of the project's own")
    files: list[Text] = Field([], description="more files and globs that make it another agent")
    start_timeout: Annotated[float, Field(ge=0.001, allow_inf_nan=False)] = Field(
        60.0, description="seconds for loading the function"
    )

    def grants(self, root: Path, by: str) -> Iterator[Grant]:
        from evaltui.child.interpreter import own_python

        python = self.python or own_python(root) or None
        what = f"Python `{self.function}`" + (f" in `{python}`" if python else "")
        yield running(what, [self.function, python], self.env, (), root, by)
        yield from reading(self.files, root, by)


def running(
    what: str,
    exact: list[Any],
    env: Mapping[str, str],
    words: Collection[str],
    root: Path,
    by: str,
) -> Grant:
    """A program, with all that decides what it does: its words and its own variables, and what a
    file of the project makes of them."""
    from evaltui.core.shown_secret import shown_environment
    from evaltui.net.secret_sources import started_by_project

    own = shown_environment(env)
    shown = f"{what}, where{own}" if own else what
    if filled := started_by_project(words, env, root):
        exact = [*exact, filled]
    return grant("run", [*exact, dict(env)], shown, by=by, filled=(*words, *env.values()))


def sending_to(url: str, filled: Iterable[str], root: Path, by: str) -> Grant:
    """Requests to an address, with what a file of the project makes of it."""
    from evaltui.net.secret_sources import sent_by_project

    return sent_by_project(url, root, by=by, filled=filled)


def reading(names: Iterable[str], root: Path, by: str) -> Iterator[Grant]:
    """Those of the files or globs that lie, or lead by a link, out of the project."""
    for name in names:
        if place := outside(root, name):
            yield grant("read", place, f"`{place}`", by=by)
