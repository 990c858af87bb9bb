"""A Python function as an agent, in a child process that never shares anything with ours."""

import asyncio
import json
from collections.abc import Mapping
from pathlib import Path
from time import monotonic, perf_counter
from typing import Any

from evaltui.agents.child_faults import cannot_start, end_of, too_long
from evaltui.agents.http.answer_mapping import CONTRACT_MAPPING, read_answer
from evaltui.agents.python_options import PythonOptions, read_python_options
from evaltui.agents.reported_usage import reported_usage
from evaltui.agents.returned import as_answer
from evaltui.child import scripts
from evaltui.child.lines import Ended, LineChild, LineTooLong, Pool
from evaltui.child.shared_child import SharedChild
from evaltui.core.agent import Agent, AgentRequest
from evaltui.core.asked import AgentTraits
from evaltui.core.errors import AgentError
from evaltui.core.json_value import Json
from evaltui.core.on_wait import waiting_for_us
from evaltui.core.response import RETURNS_TEXT_ONLY, AgentResponse, ToolCall
from evaltui.disk.codec import parse
from evaltui.net.secret_mask import project_secrets

STUBS_UNUSED = "whether the stubs were used is the function's business"
PRINTED = "; it printed: "
_KEEP_FAULT_S = 2.0
"""A module that cannot be loaded is not loaded again for each of a thousand cases."""

_OF_SHAPE = ("contract_violation", "type_error", "parse_error")
"""Errors that tell what was returned, and not how the agent ended."""


