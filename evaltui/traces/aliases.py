"""Names of fields before schema 1.0, and other programs' names for kinds of events."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

CASE_ALIASES = {"expected": "expected_output", "regex": "regex_patterns"}
CONTRACT_ALIASES = {"required": "required_args", "forbidden": "forbidden_args"}

_CALL, _RESULT = "tool_call", "tool_result"
KINDS = frozenset({"message", _CALL, _RESULT})
"""The types of events that judges know."""
_SPELLINGS = {
    **dict.fromkeys(("toolcall", "functioncall", "tooluse"), _CALL),
    **dict.fromkeys(
        ("toolresult", "functionresult", "toolresponse", "functionresponse", "tooloutput"), _RESULT
    ),
    **dict.fromkeys(("functioncalloutput", "toolcalloutput"), _RESULT),
}


def event_type(text: str) -> str:
    """The type that judges know for what providers call a call of a tool and its result, however it
    is spelled; any other text as it is."""
    if text in KINDS:
        return text
    return _SPELLINGS.get(_NO_LETTERS.sub("", text).lower(), text)


def contradicted(found: Mapping[str, Any], aliases: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Names of before that stand beside that of today and say something else: only one counts."""
    for old, new in aliases.items():
        if old in found and new in found:
            both = found[old], found[new]
            if None not in both and both[0] != both[1]:
                yield old, new


_NO_LETTERS = re.compile(r"[\W_]+")


def without_aliases(found: Mapping[str, Any], aliases: Mapping[str, str]) -> dict[str, Any]:
    """With the names of today; where both stand they say the same, or are `contradicted`."""
    fields = dict(found)
    for old, new in aliases.items():
        if old in fields:
            value = fields.pop(old)
            if fields.get(new) is None:
                fields[new] = value
    return fields
