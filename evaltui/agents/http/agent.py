"""The agent behind an HTTP endpoint: the contract's `{message}` → `{response, toolCalls}`."""

from collections.abc import Mapping
from pathlib import Path
from time import perf_counter

from evaltui.agents.http.answer_mapping import parse_answer, read_answer, read_usage
from evaltui.agents.http.answered_messages import Answered, answered_messages
from evaltui.agents.http.event_lines import EventLines
from evaltui.agents.http.event_stream import StreamReader
from evaltui.agents.http.http_options import HttpOptions, read_options
from evaltui.agents.http.lean_client import HttpClient, decoded_body
from evaltui.agents.http.request_template import json_body, query_string
from evaltui.agents.http.status_faults import has_answer, status_fault
from evaltui.agents.http.wire import BodySink, WireResponse
from evaltui.agents.option_prints import option_prints
from evaltui.core.agent import Agent, AgentRequest
from evaltui.core.asked import AgentTraits
from evaltui.core.errors import AgentError
from evaltui.core.json_value import Json
from evaltui.core.response import REPORTS_NO_CALLS, AgentResponse, Execution
from evaltui.net.secret_sources import SecretSources

STUBS_UNUSED = "stubs were not used: the agent runs its own tools"


class HttpAgent(Agent):
    """Runs its own tools and reports them. Never retries on its own (contract A43)."""

    def __init__(self, options: HttpOptions, *, name: str, fingerprint: str) -> None:
        self.name = name
        self.fingerprint = fingerprint
        self.traits = AgentTraits(
            reads_registry=False,
            is_free=options.is_free,
            may_tell_costs=options.mapping.may_tell_costs,
            is_taken_free=options.is_taken_free,
        )
        self.endpoint = options.target.shown
        """The URL without credentials and query secrets."""
        self._options = options
        self._client = HttpClient(options.target, limit=options.limit)
        self._head = _request_head(options, {})
        self._heads = {
            name: _request_head(options, headers)
            for name, headers in options.persona_headers.items()
        }
        """By the name of a persona that has headers of its own."""

    def __repr__(self) -> str:
        return f"HttpAgent({self.name})"

    async def respond(self, request: AgentRequest) -> AgentResponse:
        """One exchange; `duration_ms` is from sending to the last byte. Raises AgentError."""
        message = self._encode(request)
        started = perf_counter()
        try:
            if self._options.stream is not None:
                return await self._streamed(request, message, started)
            answer = await self._client.send(message, on_wait=request.on_wait)
            duration_ms = (perf_counter() - started) * 1000
            return self._read(answer, request, duration_ms)
        except AgentError as error:
            raise self._options.mask.fault(error, self._options.retries) from None

    def hide(self, text: str) -> str:
        return self._options.mask.hide(text)

    async def close(self) -> None:
        await self._client.close()

    def _encode(self, request: AgentRequest) -> bytes:
        options = self._options
        head = self._heads.get(request.persona, self._head)
        if options.method == "GET":
            query = query_string(options.template, request)
            path = options.target.path
            path += f"{'&' if '?' in path else '?'}{query}" if query else ""
            return b"GET %b HTTP/1.1\r\n%b\r\n" % (path.encode("ascii"), head)
        body = json_body(options.template, request)
        return b"%bContent-Length: %d\r\n\r\n%b" % (head, len(body), body)

    def _read(
        self, answer: WireResponse, request: AgentRequest, duration_ms: float
    ) -> AgentResponse:
        options = self._options
        self._check_status(answer)
        body = options.mask.hide_body(decoded_body(answer, options.limit))
        kind = answer.headers.get(b"content-type", b"").decode("latin-1")
        value = parse_answer(body, kind, options.mapping)
        added = None
        if options.mapping.messages is not None:
            added = answered_messages(value, options.mapping, request.messages)
        if added is None:
            added = Answered(*read_answer(value, options.mapping))
        tells_calls = options.mapping.tool_calls is not None or bool(added.calls)
        return AgentResponse(
            text=added.text,
            tool_calls=added.calls,
            duration_ms=duration_ms,
            messages=(*request.messages, *added.messages) if added.messages else (),
            execution=Execution.REAL,
            usage=read_usage(value, options.mapping),
            notes=(*self._notes(request, tells_calls=tells_calls), *added.notes),
            tells_calls=tells_calls,
        )

    async def _streamed(
        self, request: AgentRequest, message: bytes, started: float
    ) -> AgentResponse:
        options = self._options
        assert options.stream is not None
        reader = StreamReader(request, options.mapping, options.stream, started)
        lines: EventLines | None = None

        def choose(status: int, headers: dict[bytes, bytes]) -> BodySink | None:
            nonlocal lines
            kind = headers.get(b"content-type", b"").lower()
            is_whole = kind.startswith(b"application/json") and b"lines" not in kind
            if not has_answer(status) or is_whole or b"content-encoding" in headers:
                return None
            lines = EventLines(
                lambda name, data: reader.take(name, options.mask.hide_answer(data)),
                is_sse=b"event-stream" in kind,
            )
            return lines.feed

        answer = await self._client.send(message, choose, request.on_wait)
        if lines is None:
            return self._read(answer, request, (perf_counter() - started) * 1000)
        lines.finish()
        duration_ms = (perf_counter() - started) * 1000
        reader.check_complete()
        tells_calls = options.mapping.tool_calls is not None
        return AgentResponse(
            text=options.mask.hide_answer(reader.text),
            tool_calls=tuple(reader.calls),
            duration_ms=duration_ms,
            execution=Execution.REAL,
            usage=reader.usage,
            first_token_ms=reader.first_token_ms,
            notes=self._notes(request, tells_calls=tells_calls),
            tells_calls=tells_calls,
        )

    def _check_status(self, answer: WireResponse) -> None:
        if not has_answer(answer.status):
            options = self._options
            body = options.mask.hide_body(decoded_body(answer, options.limit))
            headers = {k.decode("latin-1"): v.decode("latin-1") for k, v in answer.headers.items()}
            raise status_fault(answer.status, headers, body, options.retries)

    @staticmethod
    def _notes(request: AgentRequest, *, tells_calls: bool) -> tuple[str, ...]:
        notes = () if request.stubs is None else (STUBS_UNUSED,)
        return notes if tells_calls else (*notes, REPORTS_NO_CALLS)


