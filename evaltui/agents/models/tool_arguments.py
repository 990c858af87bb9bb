"""The arguments a model wrote for a call: an object, or what is wrong with them."""

import json
from contextlib import suppress

from evaltui.agents.models.surrogates import whole_text
from evaltui.core.finite_json import decode_json
from evaltui.core.json_value import Json, JsonObject


def read_arguments(source: Json) -> tuple[JsonObject | None, str]:
    """Params and an error; one of them says something. No text at all means no arguments.

    Halves of surrogate pairs become U+FFFD, since they cannot be written as UTF-8.
    """
    value: Json = source
    if isinstance(source, str):
        if not source.strip():
            return {}, ""
        try:
            value = decode_json(source)
        except (ValueError, RecursionError) as error:
            return None, f"the arguments are not JSON ({_why(error)}): {_short(source)}"
        if isinstance(value, str):  # some servers encode the arguments twice
            with suppress(ValueError, RecursionError):
                value = decode_json(value)
    if isinstance(value, dict):
        return _clean(value), ""
    if value is None:
        return {}, ""
    return None, f"the arguments are not an object: {_short(json.dumps(value))}"


def _clean(value: JsonObject) -> JsonObject:
    text = json.dumps(value, ensure_ascii=False)
    whole = whole_text(text)
    if whole is text:
        return value
    cleaned: JsonObject = json.loads(whole)
    return cleaned


def _why(error: Exception) -> str:
    return "nested too deeply" if isinstance(error, RecursionError) else str(error)


def _short(text: str) -> str:
    return text if len(text) <= 200 else f"{text[:200]}…"
