"""The messages that a span of a model holds, in each form in which instrumentations write them."""

from collections.abc import Collection, Iterator
from re import fullmatch

from evaltui.core.json_value import Json, JsonObject
from evaltui.traces.importers import adk_values
from evaltui.traces.importers.otlp_values import attributes_of, json_value, parts_value
from evaltui.traces.importers.part import Part

_ASKED = ("gen_ai.input.messages", "gen_ai.prompt")
_ANSWERED = ("gen_ai.output.messages", "gen_ai.completion")
_EVENTS = {
    "gen_ai.system.message": "system",
    "gen_ai.user.message": "user",
    "gen_ai.assistant.message": "assistant",
    "gen_ai.tool.message": "tool",
    "gen_ai.choice": "assistant",
}
_OF_MESSAGES = frozenset({"role", "parts", "tool_calls"})


def holds_messages(span: Part) -> bool:
    """Whether a span tells, in any form that is read, what was asked or answered."""
    asked, answered = sections(attributes_of(span), span)
    return bool(asked or answered)


def sections(said: JsonObject, span: Part) -> tuple[list[JsonObject], list[JsonObject]]:
    """Messages asked and answered, from attributes or from the span's events."""
    asked = [*_messages(said, _ASKED)]
    answered = [*_messages(said, _ANSWERED)]
    if not (asked or answered):
        asked, answered = adk_values.asked(said), adk_values.answered(said)
    asked[:0] = _instructions(said)
    events = span.value.get("events")
    for event in events if isinstance(events, list) else ():
        if not isinstance(event, dict):
            continue
        name, found = event.get("name"), attributes_of(Part(event))
        if name == "gen_ai.client.inference.operation.details":
            asked += [*_instructions(found), *_messages(found, _ASKED)]
            answered += _messages(found, _ANSWERED)
        elif isinstance(name, str) and name in _EVENTS:
            message = json_value(found.get("message"))
            inner = message if isinstance(message, dict) else found
            if isinstance(message, str):
                inner = {"content": message, **inner}
            one = {"role": _EVENTS[name], **inner, "tool_call_id": found.get("id")}
            if "tool_calls" in one:
                one["tool_calls"] = json_value(one["tool_calls"])
            (answered if name == "gen_ai.choice" else asked).append(one)
    return asked, answered


def _instructions(said: JsonObject) -> list[JsonObject]:
    """The message of the system, where it stands beside the others."""
    system = parts_value(said.get("gen_ai.system_instructions"))
    parts = system if isinstance(system, list) else [{"type": "text", "content": system}]
    return [{"role": "system", "parts": parts}] if system else []


def _messages(said: JsonObject, names: Collection[str]) -> Iterator[JsonObject]:
    for name in names:
        whole = said.get(name)
        found = json_value(whole)
        listed = found if isinstance(found, list) else [] if found is None else [found]
        role = "user" if name in _ASKED else "assistant"
        are_messages = name.endswith(".messages") or (listed and all(map(_is_message, listed)))
        if isinstance(whole, str) and not are_messages:
            yield {"role": role, "content": whole}  # also a text that only looks like messages
        else:
            for one in listed:
                yield one if isinstance(one, dict) else {"role": role, "parts": [one]}
        yield from _numbered(said, name)


def _is_message(value: Json) -> bool:
    """Whether it says who speaks, or holds what only messages do."""
    return isinstance(value, dict) and not _OF_MESSAGES.isdisjoint(value)


def _numbered(said: JsonObject, name: str) -> Iterator[JsonObject]:
    """Messages whose fields are attributes of their own: `gen_ai.prompt.0.content`."""
    found: dict[int, dict[str, Json]] = {}
    calls: dict[int, dict[int, dict[str, Json]]] = {}
    for key, value in said.items():
        at = fullmatch(rf"{name}\.(\d{{1,6}})\.(?:tool_calls\.(\d{{1,6}})\.)?(\w+)", key)
        if at is None:
            continue
        message = found.setdefault(int(at[1]), {})
        if at[2] is None:
            message[at[3]] = parts_value(value) if at[3] == "content" else value
        else:
            calls.setdefault(int(at[1]), {}).setdefault(int(at[2]), {})[at[3]] = value
    for number, message in sorted(found.items()):
        made = [call for _, call in sorted(calls.get(number, {}).items())]
        yield {**message, "tool_calls": made} if made else message
