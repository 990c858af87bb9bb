"""Answers that arrive in pieces: which event says what, and the answer they add up to."""

from time import perf_counter

from msgspec import Struct

from evaltui.agents.http.answer_mapping import (
    AnswerMapping,
    parse_json,
    read_answer,
    read_call,
    read_usage,
)
from evaltui.agents.http.json_path import MISSING, Found, Missing, Path, first_at, parse_path
from evaltui.core.agent import AgentRequest
from evaltui.core.errors import AgentError
from evaltui.core.json_value import Json
from evaltui.core.response import ToolCall, Usage


class Rule(Struct, frozen=True):
    """`PATH`, or `KEY=VALUE:PATH` for events in which KEY (a dot path, or `event`) is VALUE."""

    path: Path
    key: Path | None = None
    value: str = ""

    def find(self, event: Json, name: str) -> Found:
        """What the event holds for this rule; MISSING when it is not about it."""
        if self.key is not None:
            actual = name if self.key.text == "event" else first_at(event, self.key)
            if actual != self.value:
                return MISSING
        return first_at(event, self.path)


def parse_rule(text: str, where: str) -> Rule:
    """Raises UserError naming `where`."""
    condition, colon, path = text.rpartition(":")
    if not colon or "=" not in condition:
        return Rule(parse_path(text, where))
    key, _, value = condition.partition("=")
    return Rule(parse_path(path, where), parse_path(key, where), value)


_DELTA, _TOOL_CALL, _ERROR = (Rule(parse_path(key)) for key in ("delta", "toolCall", "error"))


class StreamMapping(Struct, frozen=True):
    """What an event can hold: a piece of text, a tool call (or a list), a fault, all of it."""

    text: Rule = _DELTA
    tool_call: Rule = _TOOL_CALL
    error: Rule = _ERROR
    final: Rule | None = None
    """Without a rule, an event that has both `text` and `tool_calls` of the `response` mapping."""


class StreamReader:
    """Puts one answer together from its events. Faults are raised as AgentError."""

    def __init__(
        self, request: AgentRequest, answer: AnswerMapping, events: StreamMapping, started: float
    ) -> None:
        self.calls: list[ToolCall] = []
        self.first_token_ms: float | None = None
        self.usage: Usage | None = None
        self._request = request
        self._answer = answer
        self._events = events
        self._started = started
        self._pieces: list[str] = []
        self._final: str | None = None
        self._count = 0

    @property
    def text(self) -> str:
        return "".join(self._pieces) if self._final is None else self._final

    @property
    def is_final(self) -> bool:
        """Whether the whole answer has come in one event; nothing needs to follow."""
        return self._final is not None

    def take(self, name: str, data: str) -> None:
        """One event. `[DONE]` and empty events say nothing."""
        if data.strip() in {"", "[DONE]"}:
            return
        self._count += 1
        event = parse_json(data.encode("utf-8", "replace"), "event")
        rules = self._events
        if (fault := rules.error.find(event, name)) is not MISSING and fault:
            raise AgentError(f"the stream reports an error: {str(fault)[:200]}")
        if usage := read_usage(event, self._answer):
            self.usage = _later(self.usage, usage)
        final = self._final_answer(event, name)
        if final is not None:
            self._touch()
            text, calls = read_answer(final, self._answer)
            self._final, self.calls = text, list(calls)
            return
        piece = rules.text.find(event, name)
        if isinstance(piece, str) and piece:
            self._touch()
            self._pieces.append(piece)
            if self._request.on_text:
                self._request.on_text(piece)
        found = rules.tool_call.find(event, name)
        if not isinstance(found, Missing) and found is not None:
            self._touch()
            for call in found if isinstance(found, list) else [found]:
                self._call(call)

    def check_complete(self) -> None:
        """Raises AgentError when the stream held no event at all."""
        if self._count == 0:
            raise AgentError(
                "the stream ended without an event. Send `data: {…}` events, or JSON lines.",
                category="contract_violation",
            )
        if self.first_token_ms is None:
            raise AgentError(
                f"none of the {self._count} events holds text or a tool call. "
                "Map them under `events`.",
                category="contract_violation",
            )

    def _call(self, call: Json) -> None:
        read = read_call(call, self._answer, f"toolCall #{len(self.calls) + 1}")
        self.calls.append(read)
        if self._request.on_tool_call:
            self._request.on_tool_call(read)

    def _final_answer(self, event: Json, name: str) -> Json:
        rule = self._events.final
        if rule is not None:
            found = rule.find(event, name)
            return None if isinstance(found, Missing) else found
        answer = self._answer
        if answer.tool_calls is None:
            return None
        has_both = (
            first_at(event, answer.text) is not MISSING
            and first_at(event, answer.tool_calls) is not MISSING
        )
        return event if has_both else None

    def _touch(self) -> None:
        if self.first_token_ms is None:
            self.first_token_ms = (perf_counter() - self._started) * 1000


def _later(before: Usage | None, now: Usage) -> Usage:
    """What a later event leaves out, or says with 0 tokens, was said by an earlier one."""
    if before is None:
        return now
    return Usage(
        _kept(before.input_tokens, now.input_tokens),
        _kept(before.output_tokens, now.output_tokens),
        before.cost_usd if now.cost_usd is None else now.cost_usd,
        _kept(before.told_total, now.told_total),
    )


def _kept(before: int | None, now: int | None) -> int | None:
    return now if now or before is None else before
