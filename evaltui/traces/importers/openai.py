"""Chat completions and responses of OpenAI: requests, answers, or both in one record."""

from collections.abc import Iterator, Sequence

from evaltui.core.json_value import Json, JsonObject
from evaltui.traces.importers import chat_chunks, earlier_turns, response_stream
from evaltui.traces.importers.chat_messages import SAYS, read_chat_message
from evaltui.traces.importers.importer import Record
from evaltui.traces.importers.part import Part, words
from evaltui.traces.importers.response_items import is_item, read_item
from evaltui.traces.importers.trace_builder import TraceBuilder

KEYS = words(
    """
    id object created created_at completed_at model messages response output events metadata system
    input tool_choice tools temperature choices usage request body custom_id error ts timestamp time
    latency_ms duration_ms trace_id attributes instructions status incomplete_details
    service_tier system_fingerprint parallel_tool_calls previous_response_id reasoning
    reasoning_effort store text top_p top_logprobs truncation user max_output_tokens
    max_completion_tokens max_tokens max_tool_calls background conversation prompt
    prompt_cache_key prompt_cache_retention safety_identifier frequency_penalty presence_penalty
    response_format seed stop stream stream_options n logprobs logit_bias modalities output_text
    moderation prompt_cache_options input_transformations prompt_cache_diagnostics image tool_usage
    access_programs prediction functions function_call audio web_search_options context_management
    stopReason metrics modelId toolConfig inferenceConfig additionalModelRequestFields
    additionalModelResponseFields guardrailConfig performanceConfig ResponseMetadata
    include background_options billing verbosity provider request_id method url x_groq
    """
)
"""Top-level keys that such a record may have."""


def claims(record: JsonObject) -> bool:
    """Whether a record looks as if it were one of these; nothing else claims what is left."""
    return any(key in record for key in ("choices", "messages", "output", "response", "input"))


def gather(records: Sequence[Record]) -> Sequence[Record]:
    """Streamed answers put together, and told apart from those whose earlier turns are missing;
    anything else stays as it is."""
    return earlier_turns.without_told(response_stream.gather(chat_chunks.gather(records)))


def read(record: Part, trace: TraceBuilder) -> None:
    """Messages, then answers; `events` only where there is nothing else."""
    if is_item(record.text("type")):
        trace.note("lone_item", "an item of a conversation, which is none of its own")
        return
    layers = list(_layers(record, trace))
    earlier_turns.note_untold(layers, trace)
    wanted: Json = None
    for layer in layers:
        instructions = layer.value.get("instructions")
        if instructions and isinstance(instructions, str) and instructions != wanted:
            trace.message("system", instructions, layer.inner({}, "instructions"))
            wanted = instructions  # which an answer repeats
        before = len(trace.events)
        _read_layer(layer, trace)
        is_last = layer is layers[-1] and layer.path[:1] == ("response",)
        if is_last and len(trace.events) == before:
            trace.note("not_told", "what was answered", layer.path)
    if not trace.events:
        for item in trace.parts(record, "events"):
            _read_either(item, trace)
    for layer in layers if trace.events else ():
        if not _is_answer(layer):
            trace.usage_of_all(trace.used(layer, "usage"))
    trace.mark({}, record.latency_ms)


def _layers(record: Part, trace: TraceBuilder) -> Iterator[Part]:
    """What was asked, then what was answered; logs and batches wrap them."""
    request, response = trace.object(record, "request"), trace.object(record, "response")
    found = (request, request.part("body"), record, record.part("body"))
    yield from (one for one in (*found, response, response.part("body")) if one.value)


