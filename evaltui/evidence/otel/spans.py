"""The trace of one case as spans, by OpenTelemetry's conventions for generative AI."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from msgspec import Struct
from msgspec.structs import replace

from evaltui.core.json_value import Json, JsonObject
from evaltui.core.trace import CALL_ID
from evaltui.core.trace_times import latencies_ms, latency_of
from evaltui.evidence.otel.pack_events import LAST, UNKNOWN, Step
from evaltui.evidence.otel.turns import ModelTurn, ToolRun, message_of, text_of, turns
from evaltui.traces.importers.otlp_values import ESTIMATED, LATENCY_UNKNOWN, result_text
from evaltui.traces.importers.usage import with_more
from evaltui.traces.measured import USAGE, in_current_words
from evaltui.traces.migration import hex_id

INTERNAL, CLIENT = 1, 3
"""Kinds of spans, by their number in the protocol."""
_REPLACED = ("gen_ai.system", "gen_ai.operation.name", "gen_ai.tool.name", CALL_ID)
"""Attributes of events that current words, or what kind of span it is, take the place of."""


class Span(Struct, frozen=True):
    trace_id: str
    span_id: str
    name: str
    start: datetime
    end: datetime
    attributes: JsonObject
    """`None` is not said."""
    parent: str = ""
    kind: int = INTERNAL
    error: str | None = None


def spans_of(config: JsonObject, case: Sequence[Step], used: JsonObject) -> list[Span]:
    """One for the agent, and below it one for each answer of a model and each tool that ran.

    `used`: tokens and cost that the case tells beside its events.
    """
    first = case[0].row
    root = hex_id(16, first.run_id, first.case_id, "agent")
    happened = [*turns(case)]
    agent = _agent_span(config, case, root)
    if not any(isinstance(turn, ModelTurn) for turn in happened):
        # Nobody answered: what was asked is told by the agent's own span.
        asked = [message_of(step) for step in case if step.row.type != "tool_result"]
        attributes = {**agent.attributes, "gen_ai.input.messages": text_of(asked)}
        agent = replace(agent, attributes=attributes)
    inner = (
        _chat_span(config, turn, root) if isinstance(turn, ModelTurn) else _tool_span(turn, root)
        for turn in happened
    )
    return _with_usage([agent, *inner], used)


def _with_usage(spans: list[Span], used: JsonObject) -> list[Span]:
    """Told by the agent's span. Where spans of models tell tokens or cost of their own, these are
    taken for all that there are, so that the last such span tells the rest too."""
    found = [*spans]
    for name, amount in used.items():
        telling = [
            at
            for at, one in enumerate(found)
            if one.kind == CLIENT and one.attributes.get(name) is not None
        ]
        at = telling[-1] if telling else 0
        more = with_more(found[at].attributes, {name: amount})
        found[at] = replace(found[at], attributes=more)
    return found


def _agent_span(config: JsonObject, case: Sequence[Step], root: str) -> Span:
    row = case[0].row
    failed = [one.row.error for one in case if one.row.error and one.row.actor != "tool"]
    name = str(config.get("agent_version") or UNKNOWN)
    attributes: dict[str, Json] = {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.provider.name": case[0].system,
        "gen_ai.agent.name": name,
        "gen_ai.request.model": _model(config),
        "evaltui.case_id": row.case_id,
        "evaltui.run_id": row.run_id,
        "evaltui.dataset_id": row.dataset_id,
        **_time_marks(case, is_estimated=any(one.is_estimated for one in case)),
    }
    begin, end = min(one.start for one in case), max(one.end for one in case)
    return _span(case[0], root, f"invoke_agent {name}", begin, end, attributes, failed[-1:])


def _chat_span(config: JsonObject, turn: ModelTurn, root: str) -> Span:
    first = turn.steps[0]
    own = _merged([one.row.attributes for one in turn.steps])
    model = own.get("gen_ai.request.model") or own.get("gen_ai.response.model") or _model(config)
    attributes: dict[str, Json] = {
        **own,
        **_time_marks(turn.steps, is_estimated=first.is_estimated),
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": first.system,
        "gen_ai.request.model": model,
        "gen_ai.input.messages": text_of(turn.asked) if turn.asked else None,
        "gen_ai.output.messages": text_of([turn.answer]) if turn.answer["parts"] else None,
    }
    end = _end_of(turn)
    errors = [one.row.error for one in turn.steps if one.row.error]
    name = f"chat {model}" if model else "chat"
    span = _span(first, first.span_id, name, first.start, end, attributes, errors)
    return replace(span, parent=root, kind=CLIENT)


def _end_of(turn: ModelTurn) -> datetime:
    """As long after its start as its events say that they took: their own times may be those of
    their writing. Where none says it, when the last of them was."""
    took = latencies_ms(one.row for one in turn.steps)
    if not took:
        return max(one.end for one in turn.steps)
    return min(turn.steps[0].start + timedelta(milliseconds=sum(took)), LAST)


def _tool_span(run: ToolRun, root: str) -> Span:
    row = run.result.row
    attributes: dict[str, Json] = {
        **_merged([row.attributes]),  # those of the call are told by the model that made it
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.provider.name": run.result.system,
        "gen_ai.tool.name": row.tool,
        CALL_ID: run.call_id,
        "gen_ai.tool.call.arguments": text_of(run.call.row.input) if run.call else None,
        "gen_ai.tool.call.result": _result(row.output),
        **_time_marks([run.result], is_estimated=run.result.is_estimated),
    }
    name = f"execute_tool {row.tool}" if row.tool else "execute_tool"
    step = run.result
    errors = [row.error] if row.error else []
    span = _span(step, step.span_id, name, step.start, step.end, attributes, errors)
    return replace(span, parent=root)


def _time_marks(steps: Sequence[Step], *, is_estimated: bool) -> dict[str, Json]:
    """What of the times of a span, which it has to have, nobody told."""
    is_known = any(latency_of(one.row) is not None for one in steps)
    return {ESTIMATED: True if is_estimated else None, LATENCY_UNKNOWN: None if is_known else True}


def _result(output: Json) -> Json:
    """Numbers and truths as they are, and texts so that they cannot be taken for something else."""
    if isinstance(output, str):
        return result_text(output)
    return output if output is None or isinstance(output, int | float) else text_of(output)


def _span(
    step: Step,
    span_id: str,
    name: str,
    start: datetime,
    end: datetime,
    attributes: JsonObject,
    errors: Sequence[str | None],
) -> Span:
    if errors:
        attributes = {**attributes, "error.type": attributes.get("error.type") or "_OTHER"}
    error = errors[-1] if errors else None
    return Span(step.trace_id, span_id, name, start, end, attributes, error=error)


def _model(config: JsonObject) -> str | None:
    found = config.get("model")
    return found if isinstance(found, str) and found not in ("", UNKNOWN) else None


def _merged(all_said: Sequence[JsonObject]) -> dict[str, Json]:
    """Attributes of several events; tokens and costs are added up."""
    found: dict[str, Json] = {}
    for said in all_said:
        for key, value in in_current_words(said).items():
            before = found.get(key)
            is_sum = key.startswith((USAGE, "usage."))
            if is_sum and isinstance(before, int | float) and isinstance(value, int | float):
                found[key] = before + value
            elif key not in _REPLACED and before is None:
                found[key] = value
    return found
