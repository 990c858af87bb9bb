"""Masks secrets in every text of a JSON value."""

from collections.abc import Callable, Mapping
from typing import TypeVar, cast

from evaltui.core.json_value import Json

V = TypeVar("V", bound="Json")


def masked(value: V, hide: Callable[[str], str]) -> V:
    """The same value with `hide` applied to its texts, keys included."""
    return cast(V, _masked(value, hide))


def _masked(value: Json, hide: Callable[[str], str]) -> Json:
    if isinstance(value, str):
        return hide(value)
    if isinstance(value, Mapping):
        return {hide(key): _masked(item, hide) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_masked(item, hide) for item in value]
    return value
