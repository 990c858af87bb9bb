"""Calls and results that stand as parts of a content, in the words of several SDKs."""

from collections.abc import Sequence

from msgspec import Struct

from evaltui.agents.told_calls import CALL_BLOCKS, is_result_block
from evaltui.core.json_value import Json
from evaltui.traces.importers.part import Part, texts, words
from evaltui.traces.importers.trace_builder import TraceBuilder

TOOL_FAILED = "the tool reported an error"
"""The error of a result that says no more than that there was one."""
_LANGCHAIN = frozenset({"tool_call", "server_tool_call", "function_call"})
_DENIED = "the call was denied"


class CallPart(Struct, frozen=True):
    tool: str
    arguments: Json
    call_id: str


class ResultPart(Struct, frozen=True):
    tool: str
    output: Json
    call_id: str
    error: str | None


def call_in(part: Part) -> CallPart | None:
    """The call that a part is: of Anthropic's messages, LangChain, Vercel's AI SDK or Bedrock's
    Converse; `None` for anything else."""
    if part.text("type") in CALL_BLOCKS:
        return CallPart(part.text("name"), part.value.get("input"), part.text("id"))
    if part.text("type") == "tool-call":
        arguments = part.first("input", "args")
        return CallPart(part.text("toolName"), arguments, part.text("toolCallId"))
    if part.text("type") in _LANGCHAIN:
        arguments = part.first("args", "arguments")
        return CallPart(part.text("name"), arguments, part.text("call_id", "id"))
    if (used := part.part("toolUse")).value:
        return CallPart(used.text("name"), used.value.get("input"), used.text("toolUseId"))
    return None


def result_in(part: Part) -> ResultPart | None:
    """Likewise of a result."""
    if is_result_block(part.text("type")):
        content, call_id = part.first("content", "output"), part.text("tool_use_id", "tool_call_id")
        is_marked = part.value.get("is_error") is True or part.text("status") == "error"
        failed = is_marked or _is_error(content)
        return _result(part.text("name"), result_text(content), call_id, failed)
    if part.text("type") == "tool-result":
        output, error = _vercel_output(part)
        return ResultPart(part.text("toolName"), output, part.text("toolCallId"), error)
    if (given := part.part("toolResult")).value:
        failed = given.text("status") == "error"
        return _result("", _bedrock_output(given), given.text("toolUseId"), failed)
    return None


_LEFT_OUT = words(
    """
    reasoning redacted-reasoning thinking redacted_thinking tool-approval-request
    tool-approval-response
    """
)


def without_thoughts(content: Json) -> Json:
    """A content without its parts that are thoughts or approvals of calls."""
    if not isinstance(content, list):
        return content
    parts = [(one, Part(one) if isinstance(one, dict) else Part({})) for one in content]
    return [
        one
        for one, part in parts
        if part.text("type") not in _LEFT_OUT and not part.part("reasoningContent").value
    ]


def read_tool_part(part: Part, trace: TraceBuilder) -> bool:
    """Tell the trace of a call or a result; whether it was one."""
    if (call := call_in(part)) is not None:
        trace.call(call.tool, call.arguments, part, call.call_id)
    elif (result := result_in(part)) is not None:
        trace.result(
            result.output, part, tool=result.tool, call_id=result.call_id, error=result.error
        )
    else:
        return False
    return True


def result_text(content: Json) -> Json:
    """What a tool gave back: the text of a list of nothing but texts, else the value itself."""
    if isinstance(content, Sequence) and not isinstance(content, str):
        text, others = texts(content)
        return content if others or text is None else text
    return content


def _result(tool: str, output: Json, call_id: str, failed: bool) -> ResultPart:
    why = output if isinstance(output, str) and output else TOOL_FAILED
    return ResultPart(tool, output, call_id, why if failed else None)


def _is_error(content: Json) -> bool:
    """Anthropic's own tools say it by the type of what they give back."""
    return isinstance(content, dict) and str(content.get("type", "")).endswith("_error")


def _vercel_output(part: Part) -> tuple[Json, str | None]:
    """`{"type", "value"}`; before version 5 `result` and `isError`."""
    told = part.part("output")
    if not told.text("type"):
        output = part.first("output", "result")
        return output, _result("", output, "", part.value.get("isError") is True).error
    kind, output = told.text("type"), result_text(told.value.get("value"))
    if kind == "execution-denied":
        return None, told.text("reason") or _DENIED
    return output, _result("", output, "", kind.startswith("error-")).error


def _bedrock_output(given: Part) -> Json:
    content = given.value.get("content")
    if isinstance(content, list) and len(content) == 1 and isinstance(content[0], dict):
        return content[0]["json"] if "json" in content[0] else result_text(content)
    return result_text(content)
