"""Whether the numbers in an answer come from somewhere."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from decimal import Decimal
from sys import float_info
from typing import Any

from evaltui.evaluators.built_in.define_built_in import define_built_in
from evaltui.evaluators.built_in.written_numbers import (
    EXACT,
    WrittenNumber,
    exact_number,
    written_numbers,
)
from evaltui.evaluators.kit.evaltui import (
    EvaluationResult,
    EvaluatorContext,
    failed,
    message_text,
    passed,
    skipped,
)


@define_built_in(
    "numbers-from-tools",
    label="Numbers From Tools",
    config_schema={
        "type": "object",
        "properties": {
            "tolerance": {
                "type": "number",
                "minimum": 0,
                "default": 0,
                "description": "how far off a number may be, besides rounding to its last digit",
            },
            "ignore": {
                "type": "array",
                "items": {"type": "number"},
                "description": "numbers that may come from anywhere",
            },
            "fromUser": {
                "type": "boolean",
                "default": True,
                "description": "whether numbers that the user said are allowed too",
            },
        },
        "additionalProperties": False,
    },
)
def numbers_from_tools(ctx: EvaluatorContext) -> EvaluationResult:
    """Every number in the answer comes from a tool's result or arguments, or from the user."""
    said = [*written_numbers(ctx.last_response)]
    if not said:
        return skipped("There is no number in the answer")
    sources = (*_numbers_in(ctx.config.get("ignore", ())), *_known(ctx))
    known = {each: _lost(each) for each in sources}
    tolerance = Decimal(str(ctx.config["tolerance"]))
    invented = [one.text for one in said if not _is_known(one, known, tolerance)]
    if not invented:
        return passed(f"{len(said)} number(s), all from tools or the user")
    listed = ", ".join(dict.fromkeys(invented))
    if unknown := _unknown(ctx):
        return skipped(f"{unknown}, so nobody knows whether these are from one: {listed}")
    shown = [str(each) for each in sorted(known)[:50]]
    return failed(f"not from any tool: {listed}", invented=invented, known=shown)


def _is_known(one: WrittenNumber, known: Mapping[Decimal, Decimal], tolerance: Decimal) -> bool:
    """`known`: each with what it may have lost."""
    for value, step in one.readings:
        room = EXACT.add(tolerance, EXACT.multiply(step, _HALF))
        for each, lost in known.items():
            if EXACT.abs(EXACT.subtract(value, each)) <= EXACT.add(room, lost):
                return True
    return False


def _lost(known: Decimal) -> Decimal:
    """What a number may have lost on its way here: whole ones nothing, others may be floats."""
    is_whole = not known.as_tuple().exponent
    return _NOTHING if is_whole else EXACT.multiply(EXACT.abs(known), _EPSILON)


_HALF, _NOTHING = Decimal("0.5"), Decimal(0)
_EPSILON = Decimal(float_info.epsilon)


def _known(ctx: EvaluatorContext) -> Iterator[Decimal]:
    for message in ctx.last_invocation.messages:
        for call in message.get("tool_calls") or ():
            arguments = _parsed(str((call.get("function") or {}).get("arguments")))
            if isinstance(arguments, Mapping):
                yield from _numbers_in(arguments)
    takes_user = ctx.config["fromUser"]
    for message in ctx.messages:
        role = message.get("role")
        if role == "tool":
            yield from _numbers_in(_parsed(message_text(message)))
        elif role == "user" and takes_user:
            yield from _numbers_in(message_text(message))


def _unknown(ctx: EvaluatorContext) -> str:
    """What of the tools' results the agent did not tell; empty where it told all."""
    if not ctx.last_invocation.tells_tool_calls:
        return "The agent reports no tool calls"
    called: Counter[str] = Counter()
    names: dict[str, str] = {}
    for message in ctx.messages:
        if message.get("role") == "tool":
            called[str(message.get("tool_call_id") or "")] -= 1
        for call in message.get("tool_calls") or ():
            id_ = str(call.get("id") or "")
            called[id_] += 1
            names.setdefault(id_, str((call.get("function") or {}).get("name")))
    without_result = dict.fromkeys(names[id_] for id_ in +called)
    return f"The agent told no result of {', '.join(without_result)}" if without_result else ""


def _parsed(text: str) -> Any:
    try:
        return json.loads(
            text, parse_float=exact_number, parse_int=exact_number, parse_constant=exact_number
        )
    except (ValueError, RecursionError):
        return text


def _numbers_in(value: Any) -> Iterator[Decimal]:
    if isinstance(value, Mapping):
        for item in value.values():
            yield from _numbers_in(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _numbers_in(item)
    elif isinstance(value, Decimal):
        if value.is_finite():
            yield value
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield Decimal(str(value))
    elif isinstance(value, str):
        for one in written_numbers(value):
            yield from (number for number, _ in one.readings)
