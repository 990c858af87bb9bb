"""The kinds of JSON value, in words."""

from collections.abc import Mapping
from types import MappingProxyType

_KINDS: Mapping[type, str] = MappingProxyType(
    {
        bool: "true or false",
        int: "a number",
        float: "a number",
        str: "text",
        list: "a list",
        dict: "an object",
        type(None): "null",
    }
)


def kind_of(value: object) -> str:
    """`a list`, `text`, `null` …"""
    return _KINDS.get(type(value), "something else")
