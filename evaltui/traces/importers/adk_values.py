"""What spans of Google's ADK tell in attributes of its own, in the words of OpenTelemetry."""

from collections.abc import Iterator

from evaltui.core.json_value import Json, JsonObject
from evaltui.traces.importers.otlp_values import json_value
from evaltui.traces.importers.part import Part

_ADK = "gcp.vertex.agent."
_TOOL = {"gen_ai.tool.call.arguments": "tool_call_args", "gen_ai.tool.call.result": "tool_response"}


def has_messages(said: JsonObject) -> bool:
    """Whether a span of a model tells them in these attributes."""
    return bool(asked(said) or answered(said))


def asked(said: JsonObject) -> list[JsonObject]:
    """The messages of the request to a model; none where ADK records no content."""
    request = _object(said, "llm_request")
    config = request.part("config")
    system = config.text("system_instruction")
    contents = request.value.get("contents")
    listed: list[Json] = [*contents] if isinstance(contents, list) else []
    if system:
        listed.insert(0, {"parts": [{"text": system}], "role": "system"})
    elif config.part("system_instruction").value:
        listed.insert(0, {**config.part("system_instruction").value, "role": "system"})
    return [_message(Part(one)) for one in listed if isinstance(one, dict)]


def answered(said: JsonObject) -> list[JsonObject]:
    """The answer of a model, if any."""
    content = _object(said, "llm_response").part("content")
    return [_message(content)] if content.value else []


def tool_value(said: JsonObject, name: str) -> Json:
    """What the attribute of a tool's span says, or ADK's own of it; `None` where neither does. An
    empty object is what ADK writes where it records no content."""
    own = said.get(name)
    if name in said:
        return own
    found = json_value(said.get(f"{_ADK}{_TOOL[name]}"))
    return None if found == {} else found


def _object(said: JsonObject, key: str) -> Part:
    found = json_value(said.get(f"{_ADK}{key}"))
    return Part(found if isinstance(found, dict) else {})


def _message(content: Part) -> JsonObject:
    listed = content.value.get("parts")
    parts = [*_parts(listed if isinstance(listed, list) else [])]
    kinds = {Part(one).text("type") for one in parts}
    role = content.text("role")
    is_result = kinds == {"tool_call_response"}
    return {"role": "tool" if is_result else "assistant" if role == "model" else role or "user",
            "parts": parts}  # fmt: skip


def _parts(listed: list[Json]) -> Iterator[JsonObject]:
    for part in (Part(one) for one in listed if isinstance(one, dict)):
        call = part.part("function_call", "functionCall")
        result = part.part("function_response", "functionResponse")
        if call.value:
            yield {"type": "tool_call", **_named(call), "arguments": call.value.get("args")}
        elif result.value:
            answer = result.value.get("response")
            yield {"type": "tool_call_response", **_named(result), "response": answer}
        elif part.text("text") or set(part.value) <= {"text"}:
            kind = "reasoning" if part.value.get("thought") is True else "text"
            yield {"type": kind, "content": part.value.get("text")}
        else:
            yield part.value


def _named(part: Part) -> dict[str, Json]:
    found = {key: part.value.get(key) for key in ("id", "name")}
    return {key: one for key, one in found.items() if one is not None}
