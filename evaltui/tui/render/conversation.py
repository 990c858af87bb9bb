"""The conversation, message by message."""

from evaltui.core.case import Case
from evaltui.core.made_messages import made_messages
from evaltui.core.measured_number import dollars
from evaltui.core.response import AgentResponse, Message, ToolCall
from evaltui.tui.render.text_builder import TextBuilder
from evaltui.tui.render.values import inline, paint_json, pretty
from evaltui.tui.render.words import count, duration, duration_of, tokens

MOST = 400
"""Messages that are shown before somebody asks for more."""
_VARIABLES = {"user": "code-key", "assistant": "case-passed", "tool": "code-number"}


def write_conversation(builder: TextBuilder, case: Case, response: AgentResponse) -> None:
    """What was said in order; an agent that reports no messages shows question and answer."""
    messages = response.messages or (Message("user", case.message), *made_messages(response))
    if not response.messages:
        builder.write(
            ("the agent reports no messages: question, calls and final answer", "quiet"), hang=2
        )
    shown = builder.shown("messages", MOST)
    for index, message in enumerate(messages[:shown]):
        write_message(builder, message, index)
    builder.more("messages", len(messages) - shown, "message", MOST)
    final = messages[-1]
    if final.role != "assistant" or final.content != response.text:
        builder.heading("final response")
        _write_text(builder, response.text, "final")
    write_summary(builder, response, duration_of(case, response.duration_ms))


def write_question(builder: TextBuilder, case: Case) -> None:
    """What is asked, while there is no answer."""
    write_message(builder, Message("user", case.message), 0)


def write_live(builder: TextBuilder, case: Case, text: str, calls: list[ToolCall]) -> None:
    """What is known so far of a case that runs."""
    write_question(builder, case)
    write_message(builder, Message("assistant", text, tuple(calls)), 1, is_live=True)


def write_stubs(builder: TextBuilder, case: Case) -> None:
    """What the tools would answer; folded unless asked for."""
    if case.stubs is None:
        builder.write(("no stubs in this case", "quiet"))
        return
    is_open, triangle = builder.opens("stubs")
    names = ", ".join(case.stubs) or "none: every call fails `noToolErrors`"
    builder.write(
        (f"{triangle} stubs: {names}", "quiet"),
        hang=2,
        fold="stubs",
        pages=int(is_open),
        copy=lambda: pretty(case.stubs),
    )
    if is_open:
        builder.long(pretty(case.stubs), "stubs", indent=2, paint=paint_json)


def write_message(
    builder: TextBuilder,
    message: Message,
    index: int,
    *,
    is_live: bool = False,
    has_calls: bool = True,
) -> None:
    """Who said what; without `has_calls` the tools that it called stand elsewhere."""
    name = f"message:{index}"
    is_open, triangle = builder.opens(name, message.role != "system")
    builder.blank()
    who = f"{message.role} {message.name}".rstrip()
    size = "" if is_open else f"  {len(message.content):,} characters"
    live = "  writing now" if is_live else ""
    variable = _VARIABLES.get(message.role, "quiet")
    builder.write(
        (f"{triangle} {who}", builder.look.style(variable, bold=True)),
        (size + live, "quiet"),
        fold=name,
        pages=int(is_open),
        copy=lambda: message.content,
    )
    if not is_open:
        return
    if message.content or not message.tool_calls:
        _write_text(builder, message.content, name)
    arrow = builder.look.symbols.arrow
    for number, call in enumerate(message.tool_calls if has_calls else ()):
        params = "params not reported" if call.params is None else inline(call.params)
        builder.long(
            params,
            f"{name}:call:{number}",
            before=((f"{arrow} calls {call.name} ", "strong"),),
            paint=paint_json,
            indent=2,
            hang=2,
        )


def _write_text(builder: TextBuilder, text: str, name: str) -> None:
    if text.strip():
        builder.long(text, name, indent=2, glimpse=4_000)
    else:
        builder.write(("(empty)" if not text else "(white space only)", "quiet"), indent=2)


def write_summary(builder: TextBuilder, response: AgentResponse, time: str) -> None:
    """What the answer took; an empty `time` where nobody told it."""
    builder.blank()
    builder.write((_summary(response, time), "quiet"), hang=2)


def _summary(response: AgentResponse, time: str) -> str:
    said = [response.source, count(response.turns, "model call"), *filter(None, [time])]
    if response.first_token_ms is not None:
        said.append(f"first token {duration(response.first_token_ms)}")
    if response.queued_ms:
        said.append(f"queued {duration(response.queued_ms)}")
    if response.retries:
        said.append(count(response.retries, "retry", "retries"))
    usage = response.usage
    if usage is not None:
        said += filter(None, [tokens(usage)])
        said.append("no price known" if usage.cost_usd is None else dollars(usage.cost_usd))
    return " · ".join(said)
