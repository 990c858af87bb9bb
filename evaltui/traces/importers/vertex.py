"""Vertex and Gemini: contents that were sent, candidates that came back."""

from collections.abc import Sequence

from evaltui.core.json_value import Json, JsonObject
from evaltui.traces.importers import adk_events, gemini_chunks
from evaltui.traces.importers.gemini_chunks import can_be_piece
from evaltui.traces.importers.gemini_contents import read_content, read_search
from evaltui.traces.importers.importer import Record
from evaltui.traces.importers.part import Part, words
from evaltui.traces.importers.trace_builder import TraceBuilder

KEYS = words(
    """
    contents candidates predictions metadata model safetySettings generationConfig
    systemInstruction system_instruction tools toolConfig usageMetadata usage_metadata modelVersion
    model_version responseId response_id createTime create_time promptFeedback request response
    status error id ts timestamp time created_at latency_ms duration_ms trace_id attributes
    cachedContent labels key instances parameters deployedModelId prompt_feedback
    automaticFunctionCallingHistory automatic_function_calling_history
    """
).union(adk_events.KEYS)

_HISTORY = ("automaticFunctionCallingHistory", "automatic_function_calling_history")
"""What was asked and what tools did that the SDK called by itself, all before the answer."""
_FEEDBACK = ("promptFeedback", "prompt_feedback")
_ENDS = frozenset({"STOP", "MAX_TOKENS"})
"""Why an answer ended, where nobody kept back anything of it."""


def claims(record: JsonObject) -> bool:
    layers = (record, record.get("request"), record.get("response"))
    keys = ("contents", "candidates", "predictions", "usageMetadata", *_FEEDBACK)
    is_of_gemini = any(isinstance(layer, dict) and key in layer for layer in layers for key in keys)
    return is_of_gemini or adk_events.claims(record)


def gather(records: Sequence[Record]) -> Sequence[Record]:
    """Streamed answers, and events of one run, put together; anything else stays as it is."""
    return gemini_chunks.gather(adk_events.gather(records))


def read(record: Part, trace: TraceBuilder) -> None:
    if adk_events.claims(record.value):
        adk_events.read(record, trace)
        return
    asked: list[Json] = []
    for layer in (trace.object(record, "request"), record, trace.object(record, "response")):
        instruction = layer.text("systemInstruction", "system_instruction")
        if instruction:
            trace.message("system", instruction, layer.inner({}, "systemInstruction"))
        else:
            told = trace.object(layer, "systemInstruction", "system_instruction")
            read_content(told.without("role"), trace, "system")  # it may state that of a user
        for content in trace.parts(layer, "contents"):
            asked.append(_same(content.value))
            read_content(content, trace, "user")
        _read_history(layer, asked, trace)
        if layer.value.get("candidates") or layer.value.get("predictions"):
            answered = layer.first("createTime", "create_time")
            layer = Part(
                layer.value, layer.path, layer.outer_time if answered is None else answered
            )
        _read_candidates(layer, trace, is_piece=can_be_piece(record.value))
        for prediction in trace.parts(layer, "predictions"):
            if prediction.part("content").value:
                read_content(prediction.part("content"), trace, "model")
            elif prediction.text("content"):
                trace.message("agent", prediction.text("content"), prediction)
            _read_candidates(prediction, trace)
        if layer.error:
            trace.failed(layer.error, layer)
    if why := _why_unanswered(record):
        trace.failed(why, record)
    trace.mark({}, record.latency_ms)


def _read_history(layer: Part, asked: list[Json], trace: TraceBuilder) -> None:
    """What is in it besides what was asked, which it begins with, and the answer."""
    history = [*trace.parts(layer, *_HISTORY)]
    if asked and [_same(one.value) for one in history[: len(asked)]] == asked:
        history = history[len(asked) :]
    candidates = layer.value.get("candidates")
    first = candidates[0] if isinstance(candidates, list) and candidates else None
    answer = first.get("content") if isinstance(first, dict) else None
    if history and _same(history[-1].value) == _same(answer):
        history.pop()
    for content in history:
        read_content(content, trace, "user")


def _same(value: Json) -> Json:
    """Equal for what is written with keys in either way."""
    if isinstance(value, dict):
        return {
            key.replace("_", "").lower(): _same(one)
            for key, one in value.items()
            if one is not None
        }
    return [*map(_same, value)] if isinstance(value, list) else value


def _why_unanswered(record: Part) -> str:
    """What a batch says of a request that failed: it has a status and an empty response then."""
    is_asked, answer = bool(record.value.get("request")), record.value.get("response")
    return record.text("status") if is_asked and not answer and not record.error else ""


def _read_candidates(layer: Part, trace: TraceBuilder, *, is_piece: bool = False) -> None:
    """The first candidate with its usage, or why there is none; that its end is missing is told of
    pieces only."""
    reasons: list[str] = []
    blocked = layer.part(*_FEEDBACK).text("blockReason", "block_reason")
    if blocked:
        trace.failed(f"the prompt was blocked: {blocked}", layer)
    for number, candidate in enumerate(trace.parts(layer, "candidates")):
        if number:
            trace.note("dropped_alternative", "only the first candidate counts", candidate.path)
            continue
        before = len(trace.events)
        read_search(candidate, trace)
        read_content(trace.object(candidate, "content"), trace, "model")
        reason = candidate.text("finishReason", "finish_reason")
        reasons = [reason] if reason else []
        if reason and len(trace.events) == before:  # nothing was said, which is an answer too
            if reason in _ENDS:
                trace.message("agent", None, candidate)
            else:
                trace.failed(f"the answer was withheld: {reason}", candidate)
        if is_piece and not reason:  # it was cut, or goes on in a record without its id
            trace.note(
                "not_told", "the end of the answer: it has no `finishReason`", candidate.path
            )
    if blocked or layer.value.get("candidates"):
        trace.mark(
            {
                "gen_ai.response.id": layer.text("responseId", "response_id"),
                "gen_ai.response.model": layer.text("modelVersion", "model_version", "model"),
                "gen_ai.response.finish_reasons": reasons,
            }
        )
        trace.mark(trace.used(layer, "usageMetadata", "usage_metadata"))
