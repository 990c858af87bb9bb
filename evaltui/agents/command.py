"""Any program as an agent: JSON on its stdin, JSON or JSON lines on its stdout."""

import json
from collections.abc import Mapping
from pathlib import Path
from time import perf_counter
from typing import Any

from evaltui.agents.adapter_dialect import adapter_answer, adapter_request
from evaltui.agents.child_faults import cannot_start, end_of, too_long
from evaltui.agents.command_options import CommandOptions, read_command_options
from evaltui.agents.http.answer_mapping import CONTRACT_MAPPING, parse_json, read_answer
from evaltui.agents.http.event_lines import EventLines
from evaltui.agents.http.event_stream import StreamMapping, StreamReader
from evaltui.agents.http.request_template import fill_template
from evaltui.agents.option_prints import option_prints
from evaltui.agents.reported_usage import reported_usage
from evaltui.child import Child
from evaltui.child.lines import Ended, LineChild, LineTooLong, Pool
from evaltui.core.agent import Agent, AgentRequest
from evaltui.core.asked import AgentTraits
from evaltui.core.errors import AgentError
from evaltui.core.finite_json import decode_json
from evaltui.core.json_value import Json, JsonObject
from evaltui.core.response import AgentResponse
from evaltui.net.secret_mask import project_secrets

TEMPLATE: dict[str, Json] = {
    "message": "$message",
    "case_id": "$case_id",
    "history": "$history",
    "stubs": "$stubs",
}
STUBS_UNUSED = "whether the stubs were used is the program's business"


