"""Python patterns, written by a suite's author, tried on text that a program wrote."""

import re
from functools import lru_cache

from evaltui.core.errors import UserError
from evaltui.expectations.pattern import LIMIT_S, is_quick

_ANY_CASE = "(?i)"


@lru_cache(512)
def pattern_mistake(pattern: str) -> str:
    """What is wrong with it; empty when it is one."""
    try:
        re.compile(pattern)
    except (re.error, OverflowError, RecursionError) as error:
        return str(error) or "nested too deeply"
    return ""


def any_case(pattern: str) -> str:
    """The pattern for capital and small letters alike."""
    return f"{_ANY_CASE}{pattern}"


async def search(pattern: str, text: str, limit_s: float = LIMIT_S) -> bool:
    """`re.search`, here where it cannot take long.

    Raises PatternTimeout and PatternCrash, and UserError for what is no pattern.
    """
    if wrong := pattern_mistake(pattern):
        said = pattern.removeprefix(_ANY_CASE)
        raise UserError(f"`{said}` is no pattern: {wrong}.", "Correct the judge's settings.")
    found = find_at_once(pattern, text)
    return await find(pattern, text, limit_s) if found is None else found


def find_at_once(pattern: str, text: str) -> bool | None:
    """`re.search` where it cannot take long, else `None`. The pattern is a valid one."""
    if is_quick(pattern.removeprefix(_ANY_CASE), text):
        return re.search(pattern, text) is not None
    return None


async def find(pattern: str, text: str, limit_s: float = LIMIT_S) -> bool:
    """`re.search` in a process that can be ended. Raises PatternTimeout and PatternCrash."""
    from evaltui.expectations.pattern_process import shared_processes

    return await shared_processes().test(pattern, text, limit_s, is_python=True)
