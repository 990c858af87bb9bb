"""Values as OTLP writes them in JSON: typed attributes, times in nanoseconds."""

import msgspec

from evaltui.core.json_value import Json, JsonObject
from evaltui.traces.importers.part import Part, words

ESTIMATED = "evaltui.time_estimated"
"""Attribute of a span whose beginning nobody told: the protocol wants one all the same."""
LATENCY_UNKNOWN = "evaltui.latency_unknown"
"""Attribute of a span of which nobody told how long it took: it ends as it begins."""
_PARTS = words(
    """
    text input_text output_text refusal image image_url input_image input_audio file input_file
    document reasoning thinking redacted_thinking tool_use tool_result tool_call tool_call_response
    """
)
"""Types of the parts of messages: a list of other objects is an answer in JSON."""
_PLAIN = ("stringValue", "boolValue", "doubleValue", "bytesValue", "string_value", "bool_value")


def attributes_of(part: Part) -> dict[str, Json]:
    """The attributes of a span or of an event of one, by name; a plain object is taken as it is."""
    said = part.value.get("attributes")
    if isinstance(said, dict):
        return said
    found: dict[str, Json] = {}
    for one in said if isinstance(said, list) else ():
        if isinstance(one, dict) and isinstance(one.get("key"), str):
            found[one["key"]] = any_value(one.get("value"))
    return found


def any_value(value: Json) -> Json:
    """The value of an OTLP `AnyValue`; anything else as it is."""
    if not isinstance(value, dict):
        return value
    said = Part(value)
    for key in ("intValue", "int_value"):
        if key in value:
            whole = _whole(value[key])
            return said.value[key] if whole is None else whole
    for key in _PLAIN:
        if key in value:
            return said.value[key]
    for key in ("arrayValue", "array_value"):
        if key in value:
            items = said.part(key).value.get("values")
            return [any_value(one) for one in items] if isinstance(items, list) else []
    for key in ("kvlistValue", "kvlist_value"):
        if key in value:
            return attributes_of(Part({"attributes": said.part(key).value.get("values")}))
    return value or None


def json_value(value: Json) -> Json:
    """What a text holds where it is JSON of an object or a list, else the value itself."""
    return _decoded(value, ("{", "["))


def _decoded(value: Json, beginnings: tuple[str, ...]) -> Json:
    """What a text is JSON of, where it begins so; else the value itself."""
    if isinstance(value, str) and value.startswith(beginnings):
        try:
            found: Json = msgspec.json.decode(value)
        except (msgspec.DecodeError, RecursionError):
            return value
        return found
    return value


def parts_value(value: Json) -> Json:
    """The parts of a message where a text is JSON of nothing else; any other text is that text."""
    found = json_value(value)
    if isinstance(value, str) and not (
        isinstance(found, list) and found and all(_is_part(one) for one in found)
    ):
        return value
    return found


def _is_part(value: Json) -> bool:
    return isinstance(value, dict) and value.get("type") in _PARTS


def result_value(value: Json) -> Json:
    """What a tool gave back: as `json_value`, and of a text in JSON that text."""
    return _decoded(value, ("{", "[", '"'))


def langchain_answer(value: Json) -> JsonObject:
    """The fields of the message that a tool of LangChain answered with, where a result is that as
    LangChain writes it, maybe below `output`, as its callbacks give it; else none."""
    answer = Part(value) if isinstance(value, dict) else Part({})
    for one in (answer, answer.part("output")):
        name = one.value.get("id")
        if one.value.get("lc") == 1 and isinstance(name, list) and name[-1:] == ["ToolMessage"]:
            return one.part("kwargs").value
    return {}


def result_text(text: str) -> str:
    """The text of a result so that it is read as that text: one that would be read otherwise is
    quoted."""
    return text if result_value(text) == text else msgspec.json.encode(text).decode()


def moment_ns(value: Json) -> int | None:
    """Nanoseconds since 1970, which OTLP writes as text."""
    found = _whole(value)
    return found if found is not None and 0 < found < 1 << 63 else None


def _whole(value: Json) -> int | None:
    if isinstance(value, bool) or not isinstance(value, int | str):
        return None
    try:
        return int(value)
    except ValueError:
        return None
