"""The spans of OTLP's JSON: where they stand, and what each one is."""

from collections import Counter
from collections.abc import Iterator, Sequence

from evaltui.core.json_value import Json, JsonObject
from evaltui.core.key_path import KeyPath
from evaltui.traces.importers import adk_values
from evaltui.traces.importers.otlp_values import attributes_of, moment_ns
from evaltui.traces.importers.part import Part, words
from evaltui.traces.importers.span_sections import holds_messages
from evaltui.traces.importers.span_usage import usage_of
from evaltui.traces.importers.trace_builder import SYSTEM, TraceBuilder
from evaltui.traces.importers.usage import usage_attributes

OUTER = ("resourceSpans", "resource_spans")
_INNER = ("scopeSpans", "scope_spans", "instrumentationLibrarySpans")


def once_each(spans: Sequence[Part], trace: TraceBuilder) -> list[Part]:
    """The spans without those that were sent again; one that says something else then is noted."""
    found: dict[str, Part] = {}
    for at, span in enumerate(spans):
        id_ = span.text("spanId", "span_id").lower()
        is_known = bool(id_ and span.text("traceId", "trace_id"))
        kept = found.setdefault(id_ if is_known else f"without an id {at}", span)
        if kept.value != span.value:
            trace.note("dropped_item", f"another span of the id `{id_[:40]}`", span.path)
    return [*found.values()]


def without_echoes(spans: Sequence[Part]) -> list[Part]:
    """Without those that tell at most what an answer used, where a span beside it tells the answer:
    a client that has spans of its own is wrapped by an instrumentation all the same."""
    answers = [_answer(span) for span in spans]
    several = {one for one, count in Counter(answers).items() if one is not None and count > 1}
    if not several:
        return [*spans]
    pairs = [*zip(spans, answers, strict=True)]
    have_messages = [answer in several and holds_messages(span) for span, answer in pairs]
    with_messages = {one for one, is_it in zip(answers, have_messages, strict=True) if is_it}
    return [
        span
        for (span, answer), is_it in zip(pairs, have_messages, strict=True)
        if is_it or answer not in with_messages
    ]


def _answer(span: Part) -> tuple[str, str] | None:
    """The span around it and the id of the answer, where it tells one."""
    said = attributes_of(span)
    id_ = said.get("gen_ai.response.id")
    if not isinstance(id_, str) or not id_ or operation_of(said) == _TOOL:
        return None
    return span.text("parentSpanId", "parent_span_id").lower(), id_


def spans_of(document: JsonObject) -> Iterator[tuple[KeyPath, Json]]:
    """All spans with their places; a list for each thing that stands in the place of one."""
    for path, resource in _below(document, OUTER):
        if not isinstance(resource, dict):
            yield path, [resource]
            continue
        for inner, scope in _below(resource, _INNER):
            if not isinstance(scope, dict):
                yield (*path, *inner), [scope]
                continue
            for place, span in _below(scope, ("spans",)):
                yield (*path, *inner, *place), span if isinstance(span, dict) else [span]


def _below(value: JsonObject, keys: Sequence[str]) -> Iterator[tuple[KeyPath, Json]]:
    """The entries of the lists below these keys; what stands there and is no list is one."""
    for key in keys:
        found = value.get(key)
        if isinstance(found, list):
            yield from (((key, index), one) for index, one in enumerate(found))
        elif found is not None:
            yield (key,), [found]


def objects_in(value: Json) -> Iterator[tuple[int, JsonObject]]:
    for index, one in enumerate(value if isinstance(value, list) else ()):
        if isinstance(one, dict):
            yield index, one


def began_at(span: Part) -> int:
    return moment_ns(span.first("startTimeUnixNano", "start_time_unix_nano")) or 0


_AGENTS = words("invoke_agent create_agent invoke_workflow")
_TOOL, STEP = "execute_tool", "execute_task"
SILENT = words("embeddings retrieval create_memory search_memory update_memory delete_memory")
"""Operations that say nothing of what the agent said or called."""


def kinds_of(spans: Sequence[Part]) -> list[str]:
    """Of each span `chat`, `tool`, `agent`, or empty for one that is not read.

    What a span holds decides where the name of its operation is none of those that are known: it is
    an agent's where others stand in it. Without a name a span may be a model's by what it tells of
    one, as those of Google's ADK are.
    """
    outer = {span.text("parentSpanId", "parent_span_id").lower() for span in spans}
    found: list[str] = []
    for span in spans:
        said = attributes_of(span)
        operation = operation_of(said)
        is_outer = span.text("spanId", "span_id").lower() in outer
        if operation == _TOOL:
            found.append("tool")
        elif operation in _AGENTS:
            found.append("agent")
        elif operation in ("chat", "text_completion", "generate_content"):
            found.append("chat")
        elif holds_messages(span):
            found.append("agent" if is_outer and not _is_early(said) else "chat")
        elif any(key.startswith(_TOOL_CALL) for key in said):
            found.append("tool")
        else:
            found.append("" if operation or not _is_of_model(span, is_outer=is_outer) else "chat")
    return found


_TOOL_CALL = "gen_ai.tool.call."
_OF_MODELS = ("gen_ai.request.model", "gen_ai.response.model", "gen_ai.response.id")


def _is_of_model(span: Part, *, is_outer: bool) -> bool:
    """Whether a span without messages says that a model answered: it names one, or what it used;
    the latter may be a sum where others stand in it."""
    said = attributes_of(span)
    names_one = any(said.get(key) is not None for key in _OF_MODELS)
    return names_one or (not is_outer and bool(usage_attributes(usage_of(span))))


def _is_early(said: JsonObject) -> bool:
    """Whether its messages are in words of their own, from before there were operations, which only
    models use."""
    is_early = any(key.startswith(("gen_ai.prompt", "gen_ai.completion")) for key in said)
    return is_early or adk_values.has_messages(said)


def operation_of(said: JsonObject) -> str:
    """Its name, also where that is no text; empty without one."""
    found = said.get("gen_ai.operation.name")
    return "" if found is None else str(found)


def provider_of(span: Part) -> str:
    """Who answered, as the span names it; empty where it does not."""
    said = attributes_of(span)
    names = (said.get(key) for key in ("gen_ai.provider.name", SYSTEM))
    return next((one for one in names if isinstance(one, str) and one), "")


def call_id_of(said: JsonObject) -> str:
    found = said.get("gen_ai.tool.call.id")
    return found if isinstance(found, str) else ""
