"""When two JSON values are the same."""

import json

from evaltui.core.json_value import Json


def canonical(value: Json) -> str:
    """The same text for the same value, in whatever order its keys stand. To Python `True`, 1 and
    1.0 are equal; in a file they are three things."""
    return json.dumps(value, sort_keys=True)
