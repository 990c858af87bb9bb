"""Text that may be JSON."""

from evaltui.core.finite_json import decode_json
from evaltui.core.json_value import Json


def json_or_text(text: str) -> Json:
    """The value that the text holds as JSON, else the text itself."""
    try:
        value: Json = decode_json(text)
    except (ValueError, RecursionError):
        return text
    return value
