"""Messages as in OpenAI's chat completions, a form that many other programs write too."""

from collections.abc import Sequence

from evaltui.core.json_value import Json
from evaltui.traces.importers.part import Part, texts
from evaltui.traces.importers.trace_builder import TraceBuilder, actor_of

TOOL_FAILED = "the tool reported an error"
"""The error of a result that says no more than that there was one."""
CALLS = ("tool_calls", "invalid_tool_calls")
"""Lists of calls; LangChain keeps those apart whose arguments are not JSON."""
SAYS = ("content", "refusal", "audio", *CALLS, "function_call")
"""Keys of all that a message can say."""


def read_chat_message(said: Part, trace: TraceBuilder, *, role: str = "") -> None:
    """One message: what it says, the calls it makes, or the result that it is."""
    role = said.text("role") or role
    makes_calls = any(said.value.get(key) for key in (*CALLS, "function_call"))
    says_something = (
        not said.value.keys().isdisjoint(("content", "refusal", "audio"))
        or makes_calls
        or said.error
    )
    if role and not says_something:
        trace.note("not_told", f"what a message of `{role[:40]}` says", said.path)
    if actor_of(role) == "tool":
        trace.result(
            result_text(said.value.get("content")),
            said,
            tool=said.text("name", "tool_name"),
            call_id=said.text("tool_call_id", "call_id"),
            error=TOOL_FAILED if said.text("status") == "error" else None,
        )
        return
    content = said.first("content", "refusal")
    if content in (None, "") and (spoken := said.part("audio").value):
        content = [{"type": "audio", **spoken}]
    if not role and content is None and not makes_calls and not said.error:
        trace.note("dropped_item", "a message without role and content", said.path)
        return
    if content not in (None, "", []) or not makes_calls:
        trace.says(role, content, said)
    for key in CALLS:
        for call in trace.parts(said, key):
            read_chat_call(call, trace)
    if said.value.get("function_call"):
        read_chat_call(said.part("function_call"), trace)
    trace.mark_own(said)


def read_chat_call(call: Part, trace: TraceBuilder) -> None:
    """`{"id", "function": {"name", "arguments"}}`, or name and arguments without `function`."""
    made = call.part("function", "custom") if call.part("function", "custom").value else call
    trace.call(
        made.text("name", "tool"),
        made.first("arguments", "args", "input"),
        call,
        call.text("id", "call_id"),
    )


def result_text(content: Json) -> Json:
    """What a tool gave back: the text of a list of nothing but texts, else the value itself."""
    if isinstance(content, Sequence) and not isinstance(content, str):
        text, others = texts(content)
        return content if others or text is None else text
    return content
