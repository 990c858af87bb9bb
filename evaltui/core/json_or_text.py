"""Text that may be JSON."""

import json

from evaltui.core.json_value import Json


def json_or_text(text: str) -> Json:
    """The value that the text holds as JSON, else the text itself."""
    try:
        value: Json = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return value