def _read_layer(layer: Part, trace: TraceBuilder) -> None:
    before = len(trace.events)
    if layer.value.get("system"):
        trace.says("system", layer.value["system"], layer.inner({}, "system"))
    _read_prompt(layer, trace)
    if isinstance(layer.value.get("input"), str):
        trace.message("user", layer.value["input"], layer.inner({}, "input"))
    elif isinstance(layer.value.get("input"), list):
        for item in trace.parts(layer, "input"):
            read_item(item, trace, role="user")
    for message in trace.parts(layer, "messages"):
        _read_either(message, trace)
    is_answer = _is_answer(layer)
    reasons: list[str] = []
    if is_answer and layer.time is None:
        layer = Part(layer.value, layer.path, layer.value.get("created"))
    if isinstance(layer.value.get("output"), str):
        trace.message("assistant", layer.value["output"], layer.inner({}, "output"))
    elif (answer := layer.part("output").part("message")).value:  # as Bedrock's Converse has it
        read_chat_message(answer, trace, role="assistant")
        reasons = [layer.text("stopReason")] if layer.text("stopReason") else []
        took = {"latency_ms": layer.part("metrics").value.get("latencyMs")}
        trace.mark({}, Part(took).latency_ms)
    else:
        for item in trace.parts(layer, "output"):
            read_item(item, trace)
    reasons += _read_choices(layer, trace)
    why = layer.part("incomplete_details").text("reason")
    is_withheld = why == _WITHHELD and not layer.value.get("output")
    if is_withheld:
        trace.failed(f"the answer was withheld: {why}", layer)
    if layer.error or layer.text("status") == "failed":
        trace.failed(layer.error or "the response failed", layer)
    status = layer.text("status")
    if status in _UNFINISHED and "output" in layer.value and not layer.error:
        trace.note("not_told", f"the end of the answer: its status is `{status}`", layer.path)
    if status == "incomplete":
        reasons = [why or "incomplete"]
    if is_answer or is_withheld or layer.value.get("usage"):
        trace.mark(
            {
                "gen_ai.response.id": layer.text("id"),
                "gen_ai.response.model": layer.text("model"),
                "gen_ai.response.finish_reasons": reasons,
            }
        )
        if is_answer:
            trace.usage_of_all(trace.used(layer, "usage"), before)


def _read_prompt(layer: Part, trace: TraceBuilder) -> None:
    """What a text completion was asked; of several the first, whose answer is the first too. In a
    response an object of this name is a stored template."""
    prompt = layer.value.get("prompt")
    asked = prompt if isinstance(prompt, list) else [prompt]
    is_other = not prompt or isinstance(prompt, dict)
    if is_other or not {"messages", "input"}.isdisjoint(layer.value):
        return
    place = layer.inner({}, "prompt")
    if not isinstance(asked[0], str):
        trace.note("not_told", "what was asked: `prompt` is no text", place.path)
        return
    if len(asked) > 1:
        trace.note("dropped_alternative", "only the first prompt counts", place.path)
    if not any(event["input"] == asked[0] for event in trace.events):  # which some logs repeat
        trace.message("user", asked[0], place)


_WITHHELD = "content_filter"
_UNFINISHED = ("queued", "in_progress")


def _is_answer(layer: Part) -> bool:
    """Whether its usage is that of its own answer; else it is of all that the record tells."""
    return any(layer.value.get(key) for key in ("output", "choices"))


def _read_choices(layer: Part, trace: TraceBuilder) -> list[str]:
    """The first of the answers that were asked for; returns why it ended."""
    reasons: list[str] = []
    for number, choice in enumerate(trace.parts(layer, "choices")):
        if number:
            trace.note("dropped_alternative", "only the first answer counts", choice.path)
            continue
        message = trace.object(choice, "message", "delta")
        if choice.text("finish_reason") == _WITHHELD and not any(map(message.value.get, SAYS)):
            trace.failed(f"the answer was withheld: {_WITHHELD}", choice)
        elif message.value:
            read_chat_message(message, trace, role="assistant")
        elif choice.text("text"):
            trace.message("assistant", choice.text("text"), choice)
        elif choice.value.keys().isdisjoint(("message", "delta", "text")):
            trace.note("not_told", "what was answered", choice.path)
        reasons = [choice.text("finish_reason")] if choice.text("finish_reason") else []
        if "finish_reason" in choice.value and not reasons:  # a stream ended before it said why
            trace.note("not_told", "the end of the answer: it has no `finish_reason`", choice.path)
    return reasons


def _read_either(item: Part, trace: TraceBuilder) -> None:
    """A message, or an item that stands among messages."""
    if item.value.get("type") in (None, "message") or "content" in item.value:
        read_chat_message(item, trace)
    else:
        read_item(item, trace)
