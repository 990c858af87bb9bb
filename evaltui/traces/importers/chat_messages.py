"""Messages as in OpenAI's chat completions, a form that many other programs write too."""

from evaltui.core.json_value import Json
from evaltui.traces.importers.calls_beside import (
    read_beside,
    says_beside,
    with_parts_inside,
)
from evaltui.traces.importers.content_parts import (
    TOOL_FAILED,
    CallPart,
    call_in,
    read_tool_part,
    result_in,
    result_text,
    without_thoughts,
)
from evaltui.traces.importers.otlp_values import json_value
from evaltui.traces.importers.part import Part
from evaltui.traces.importers.roles import actor_of
from evaltui.traces.importers.trace_builder import TraceBuilder

CALLS = ("tool_calls", "invalid_tool_calls")
"""Lists of calls; LangChain keeps those apart whose arguments are not JSON."""
SAYS = ("content", "refusal", "audio", *CALLS, "function_call")
"""Keys of all that a message can say."""


def read_chat_message(said: Part, trace: TraceBuilder, *, role: str = "") -> None:
    """One message: what it says, the calls it makes, or the result that it is."""
    since = len(trace.events)
    read_said(said, trace, said.text("role") or role)
    trace.mark_own(said, since)


def lists_calls(said: Part) -> bool:
    """Whether it has calls beside its content."""
    return any(said.value.get(key) for key in (*CALLS, "function_call"))


def _listing(said: Part) -> Part:
    """What has its listed calls; LangChain also keeps them as the provider told them."""
    return said if lists_calls(said) else said.part("additional_kwargs")


def read_said(said: Part, trace: TraceBuilder, role: str) -> None:
    """As `read_chat_message`, without what was used for it."""
    said = with_parts_inside(said)
    makes_calls = lists_calls(_listing(said)) or says_beside(said)
    says_something = (
        not said.value.keys().isdisjoint(("content", "refusal", "audio"))
        or makes_calls
        or said.error
    )
    if role and not says_something:
        trace.note("not_told", f"what a message of `{role[:40]}` says", said.path)
    if said.value.get("images"):
        trace.note("dropped_content", "not text: images", said.path)
    if actor_of(role) != "tool" and read_beside(said, trace, role):
        _read_calls(said, trace)
        return
    content = without_thoughts(said.first("content", "refusal"))
    if isinstance(content, dict) and _holds_tools([content]):
        content = [content]
    if isinstance(content, list) and _holds_tools(content):
        _read_content(role, content, said, trace)
        _read_calls(said, trace)
        return
    if actor_of(role) == "tool":
        failed = said.text("status") == "error" or said.value.get("tool_call_error") is True
        trace.result(
            result_text(said.value.get("content")),
            said,
            tool=said.text("name", "tool_name"),
            call_id=said.text("tool_call_id", "call_id"),
            error=TOOL_FAILED if failed else None,
        )
        return
    if content in (None, "") and (spoken := said.part("audio").value):
        content = [{"type": "audio", **spoken}]
    if not role and content is None and not makes_calls and not said.error:
        trace.note("dropped_item", "a message without role and content", said.path)
        return
    if content not in (None, "", []) or not makes_calls:
        trace.says(role, content, said)
    _read_calls(said, trace)


def _read_calls(said: Part, trace: TraceBuilder) -> None:
    said = _listing(said)
    for key in CALLS:
        for call in trace.parts(said, key):
            read_chat_call(call, trace)
    if said.value.get("function_call"):
        read_chat_call(said.part("function_call"), trace)


def read_chat_call(call: Part, trace: TraceBuilder) -> None:
    """`{"id", "function": {"name", "arguments"}}`, or name and arguments without `function`."""
    made = _listed_call(call)
    trace.call(made.tool, made.arguments, call, made.call_id)


def _read_content(role: str, content: list[Json], said: Part, trace: TraceBuilder) -> None:
    """Texts that follow each other are one message; calls and results stand where they stood."""
    listed = [_listed_call(call) for key in CALLS for call in trace.parts(_listing(said), key)]
    pending: list[Json] = []
    for at, one in enumerate(content):
        part = said.inner(one, "content", at) if isinstance(one, dict) else Part({})
        call = call_in(part)
        if call is None and result_in(part) is None:
            pending.append(one)
            continue
        if pending:
            trace.says(role, [*pending], said)
            pending.clear()
        if call is None or not _is_listed(call, listed):
            read_tool_part(part, trace)
    if pending:
        trace.says(role, pending, said)


def _listed_call(call: Part) -> CallPart:
    inner = call.part("function", "custom")
    made = inner if inner.value else call
    arguments = made.first("arguments", "args", "input")
    return CallPart(made.text("name", "tool"), arguments, call.text("id", "call_id"))


def _is_listed(call: CallPart, listed: list[CallPart]) -> bool:
    """Whether it is also one of the listed calls: by their ids, and where one has none by what was
    called with what, each of them once."""
    for at, one in enumerate(listed):
        have_ids = bool(call.call_id and one.call_id)
        is_same = call.tool == one.tool and _plain(call.arguments) == _plain(one.arguments)
        if call.call_id == one.call_id if have_ids else is_same:
            if not have_ids:
                del listed[at]
            return True
    return False


def _plain(arguments: Json) -> Json:
    """Equal for arguments that are told as a value or as the text of one."""
    return json_value(arguments) or None


def _holds_tools(content: list[Json]) -> bool:
    parts = [Part(one) for one in content if isinstance(one, dict)]
    return any(call_in(one) is not None or result_in(one) is not None for one in parts)