class PythonAgent(Agent):
    """Each open request has a child of its own; what hangs or crashes costs one case."""

    def __init__(self, options: PythonOptions, *, name: str) -> None:
        self.name = name
        self.fingerprint, self.former_fingerprint = options.prints
        self.awaited, self.knows_files = options.awaited, options.names_files
        self.traits = AgentTraits(
            reads_registry=options.reads_registry, is_free=options.is_free, may_tell_costs=True
        )
        self._options = options
        self._pool = Pool(self._start)
        self._fault: tuple[AgentError, float] | None = None
        self._loaded: set[Path] = set()
        self._asked = 0
        self._answers_at_once: bool | None = None
        """Whether one child answers all open cases; not known before the first start."""
        self._shared: SharedChild | None = None
        self._starting = asyncio.Lock()

    def __repr__(self) -> str:
        return f"PythonAgent({self.name})"

    def hide(self, text: str) -> str:
        return self._options.mask.hide(text)

    @property
    def files(self) -> frozenset[Path]:
        return self._options.files

    def loaded_files(self) -> frozenset[Path]:
        return frozenset(self._loaded) - {path.resolve() for path in self._options.files}

    def check_files(self) -> None:
        self._options.as_read.check()

    async def respond(self, request: AgentRequest) -> AgentResponse:
        """One message. Raises AgentError; a cancelled request kills its child."""
        with self._options.as_read.hold():
            try:
                return await self._respond(request)
            except AgentError as error:
                raise self._options.mask.fault(error) from None

    async def close(self) -> None:
        if self._shared is not None:
            await self._shared.end()
        await self._pool.close()

    async def _respond(self, request: AgentRequest) -> AgentResponse:
        if (shared := await self._started_shared(request)) is not None:
            try:
                return await self._ask_shared(shared, request)
            except Ended:
                # It crashed, or one of its questions blocks it: which one is not known, so
                # that each is asked again in a process of its own.
                if shared.is_blocking:
                    self._answers_at_once = False
        with waiting_for_us(request.on_wait):  # the time of its start is none of the case's
            child = await self._pool.take()
        try:
            return await self._ask(child, request)
        except (Ended, LineTooLong) as error:
            raise await self._broken(error, child, "while it answered") from None
        finally:
            self._pool.drop_unless_idle(child)

    async def _started_shared(self, request: AgentRequest) -> SharedChild | None:
        """The one child that answers all at once; `None` where each case gets its own."""
        if self._is_one_by_one():
            return None
        if self._shared is not None and self._shared.is_alive:
            return self._shared
        with waiting_for_us(request.on_wait):
            async with self._starting:
                if self._is_one_by_one():
                    return None
                if self._shared is None or not self._shared.is_alive:
                    child = await self._start()
                    if not self._answers_at_once:
                        self._pool.give_back(child)
                        return None
                    if self._shared is not None:
                        await self._shared.end()
                    self._shared = SharedChild(child, self._parsed)
                return self._shared

    def _is_one_by_one(self) -> bool:
        return self._answers_at_once is False

    async def _ask_shared(self, shared: SharedChild, request: AgentRequest) -> AgentResponse:
        self._asked += 1
        id_, is_answered = self._asked, False
        question = {"id": id_, "message": request.message, "keywords": _keywords(request, self)}
        started = perf_counter()
        first_ms: float | None = None
        shared.ask(id_, json.dumps(question, default=dict).encode())
        try:
            while "piece" in (said := await shared.line(id_)):
                if first_ms is None:
                    first_ms = (perf_counter() - started) * 1000
                if request.on_text:
                    request.on_text(str(said["piece"]))
            is_answered = True
        finally:
            shared.forget(id_, is_answered=is_answered)
        return self._answered(said, request, (perf_counter() - started) * 1000, first_ms)

    async def _ask(self, child: LineChild, request: AgentRequest) -> AgentResponse:
        self._asked += 1
        id_ = self._asked
        question = {"id": id_, "message": request.message, "keywords": _keywords(request, self)}
        started = perf_counter()
        first_ms: float | None = None
        child.say(json.dumps(question, default=dict).encode())
        while True:
            said = self._parsed(await child.line())
            if said.get("id") != id_:
                continue  # of an earlier question, from what that left running
            if "piece" not in said:
                break
            if first_ms is None:
                first_ms = (perf_counter() - started) * 1000
            if request.on_text:
                request.on_text(str(said["piece"]))
        duration_ms = (perf_counter() - started) * 1000
        # The child is in step again, whatever the answer is worth.
        self._pool.give_back(child)
        return self._answered(said, request, duration_ms, first_ms)

    def _answered(
        self,
        said: Mapping[str, Any],
        request: AgentRequest,
        duration_ms: float,
        first_ms: float | None,
    ) -> AgentResponse:
        self._note_files(said)
        printed = str(said.get("printed") or "")
        if "error" in said:
            raise AgentError(f"{said['error']}{self._end_of(printed)}")
        value, text, calls = self._read(said)
        notes = [] if request.stubs is None else [STUBS_UNUSED]
        if isinstance(value, str):
            notes.append(RETURNS_TEXT_ONLY)
        if printed:
            notes.append(f"printed: {self.hide(printed)}")
        if request.on_tool_call:
            for call in calls:
                request.on_tool_call(call)
        return AgentResponse(
            text,
            calls,
            duration_ms,
            usage=reported_usage(value),
            first_token_ms=first_ms,
            notes=tuple(notes),
            tells_calls=not isinstance(value, str),
        )

    def _read(self, said: Mapping[str, Any]) -> tuple[Json, str, tuple[ToolCall, ...]]:
        """What was returned, in the contract's shape, with its text and calls."""
        try:
            value = as_answer(said.get("value"))
            if isinstance(value, str):
                return value, value, ()
            return value, *read_answer(value, CONTRACT_MAPPING)
        except AgentError as error:
            kind = said.get("kind")
            if not kind or error.category not in _OF_SHAPE:
                raise
            what = f"{error.what} The function returned `{kind}`."
            raise AgentError(what, category=error.category) from error

    async def _start(self) -> LineChild:
        if self._fault is not None and monotonic() - self._fault[1] < _KEEP_FAULT_S:
            raise AgentError(self._fault[0].what, category="start", is_unpaid=True)
        options = self._options
        script = str(scripts.SERVE_FUNCTION)
        argv = (options.python, "-X", "utf8", script, options.function, str(options.root))
        try:
            child = await LineChild.start(
                argv, cwd=options.root, env=options.env, limit=options.limit
            )
        except (OSError, ValueError) as error:
            raise cannot_start(options.python, "python", error) from None
        try:
            async with asyncio.timeout(options.start_timeout_s):
                said = self._parsed(await child.line())
        except TimeoutError:
            await child.end()
            raise self._kept_fault(
                f"`{options.function}` was not loaded within {options.start_timeout_s:g} s. "
                "Load less at import, or raise `start_timeout`."
            ) from None
        except (Ended, LineTooLong) as error:
            fault = await self._broken(error, child, "while it loaded the function")
            await child.end()
            raise fault from None
        except asyncio.CancelledError:
            await child.end()
            raise
        self._note_files(said)
        if self._answers_at_once is None:
            self._answers_at_once = bool(said.get("at_once"))
        if "load_error" in said:
            await child.end()
            printed = self._end_of(str(said.get("printed") or ""))
            raise self._kept_fault(
                f"`{options.function}` cannot be loaded: {said['load_error']}{printed}"
            )
        return child

    def _end_of(self, said: str) -> str:
        return end_of(said, self._options.mask, PRINTED)

    def _kept_fault(self, what: str) -> AgentError:
        fault = AgentError(what, category="start", is_unpaid=True)
        self._fault = fault, monotonic()
        return fault

    def _parsed(self, line: bytes) -> dict[str, Any]:
        value = parse(self._options.mask.hide_body(line))
        if not isinstance(value, dict):
            raise Ended
        return value

    def _note_files(self, said: Mapping[str, Any]) -> None:
        self._loaded |= {Path(file) for file in said.get("files") or ()}

    async def _broken(self, error: Exception, child: LineChild, when: str) -> AgentError:
        if isinstance(error, LineTooLong):
            return too_long("the function returned", self._options.limit)
        ending, said = await child.ending()
        return AgentError(f"the Python process {ending} {when}{self._end_of(said)}")


def make(
    name: str,
    options: Mapping[str, Json],
    *,
    root: Path | None = None,
    env: Mapping[str, str] | None = None,
) -> PythonAgent:
    """An agent from a profile. Raises UserError for a wrong option; loads nothing yet."""
    root = (root or Path()).absolute()
    checked = read_python_options(options, root=root, secrets=project_secrets(root, env))
    return PythonAgent(checked, name=name if name and name != "python" else checked.function)


def _keywords(request: AgentRequest, agent: PythonAgent) -> dict[str, Json]:
    keywords: dict[str, Json] = {
        "history": [
            {"role": message.role, "content": message.content} for message in request.history
        ],
        "case_id": request.key.case,
        "stubs": None if request.stubs is None else dict(request.stubs),
    }
    if agent.traits.reads_registry:
        keywords["tools"] = [
            {"name": t.name, "description": t.description, "parameters": t.parameters}
            for t in request.registry
        ]
    return keywords
