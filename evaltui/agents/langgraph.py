"""The agent behind a LangGraph server: with a thread for each conversation, or without threads."""

import json
import uuid
from collections.abc import Mapping
from pathlib import Path
from time import perf_counter

from msgspec import Struct

from evaltui.agents.http.answer_mapping import parse_json
from evaltui.agents.http.status_faults import status_fault
from evaltui.agents.langgraph_messages import read_thread, sent_messages, unanswered
from evaltui.agents.option_prints import option_prints
from evaltui.agents.profiles.langgraph import LangGraphProfile
from evaltui.agents.profiles.reading import read_profile
from evaltui.core.agent import Agent, AgentRequest
from evaltui.core.asked import AgentTraits
from evaltui.core.errors import AgentError, UserError
from evaltui.core.json_value import Json
from evaltui.core.response import AgentResponse
from evaltui.net.api_client import ApiClient
from evaltui.net.secret_mask import SecretMask, project_secrets
from evaltui.net.target import Target, parse_target

STUBS_UNUSED = "stubs were not used: the graph runs its own tools"


class LangGraphOptions(Struct, frozen=True):
    __repr__ = object.__repr__  # the fields may hold secrets

    target: Target
    assistant_id: str
    headers: Mapping[str, str]
    persona_headers: Mapping[str, Mapping[str, str]]
    """All that are sent with what a persona says, by its name."""
    configurable: Mapping[str, Json]
    has_thread: bool
    """Whether each conversation makes a thread, for graphs that need a checkpointer."""
    input: Mapping[str, Json]
    """Further values of the graph's input."""
    messages_key: str
    retries: int
    is_free: bool
    mask: SecretMask


class LangGraphAgent(Agent):
    """Runs its own tools; calls and their results are read from the messages it answers with."""

    def __init__(self, options: LangGraphOptions, *, name: str, fingerprint: str) -> None:
        self.name = name
        self.fingerprint = fingerprint
        self.traits = AgentTraits(reads_registry=False, is_free=options.is_free)
        self.endpoint = options.target.shown
        """The URL without credentials."""
        self._options = options
        self._client = ApiClient(options.target)

    def __repr__(self) -> str:
        return f"LangGraphAgent({self.name})"

    def hide(self, text: str) -> str:
        return self._options.mask.hide(text)

    async def respond(self, request: AgentRequest) -> AgentResponse:
        """One run, waited for. Raises AgentError."""
        options = self._options
        all_messages = sent_messages(request.messages)
        sent, thread = all_messages, ""
        if options.has_thread:
            thread = f"/threads/{request.conversation or uuid.uuid4()}"
            sent = unanswered(all_messages) if request.is_continued else sent
        path = f"{options.target.path.rstrip('/')}{thread}/runs/wait"
        body = json.dumps(self.body(sent), separators=(",", ":"), default=dict).encode()
        headers = options.persona_headers.get(request.persona, options.headers)
        await self._client.prepare(request.on_wait)
        started = perf_counter()
        try:
            async with self._client.post(path, headers, body, request.on_wait) as answer:
                text = options.mask.hide_body(await answer.read())
            duration_ms = (perf_counter() - started) * 1000
            if answer.is_refused:
                raise status_fault(
                    answer.status, answer.headers, text, options.retries, has_phrase=False
                )
            kind = answer.headers.get("content-type", "")
            return self._read(parse_json(text, kind), all_messages, request, duration_ms)
        except AgentError as error:
            raise options.mask.fault(error, options.retries) from None

    def body(self, sent: list[dict[str, Json]]) -> dict[str, Json]:
        """The JSON that is sent for these messages."""
        options = self._options
        body: dict[str, Json] = {
            "assistant_id": options.assistant_id,
            "input": {**options.input, options.messages_key: sent},
            "multitask_strategy": "enqueue",
            "if_not_exists": "create",
        }
        if options.configurable:
            body["config"] = {"configurable": options.configurable}
        return body

    async def close(self) -> None:
        await self._client.close()

    def _read(
        self,
        value: Json,
        all_messages: list[dict[str, Json]],
        request: AgentRequest,
        duration_ms: float,
    ) -> AgentResponse:
        if isinstance(value, Mapping) and value.get("__error__"):
            raise AgentError(f"the graph failed: {_said(value['__error__'])}")
        run = read_thread(value, all_messages, self._options.messages_key)
        notes = list(run.notes)
        if request.stubs is not None:
            notes.append(STUBS_UNUSED)
        if request.on_tool_call:
            for call in run.calls:
                request.on_tool_call(call)
        return AgentResponse(
            run.text,
            run.calls,
            duration_ms,
            messages=(*request.messages, *run.messages),
            usage=run.usage,
            turns=max(1, run.turns),
            notes=tuple(notes),
        )


def make(
    name: str,
    options: Mapping[str, Json],
    *,
    root: Path | None = None,
    env: Mapping[str, str] | None = None,
) -> LangGraphAgent:
    """An agent from a profile. Raises UserError for a wrong option or a variable not set."""
    secrets = project_secrets(root or Path(), env)
    written = read_profile(LangGraphProfile, "langgraph", options)
    url = written.base_url or written.url
    if url is None:
        raise UserError(
            "Agents of type `langgraph` need a `base_url`.",
            'E.g. base_url = "http://localhost:2024".',
        )
    target = parse_target(secrets.fill(url, "base_url"))
    secrets.mask.add_credentials(target)
    secrets.note_body([written.configurable, written.input])
    headers = {
        "User-Agent": "evaltui",
        "Accept": "application/json",
        "Content-Type": "application/json",
    }
    if target.authorization:
        headers["Authorization"] = target.authorization
    headers = _over(headers, secrets.headers(written.headers))
    of_personas = secrets.headers_of_each(written.persona_headers)
    checked = LangGraphOptions(
        target=target,
        assistant_id=secrets.fill(written.assistant_id, "assistant_id"),
        headers=headers,
        persona_headers={name: _over(headers, own) for name, own in of_personas.items()},
        configurable=secrets.filled_table(written.configurable, "configurable"),
        has_thread=written.thread,
        input=written.input,
        messages_key=written.messages_key,
        retries=written.retries,
        is_free=bool(written.is_free),
        mask=secrets.mask,
    )
    shown = f"{secrets.mask.hide(target.shown).rstrip('/')}/{written.assistant_id}"
    prints = option_prints("langgraph", options)
    agent = LangGraphAgent(
        checked,
        name=name if name and name != "langgraph" else shown,
        fingerprint=prints.fingerprint,
    )
    agent.former_fingerprint = prints.former
    return agent


def _over(headers: Mapping[str, str], more: Mapping[str, str]) -> dict[str, str]:
    """These and those, which win; names are the same in any case."""
    names = {name.lower() for name in more}
    return {**{key: value for key, value in headers.items() if key.lower() not in names}, **more}


def _said(fault: Json) -> str:
    if isinstance(fault, Mapping):
        words = [str(fault[key]) for key in ("error", "message") if fault.get(key)]
        return ": ".join(words)[:500] or json.dumps(fault, default=dict)[:500]
    return str(fault)[:500]
