"""Calls and results that stand beside the content of a message, in keys of one SDK each."""

from evaltui.core.json_value import Json
from evaltui.traces.importers.content_parts import read_tool_part
from evaltui.traces.importers.part import Part, is_like_tool, words
from evaltui.traces.importers.trace_builder import TraceBuilder

_EXECUTED = "executed_tools"
"""Groq's, of the tools that it runs itself."""
_INVOKED = "toolInvocations"
"""Of Vercel's AI SDK and Mastra; `parts` has the same with the texts between them."""
_READ = words(
    f"tool_calls invalid_tool_calls function_call tool_call_chunks {_EXECUTED} {_INVOKED}"
)
_OFFERED = words(
    "tools functions tool_choice tool_config toolConfig tool_resources available_tools"
)
"""They say what could be called."""


def with_parts_inside(said: Part) -> Part:
    """The message with what Mastra puts into its content: `{"format", "parts", "content"}`."""
    inner = said.part("content")
    if "format" not in inner.value or not isinstance(inner.value.get("parts"), list):
        return said
    own: Json = inner.value.get("content")
    return Part({**said.value, **inner.value, "content": own}, said.path, said.outer_time)


def says_beside(said: Part) -> bool:
    """Whether it says or calls something in keys that only this module reads."""
    return bool(said.value.get(_EXECUTED) or said.value.get(_INVOKED)) or _are_shown(said)


def read_beside(said: Part, trace: TraceBuilder, role: str) -> bool:
    """Tell the trace of them, as what was before the content; of what looks like a call and is none
    of these there is a note. Returns whether the content was told too."""
    for key, value in said.value.items():
        is_known = key in _READ or key in _OFFERED
        if not is_known and value and isinstance(value, dict | list) and is_like_tool(key):
            trace.note("unread_call", f"a call or result that is not read: {key}", said.path)
    if said.value.get(_EXECUTED):
        for ran in trace.parts(said, _EXECUTED):
            _read_executed(ran, trace)
    told = set[str]()
    texts = ""
    if _are_shown(said):
        for part in trace.parts(said, "parts"):
            if (invoked := _invocation(part)) is not None:
                told.add(invoked.text("toolCallId"))
                _read_invocation(invoked, trace)
            elif part.text("type") not in _LEFT_OUT and not read_tool_part(part, trace):
                texts += part.text("text")
                trace.says(role, [part.value], part)
    if said.value.get(_INVOKED):
        for invoked in trace.parts(said, _INVOKED):
            if invoked.text("toolCallId") not in told - {""}:
                _read_invocation(invoked, trace)
    content = said.value.get("content")
    return bool(texts) and (not content or (isinstance(content, str) and _is_in(content, texts)))


_LEFT_OUT = words("step-start reasoning source source-url source-document")


def _is_in(content: str, texts: str) -> bool:
    """Whether texts are all of the content, however they are put together."""
    return "".join(content.split()) in "".join(texts.split())


def _are_shown(said: Part) -> bool:
    """Whether its parts are what a user interface shows, with calls or instead of a content."""
    listed = said.value.get("parts")
    parts = (
        [Part(one) for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []
    )
    if any(_invocation(one) is not None for one in parts):
        return True
    return not said.value.get("content") and any(
        one.text("type") == "text" and isinstance(one.value.get("text"), str) for one in parts
    )


def _invocation(part: Part) -> Part | None:
    """The call that a part shows, with its result; `None` for any other part."""
    kind = part.text("type")
    if kind == "tool-invocation":
        return part.part("toolInvocation")
    if kind == "dynamic-tool":
        return part
    if kind.startswith("tool-") and part.text("toolCallId") and "state" in part.value:
        named = {"toolName": kind.removeprefix("tool-"), **part.value}
        return Part(named, part.path, part.outer_time)
    return None


def _read_invocation(invoked: Part, trace: TraceBuilder) -> None:
    tool, call_id = invoked.text("toolName"), invoked.text("toolCallId")
    trace.call(tool, invoked.first("args", "input", "rawInput"), invoked, call_id)
    answer, error = invoked.first("result", "output"), invoked.text("errorText")
    if tool and (answer is not None or error or invoked.text("state") in _ENDED):
        given = invoked.without("span_id")
        trace.result(answer, given, tool=tool, call_id=call_id, error=error or None)


_ENDED = words("result output-available output-error")


def _read_executed(ran: Part, trace: TraceBuilder) -> None:
    tool = ran.text("name", "type")
    trace.call(tool, ran.value.get("arguments"), ran)
    answer = ran.first("output", "search_results", "code_results", "browser_results")
    if tool and answer is not None:
        trace.result(answer, ran.without("span_id"), tool=tool)
