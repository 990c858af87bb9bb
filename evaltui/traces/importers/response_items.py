"""Items as OpenAI's Responses API has them, in its input and output."""

from evaltui.core.json_value import Json
from evaltui.traces.importers.chat_messages import read_chat_message
from evaltui.traces.importers.content_parts import result_text
from evaltui.traces.importers.otlp_values import json_value
from evaltui.traces.importers.part import Part, words
from evaltui.traces.importers.trace_builder import TraceBuilder

_CALLS = frozenset({"function_call", "tool_call", "custom_tool_call", "mcp_call"})
_RESULTS = frozenset({"function_call_output", "tool_result", "custom_tool_call_output"})
_LEFT_OUT = words(
    """
    reasoning item_reference mcp_list_tools compaction additional_tools mcp_approval_request
    mcp_approval_response
    """
)
"""They say nothing of what the agent did."""
_ANSWERED_LATER = words(
    "computer_call local_shell_call shell_call apply_patch_call tool_search_call"
)
"""Calls of OpenAI's own tools whose results are items of their own."""
_BUILT_IN = "_call"
"""How the types of OpenAI's own tools end, e.g. `web_search_call`."""


def is_item(kind: str) -> bool:
    """Whether it is the type of an item other than a message."""
    known = kind in _CALLS | _RESULTS | _LEFT_OUT | _ANSWERED_LATER
    return known or kind.endswith((_BUILT_IN, f"{_BUILT_IN}_output"))


def read_item(item: Part, trace: TraceBuilder, *, role: str = "assistant") -> None:
    """One item; a message without a role is the agent's."""
    kind = item.text("type")
    if kind in _CALLS:
        name = item.text("name", "tool")
        call_id = item.text("call_id", "id")
        answer = item.value.get("output")
        is_answered = kind == "mcp_call" and (item.error is not None or answer is not None)
        made = item.without("error") if is_answered else item
        trace.call(name, item.first("arguments", "input"), made, call_id)
        if name and is_answered:
            # The second event of one item has an id of its own.
            trace.result(answer, item.without("span_id"), call_id=call_id)
    elif kind in _RESULTS:
        trace.result(
            result_text(item.first("output", "content")),
            item,
            tool=item.text("name", "tool"),
            call_id=item.text("call_id", "tool_call_id"),
        )
    elif kind == "message" or item.value.get("role") is not None:
        read_chat_message(item, trace, role=role)
    elif kind in _ANSWERED_LATER:
        call_id = item.text("call_id", "id")
        trace.call(kind.removesuffix(_BUILT_IN), _arguments(item), item, call_id)
    elif f"{kind.removesuffix('_output').removesuffix(_BUILT_IN)}{_BUILT_IN}" in _ANSWERED_LATER:
        call_id = item.text("call_id", "id")
        answer = item.first("output", "tools")
        trace.result(
            answer,
            item,
            tool=kind.removesuffix("_output").removesuffix(_BUILT_IN),
            call_id=call_id if trace.calls.is_open(call_id) else "",
            error=item.error or _ended_badly(item) or _failed_command(answer),
        )
    elif kind.endswith(_BUILT_IN):
        _read_built_in(kind.removesuffix(_BUILT_IN), item, trace)
    elif kind in ("text", "output_text"):
        trace.says(role, [item.value], item)
    elif kind not in _LEFT_OUT:
        trace.note("dropped_item", f"an item of type `{kind or 'none'}`", item.path)


def _read_built_in(tool: str, item: Part, trace: TraceBuilder) -> None:
    """A tool of OpenAI's own: one item is its call and its result."""
    call_id = item.text("id", "call_id")
    trace.call(tool, _arguments(item), item.without("error"), call_id)
    trace.result(
        item.first("results", "outputs", "result", "output", "status"),
        item.without("span_id"),
        call_id=call_id,
        error=item.error or _ended_badly(item),
    )


def _ended_badly(item: Part) -> str | None:
    status = item.text("status")
    return f"the tool ended {status}" if status in ("failed", "incomplete") else None


def _failed_command(answer: Json) -> str | None:
    """How the first command of a shell that failed ended; some tell it as JSON in a text."""
    told = json_value(answer)
    for one in told if isinstance(told, list) else [told]:
        said = Part(one) if isinstance(one, dict) else Part({})
        outcome = said.part("outcome", "metadata")
        if outcome.text("type") == "timeout":
            return "a command took too long"
        code = outcome.first("exit_code")
        code = said.value.get("exit_code") if code is None else code
        if isinstance(code, int) and code != 0:
            return f"a command ended with exit code {code}"
    return None


def _arguments(item: Part) -> Json:
    if prompt := item.text("revised_prompt"):
        return {"revised_prompt": prompt}
    return item.first("action", "queries", "code", "input", "operation", "arguments")
