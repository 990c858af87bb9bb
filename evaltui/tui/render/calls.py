"""Tool calls as a tree: parameters, result, success and duration, each foldable."""

from collections.abc import Sequence

from evaltui.core.json_value import Json
from evaltui.core.response import AgentResponse, Execution, ToolCall
from evaltui.expectations.param_diff import flatten
from evaltui.tui.render.glyphs import FAILED, PASSED, UNKNOWN, Mark
from evaltui.tui.render.text_builder import Part, TextBuilder, cells
from evaltui.tui.render.values import inline, paint_json, pretty
from evaltui.tui.render.words import count, duration

MOST = 200
"""Calls that are shown before somebody asks for more."""
_EXECUTIONS = {
    Execution.ROUTING: "tools were chosen, not executed",
    Execution.STUBS: "played with the case's stubs, not executed",
    Execution.REAL: "executed by the agent",
}


def write_calls(
    builder: TextBuilder, calls: Sequence[ToolCall], response: AgentResponse | None
) -> None:
    """`response` is `None` while the case runs: the calls are those known so far."""
    how = f", {_EXECUTIONS[response.execution]}" if response else " so far"
    if response is not None and response.is_silent_on_calls:
        builder.write(("calls not reported", "quiet"))
        return
    if not calls:
        builder.write((f"no tool was called{'' if response else ' so far'}", "quiet"))
        return
    builder.write((f"{count(len(calls), 'call')}{how}", "quiet"))
    shown = builder.shown("calls", MOST)
    for index, call in enumerate(calls[:shown]):
        _write_call(builder, call, index)
    builder.more("calls", len(calls) - shown, "call", MOST)


def _write_call(builder: TextBuilder, call: ToolCall, index: int) -> None:
    name = f"call:{index}"
    is_open, triangle = builder.opens(name, True)
    mark = _success(call)
    took = "time not reported" if call.duration_ms is None else duration(call.duration_ms)
    title: Part = (f"{triangle} {index + 1} {call.name}", builder.look.style("strong", bold=True))
    state: tuple[Part, ...] = (
        (f"{builder.look.symbol(mark)} {mark.word}", mark.variable),
        (f"  {took}", "quiet"),
    )

    def whole() -> str:
        return pretty(_plain(call))

    is_beside = cells([title, "  ", *state]) <= builder.width
    beside = ("  ", *state) if is_beside else ()
    builder.write(title, *beside, hang=4, fold=name, pages=int(is_open), copy=whole)
    if not is_beside:  # not broken between its glyph and its word
        builder.write(*state, indent=4, copy=whole)
    if not is_open:
        return
    if call.error:
        builder.long(call.error, f"{name}:error", before=(("error ", "case-failed"),), indent=4)
    _write_params(builder, call, name)
    _write_result(builder, call.result, name)


def _write_params(builder: TextBuilder, call: ToolCall, name: str) -> None:
    if call.params is None:
        builder.write(("params not reported", "case-stale"), indent=4)
        return
    if not call.params:
        builder.write(("params {}", "quiet"), indent=4)
        return
    is_open, triangle = builder.opens(f"{name}:params", True)
    title = f"{triangle} params"
    if not is_open:
        title += f" {count(len(call.params), 'parameter')}"
    params = call.params
    builder.write(
        (title, "quiet"),
        indent=4,
        fold=f"{name}:params",
        pages=int(is_open),
        copy=lambda: pretty(params),
    )
    if is_open:
        for path, value in flatten(params):
            builder.long(
                inline(value),
                f"{name}:param:{path}",
                before=((f"{path}: ", "code-key"),),
                paint=paint_json,
                indent=6,
                hang=2,
            )


def _write_result(builder: TextBuilder, result: Json, name: str) -> None:
    if result is None:
        builder.write(("result not reported", "quiet"), indent=4)
        return
    text = result if isinstance(result, str) else pretty(result)
    is_short = len(text) <= 400 and text.count("\n") < 10
    is_open, triangle = builder.opens(f"{name}:result", is_short)
    title = f"{triangle} result" + ("" if is_open else f" {len(text):,} characters")
    builder.write(
        (title, "quiet"),
        indent=4,
        fold=f"{name}:result",
        pages=int(is_open),
        copy=lambda: text,
    )
    if is_open:
        paint = None if isinstance(result, str) else paint_json
        builder.long(text, f"{name}:result", indent=6, paint=paint)


def _success(call: ToolCall) -> Mark:
    if call.success is None:
        return Mark(UNKNOWN.glyph, UNKNOWN.plain, "success not reported", "quiet")
    return _OK if call.success else FAILED


def _plain(call: ToolCall) -> dict[str, Json]:
    return {
        "name": call.name,
        "params": call.params,
        "success": call.success,
        "durationMs": call.duration_ms,
        "result": call.result,
        **({"error": call.error} if call.error else {}),
    }


_OK = Mark(PASSED.glyph, PASSED.plain, "succeeded", PASSED.variable)