class CommandAgent(Agent):
    """Runs its own tools and reports them. A cancelled request kills the whole process group."""

    def __init__(self, options: CommandOptions, *, name: str, fingerprint: str) -> None:
        self.name = name
        self.fingerprint = fingerprint
        self.content, self.former_content = options.as_read.content, options.former_content
        self.awaited, self.knows_files = options.awaited, options.names_files
        is_adapter = options.dialect == "adapter"
        self.traits = AgentTraits(
            reads_registry=is_adapter,
            is_free=options.is_free,
            may_tell_costs=True,
            max_repairs=options.max_repairs,
            settings=_settings(options) if is_adapter else "",
            sees_expectations=is_adapter and options.send_expectations,
        )
        self._options = options
        self._pool = Pool(self._start_lines)
        self._asked = 0

    def __repr__(self) -> str:
        return f"CommandAgent({self.name})"

    @property
    def files(self) -> frozenset[Path]:
        return self._options.files

    def check_files(self) -> None:
        self._options.as_read.check()

    def disclosed(self, request: AgentRequest) -> JsonObject:
        """What an adapter is sent; other programs are told nothing of what is expected."""
        options = self._options
        if options.dialect != "adapter":
            return super().disclosed(request)
        return adapter_request(
            request,
            tells_expectations=options.send_expectations,
            is_repair=self._is_repair(request),
        )

    def hide(self, text: str) -> str:
        return self._options.mask.hide(text)

    async def respond(self, request: AgentRequest) -> AgentResponse:
        """One message. Raises AgentError, with the end of stderr, its secrets masked."""
        with self._options.as_read.hold():
            try:
                if self._options.mode == "jsonl":
                    return await self._ask(request)
                return await self._run(request)
            except AgentError as error:
                raise self._options.mask.fault(error) from None

    async def close(self) -> None:
        await self._pool.close()

    async def _run(self, request: AgentRequest) -> AgentResponse:
        pieces: list[bytes] = []
        size = 0
        started = perf_counter()
        child: Child | None = None

        def take_output(data: bytes) -> None:
            nonlocal size
            size += len(data)
            if size > self._options.limit:
                if child is not None:
                    child.kill()
            else:
                pieces.append(data)

        is_adapter = self._options.dialect == "adapter"
        body = self.disclosed(request) if is_adapter else fill_template(TEMPLATE, request)
        child = await self._start(take_output, is_repair=is_adapter and self._is_repair(request))
        try:
            child.write(_encoded(body))
            child.end_input()
            ending = await child.ended()
        finally:
            await child.end()
        duration_ms = (perf_counter() - started) * 1000
        if size > self._options.limit:
            raise too_long("the program wrote", self._options.limit)
        if ending.code != 0:
            raise AgentError(f"the program ended with {ending}{self._end_of(child.said)}")
        stdout = self._options.mask.hide_body(b"".join(pieces))
        if is_adapter:
            return adapter_answer(stdout, request, duration_ms)
        return self._read(stdout, child.said, request, started, duration_ms)

    def _read(
        self, stdout: bytes, said: str, request: AgentRequest, started: float, duration_ms: float
    ) -> AgentResponse:
        if not stdout.strip():
            raise AgentError(
                f"the program wrote nothing to stdout{self._end_of(said)}. "
                'Write {"response": text, "toolCalls": [...]}.',
                category="contract_violation",
            )
        reader = StreamReader(request, CONTRACT_MAPPING, StreamMapping(), started)
        try:
            whole = decode_json(stdout)
        except (ValueError, RecursionError):
            whole = None
        if isinstance(whole, dict):
            if whole.get("error") and "response" not in whole:
                raise AgentError(f"the program reports an error: {str(whole['error'])[:500]}")
            value = parse_json(stdout, "stdout")
            text, calls = read_answer(value, CONTRACT_MAPPING)
            usage = reported_usage(value)
            return AgentResponse(text, calls, duration_ms, usage=usage, notes=_notes(request))
        first = stdout.lstrip()[:1]
        if first != b"{":
            raise self._not_json(stdout, said)
        lines = EventLines(reader.take, is_sse=False)
        lines.feed(stdout)
        lines.finish()
        reader.check_complete()
        return self._streamed(reader, request, duration_ms)

    async def _ask(self, request: AgentRequest) -> AgentResponse:
        child = await self._pool.take()
        self._asked += 1
        id_ = self._asked
        question = fill_template(TEMPLATE | {"request_id": id_}, request)
        started = perf_counter()
        reader = StreamReader(request, CONTRACT_MAPPING, StreamMapping(), started)
        try:
            child.say(_encoded(question))
            while not reader.is_final:
                line = self._options.mask.hide_body(await child.line())
                if line.strip() and line.lstrip()[:1] != b"{":
                    raise self._not_json(line, "")
                text = line.decode("utf-8", "replace")
                if _is_for(text, id_):
                    reader.take("", text)
            self._pool.give_back(child)
        except LineTooLong:
            raise too_long("the program wrote", self._options.limit) from None
        except Ended:
            ending, said = await child.ending()
            raise AgentError(
                f"the program {ending} before it had answered{self._end_of(said)}. "
                'Write one line {"response": text, "toolCalls": [...]} for each message.'
            ) from None
        finally:
            # Cancelled, or out of step: what it writes next would be taken for another answer.
            self._pool.drop_unless_idle(child)
        return self._streamed(reader, request, (perf_counter() - started) * 1000)

    def _streamed(
        self, reader: StreamReader, request: AgentRequest, duration_ms: float
    ) -> AgentResponse:
        return AgentResponse(
            self._options.mask.hide_answer(reader.text),
            tuple(reader.calls),
            duration_ms,
            usage=reader.usage,
            first_token_ms=reader.first_token_ms,
            notes=_notes(request),
        )

    def _is_repair(self, request: AgentRequest) -> bool:
        return bool(request.previous) and bool(self._options.repair_argv)

    def _end_of(self, said: str) -> str:
        return end_of(said, self._options.mask, ": ")

    def _not_json(self, stdout: bytes, said: str) -> AgentError:
        start = self._options.mask.start_of(stdout.decode("utf-8", "replace").strip(), 200)
        return AgentError(
            f"the program wrote text that is not JSON: {start}{self._end_of(said)} — "
            "Write JSON only to stdout, everything else to stderr.",
            category="parse_error",
        )

    async def _start(self, take_output: Any, *, is_repair: bool) -> Child:
        options = self._options
        argv, option = options.argv, "command"
        if is_repair:
            argv, option = options.repair_argv, "repair_command"
        try:
            return await Child.start(argv, take_output, cwd=options.cwd, env=options.env)
        except (OSError, ValueError) as error:
            raise cannot_start(argv[0], option, error) from None

    async def _start_lines(self) -> LineChild:
        options = self._options
        try:
            return await LineChild.start(
                options.argv, cwd=options.cwd, env=options.env, limit=options.limit
            )
        except (OSError, ValueError) as error:
            raise cannot_start(options.argv[0], "command", error) from None


def _settings(options: CommandOptions) -> str:
    """What a reader of an adapter's results must know."""
    expectations = "is told what is expected" if options.send_expectations else ""
    repairs = f"may repair {options.max_repairs} times" if options.max_repairs else ""
    return ", ".join(filter(None, (expectations, repairs)))


def make(
    name: str,
    options: Mapping[str, Json],
    *,
    root: Path | None = None,
    env: Mapping[str, str] | None = None,
) -> CommandAgent:
    """An agent from a profile. Raises UserError for a wrong option."""
    root = (root or Path()).absolute()
    checked = read_command_options(options, root=root, secrets=project_secrets(root, env))
    prints = option_prints("command", options)
    agent = CommandAgent(
        checked,
        name=name or "command",
        fingerprint=prints.fingerprint,
    )
    agent.former_fingerprint = prints.former
    return agent


def _encoded(body: Json) -> bytes:
    try:
        return json.dumps(body, ensure_ascii=False, default=dict).encode()
    except UnicodeEncodeError:
        return json.dumps(body, default=dict).encode()


def _is_for(line: str, id_: Json) -> bool:
    """Whether a line answers this question: one that carries no `request_id` does."""
    if '"request_id"' not in line:
        return True
    try:
        value = decode_json(line)
    except (ValueError, RecursionError):
        return True
    return not isinstance(value, dict) or value.get("request_id", id_) == id_


def _notes(request: AgentRequest) -> tuple[str, ...]:
    return () if request.stubs is None else (STUBS_UNUSED,)
