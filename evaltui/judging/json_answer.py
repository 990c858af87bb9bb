"""The JSON object in a model's answer, read strictly: what is judged may have influenced it."""

import json
from collections.abc import Sequence
from typing import Any

from evaltui.core.finite_json import decode_json, without_surrogates
from evaltui.core.json_value import JsonObject


def json_answer(text: str) -> JsonObject:
    """From the first `{` to the last `}`, whatever stands around it.

    Raises ValueError with what is wrong: no object, two of them, a key twice, no number.
    """
    start, end = text.find("{"), text.rfind("}")
    if start < 0 or end < start:
        raise ValueError("it holds no JSON object")
    try:
        found: JsonObject = decode_json(text[start : end + 1], _once)
    except RecursionError:
        raise ValueError("its JSON is nested too deeply") from None
    except json.JSONDecodeError as error:
        raise ValueError(f"its JSON cannot be read ({error})") from None
    whole: JsonObject = without_surrogates(found)
    return whole


def _once(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("its JSON has a key twice")
    return found
