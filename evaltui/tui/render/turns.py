"""A conversation turn by turn: what was said, what was called, and what was said of each turn."""

from collections.abc import Sequence

from evaltui.core.measured_number import dollars
from evaltui.core.response import AgentResponse, Message, ToolCall, Turn, calls_in
from evaltui.tui.render.conversation import write_message, write_summary
from evaltui.tui.render.text_builder import Part, TextBuilder
from evaltui.tui.render.values import inline, paint_json, pretty
from evaltui.tui.render.verdict_table import write_verdict_tables
from evaltui.tui.render.words import duration, tokens


def write_turns(builder: TextBuilder, response: AgentResponse) -> None:
    """Each turn with its verdicts below it; calls are folded."""
    shown, turns = 0, response.conversation
    for number, turn in enumerate(turns, 1):
        for index in range(shown, turn.first):
            write_message(builder, response.messages[index], index)
        _write_head(builder, number, len(turns), turn)
        answered = _answered_calls(response.messages[turn.first : turn.end])
        for index in range(turn.first, min(turn.end, len(response.messages))):
            message = response.messages[index]
            if message.role == "tool" and message.tool_call_id in answered:
                continue  # stands with its call
            write_message(builder, message, index, has_calls=False)
            for at, call in enumerate(message.tool_calls):
                _write_call(builder, call, f"message:{index}:call:{at}")
        write_verdict_tables(builder, turn.verdicts, within=f"turn:{number}:")
        shown = turn.end
    if response.notes:
        builder.blank()
    for note in response.notes:  # in full: the head cuts them where there is no room
        builder.write((note, "case-stale"), hang=2)
    write_summary(builder, response, duration(response.duration_ms))


def _answered_calls(messages: Sequence[Message]) -> set[str]:
    """Ids of calls that say what came of them."""
    calls = calls_in(messages)
    return {one.id for one in calls if one.result is not None or one.error}


def _write_head(builder: TextBuilder, number: int, of: int, turn: Turn) -> None:
    said = [duration(turn.duration_ms)]
    if turn.usage is not None and (told := tokens(turn.usage)):
        said.append(told)
    if turn.played_usd is not None:
        said.append(f"simulated user {dollars(turn.played_usd)}")
    if any(verdict.gates for verdict in turn.verdicts):
        said.append("ended it")
    elif turn.is_final:
        said.append("the last")
    builder.blank()
    builder.write(
        (f"turn {number} of {of}", builder.look.style("strong", bold=True)),
        (f"  {' · '.join(said)}", "quiet"),
    )


def _write_call(builder: TextBuilder, call: ToolCall, name: str) -> None:
    """Folded: name and parameters in one line; open: input and output."""
    is_open, triangle = builder.opens(name)
    parts: list[Part] = [(f"{triangle} calls {call.name}", "strong")]
    if call.success is False:
        parts.append(("  failed", "case-failed"))
    builder.write(
        *parts, indent=2, hang=2, fold=name, pages=int(is_open), copy=lambda: pretty(call.params)
    )
    if not is_open:
        return
    given = "not reported" if call.params is None else inline(call.params)
    before: tuple[Part, ...] = (("input  ", "quiet"),)
    builder.long(given, f"{name}:in", before=before, paint=paint_json, indent=4, hang=7)
    outcome = call.error if call.result is None else inline(call.result)
    before = (("output ", "quiet"),)
    builder.long(
        outcome or "not reported", f"{name}:out", before=before, paint=paint_json, indent=4, hang=7
    )
