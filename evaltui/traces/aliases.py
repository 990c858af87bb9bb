"""What fields were called before schema 1.0."""

from collections.abc import Mapping
from typing import Any

CASE_ALIASES = {"expected": "expected_output", "regex": "regex_patterns"}
CONTRACT_ALIASES = {"required": "required_args", "forbidden": "forbidden_args"}


def without_aliases(found: Mapping[str, Any], aliases: Mapping[str, str]) -> dict[str, Any]:
    """With the names of today; where both stand, today's counts."""
    fields = dict(found)
    for old, new in aliases.items():
        if old in fields:
            value = fields.pop(old)
            if fields.get(new) is None:
                fields[new] = value
    return fields