def make(
    name: str,
    options: Mapping[str, Json],
    *,
    root: Path | None = None,
    env: Mapping[str, str] | None = None,
) -> HttpAgent:
    """An agent from a profile. A profile that was given no name of its own is named by its URL.

    Raises UserError for a wrong option or an environment variable that is not set.
    """
    checked = read_options(options, SecretSources(root, env) if root else env)
    shown = checked.mask.hide(checked.target.shown)
    has_own_name = bool(name) and name != "http" and "://" not in name
    prints = option_prints("http", options)
    agent = HttpAgent(
        checked,
        name=name if has_own_name else shown,
        fingerprint=prints.fingerprint,
    )
    agent.former_fingerprint = prints.former
    return agent


def _request_head(options: HttpOptions, more: Mapping[str, str]) -> bytes:
    """Everything of the request that never changes; for GET without the request line."""
    target = options.target
    headers = {
        "host": f"Host: {target.host_header}",
        "user-agent": "User-Agent: evaltui",
        "accept": "Accept: application/json",
    }
    if options.stream is not None:
        headers["accept"] = "Accept: text/event-stream, application/x-ndjson, application/json"
    if options.method != "GET":
        headers["content-type"] = "Content-Type: application/json"
    if target.authorization:
        headers["authorization"] = f"Authorization: {target.authorization}"
    for key, value in (*options.headers.items(), *more.items()):
        headers[key.lower()] = f"{key}: {value}"
    for fixed in ("content-length", "transfer-encoding", "connection"):
        headers.pop(fixed, None)
    lines = "".join(f"{line}\r\n" for line in headers.values())
    if options.method == "GET":
        return lines.encode("latin-1")
    return f"{options.method} {target.path} HTTP/1.1\r\n{lines}".encode("latin-1")
