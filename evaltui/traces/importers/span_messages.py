"""Messages to and from a model, as its spans hold them."""

from collections import Counter
from collections.abc import Collection, Sequence
from json import dumps

from evaltui.core.json_value import Json, JsonObject
from evaltui.traces.importers.chat_messages import read_chat_message
from evaltui.traces.importers.content_parts import call_in, result_in, result_text
from evaltui.traces.importers.given_answers import (
    THOUGHTS,
    GivenAnswers,
    Said,
    after,
    in_order,
    told_as,
)
from evaltui.traces.importers.part import Part
from evaltui.traces.importers.span_sections import sections
from evaltui.traces.importers.tool_results import ToolResults
from evaltui.traces.importers.trace_builder import TraceBuilder

_KEPT = ("gen_ai.request.model", "gen_ai.response.model", "gen_ai.response.id")


class SpanMessages:
    """One request to a model and its answer; a request repeats what came before it."""

    def __init__(
        self,
        span: Part,
        said: JsonObject,
        trace: TraceBuilder,
        results: ToolResults,
        *,
        used: JsonObject,
        answers: GivenAnswers | None = None,
    ) -> None:
        """`used`: tokens and cost that no other span tells; `answers`: of all spans of a trace."""
        self._span = span
        self._said = said
        self._trace = trace
        self._results = results
        self._asked, self._answered = sections(said, span)
        self._used = used
        self._so_far: Sequence[Said] = ()
        self._answers = GivenAnswers() if answers is None else answers

    @property
    def asks(self) -> bool:
        return bool(self._asked)

    @property
    def is_silent(self) -> bool:
        """Whether it says neither what was answered nor what went wrong."""
        return not self._answered and not self._span.error

    def add_usage(self) -> None:
        """What was used, for what was done last."""
        self._trace.add_usage(self._used)

    def read_asked(self) -> None:
        """What is new in the request."""
        here: Counter[str] = Counter()
        without = Part({**self._span.value, **_NO_SPAN}, (*self._span.path, "asked"))
        for message, so_far in zip(self._asked, self._said_so_far(), strict=True):
            is_given = self._answers.is_given(message, so_far)
            text = told_as(message)
            here[text] += 1
            if here[text] > self._trace.seen_messages[text]:
                self._trace.seen_messages[text] = here[text]
                if not is_given:
                    self._read(self._answers.with_given_id(message), without)

    def _said_so_far(self) -> Sequence[Said]:
        """For each message of the request."""
        if len(self._so_far) < len(self._asked):
            self._so_far = [*in_order(self._asked)]
        return self._so_far

    def read_answered_around(self, gists: Collection[str], *, is_awaited: bool) -> None:
        """As `read_answered`, of a span around other models, and what those did as `gist_of`."""
        self._answered = [one for one in self._answered if not _gists(one).issubset(gists)]
        has_failed = self._span.error and FAILED not in gists
        if not self._answered and not has_failed and gists:
            self.add_usage()
        else:
            self.read_answered(is_awaited=is_awaited)

    def read_answered(self, *, is_awaited: bool) -> None:
        """The answer, or what went wrong, with what was used for it. `is_awaited`: it is noted
        where there is neither."""
        before = len(self._trace.events)
        asked = [
            after(*pair) for pair in zip(self._said_so_far()[-1:], self._asked[-1:], strict=True)
        ]
        answered = in_order(self._answered, *asked)
        for message, said_now in zip(self._answered, answered, strict=True):
            self._answers.give(message, said_now)
            self._trace.seen_messages[told_as(message)] += 1
            self._read(message, self._span)
        if not self._answered and self._span.error:
            self._trace.failed(self._span.error, self._span)
        elif not self._answered and is_awaited:
            self._trace.note("not_told", "what a model answered", self._span.path)
        if len(self._trace.events) == before:
            self.add_usage()
            return
        said = self._said
        reasons = said.get("gen_ai.response.finish_reasons")
        kept = {key: said[key] for key in _KEPT if said.get(key) is not None}
        self._trace.mark({**self._used, **kept, "gen_ai.response.finish_reasons": reasons})
        self._trace.mark_own(self._span, before)

    def _read(self, message: JsonObject, place: Part) -> None:
        parts = message.get("parts")
        if not isinstance(parts, list):
            self._read_chat(message, place)
            return
        if not parts:
            self._trace.says(message.get("role"), None, place)
        texts: list[Json] = []
        for one in parts:
            part = Part(one) if isinstance(one, dict) else Part({})
            if part.text("type") in ("tool_call", "tool_call_response"):
                self._say(message, texts, place)
                self._read_tool(part, place)
            elif part.text("type") == "text":
                texts.append({"text": part.value.get("content")})
            elif part.text("type") not in THOUGHTS:
                texts.append(one)
        self._say(message, texts, place)

    def _say(self, message: JsonObject, texts: list[Json], place: Part) -> None:
        """Texts that follow each other are one message."""
        if texts:
            self._trace.says(message.get("role"), [*texts], place)
            texts.clear()

    def _read_tool(self, part: Part, place: Part) -> None:
        call_id = part.text("id")
        if part.text("type") == "tool_call":
            if not self._trace.calls.was_made(call_id):
                self._note_without_arguments(part, place)
                arguments = part.value.get("arguments")
                self._trace.call(part.text("name"), arguments, place, call_id)
        else:
            if not call_id and self._trace.calls.was_answered(part.text("name")):
                return  # as the span of its tool tells it
            is_told = any(key in part.value for key in _OUTPUTS)
            answer = part.first(*_OUTPUTS)
            if not self._has_event(call_id, answer, is_told=is_told):
                self._trace.result(answer, place, call_id=call_id)
                if not is_told:
                    tool = self._trace.events[-1]["tool"] or "a tool"
                    self._trace.note("not_told", f"what `{tool}` gave back", place.path)

    def _note_without_arguments(self, call: Part, place: Part) -> None:
        """Miss what a call was made with, where what is said to tools is not recorded."""
        if (name := call.text("name")) and _ARGUMENTS.isdisjoint(call.value):
            self._trace.note("not_told", f"what `{name}` was called with", place.path)

    def _read_chat(self, message: JsonObject, place: Part) -> None:
        """A message in the words of chat completions."""
        said = Part({**place.value, **message}, place.path)
        calls = said.value.get("tool_calls")
        if isinstance(calls, list):
            new = [one for one in calls if not self._trace.calls.was_made(_id_of(one))]
            said = Part({**said.value, "tool_calls": new}, place.path)
            for call in self._trace.parts(said, "tool_calls"):
                made = call.part("function")
                self._note_without_arguments(made if made.value else call, place)
        content = said.value.get("content")
        if isinstance(content, list) and content:
            left = [one for one in content if not self._is_known(one)]
            if not left and not said.value.get("tool_calls"):
                return
            said = Part({**said.value, "content": left}, place.path)
        answer, is_told = result_text(content), "content" in said.value
        is_result = said.text("role") == "tool"
        if is_result and self._has_event(said.text("tool_call_id"), answer, is_told=is_told):
            return
        read_chat_message(said, self._trace)

    def _is_known(self, one: Json) -> bool:
        """Whether a part of a content is a call or a result that was told already."""
        part = Part(one) if isinstance(one, dict) else Part({})
        if (call := call_in(part)) is not None:
            return self._trace.calls.was_made(call.call_id)
        result = result_in(part)
        return result is not None and self._has_event(result.call_id, result.output, is_told=True)

    def _has_event(self, call_id: str, answer: Json, *, is_told: bool) -> bool:
        """Whether the result of a call has, or will have, an event, which may want its answer."""
        was_made = self._trace.calls.was_made(call_id)
        has_event = call_id in self._results.called or (
            was_made and not self._trace.calls.is_open(call_id)
        )
        if has_event and is_told:
            self._results.note(call_id, answer)
        return has_event


def _gists(message: JsonObject) -> set[str]:
    """What is told in a message: of one that says nothing something that nothing else tells."""
    trace = TraceBuilder("")
    nowhere = Part({})
    SpanMessages(nowhere, {}, trace, ToolResults(()), used={})._read(message, nowhere)
    return {gist_of(one) for one in trace.events} or {""}


FAILED = "failed"
"""The gist of whatever ended with an error."""


def gist_of(event: JsonObject) -> str:
    """What an event tells, the same in whatever words it was told."""
    if event["error"]:
        return FAILED
    return dumps([event[key] for key in ("type", "tool", "input", "output")], sort_keys=True)


def _id_of(call: Json) -> str:
    return Part(call).text("id") if isinstance(call, dict) else ""


_OUTPUTS = ("response", "result")
_ARGUMENTS = frozenset({"arguments", "args", "input"})
_NO_SPAN: JsonObject = {"span_id": None, "latency_ms": None, "error": None}
