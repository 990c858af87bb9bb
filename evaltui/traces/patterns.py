"""Python's patterns, written by whoever wrote the suite, in texts that a program wrote."""

import re
from functools import lru_cache

from evaltui.expectations.pattern import LIMIT_S, is_quick


@lru_cache(512)
def pattern_mistake(pattern: str) -> str:
    """What is wrong with it; empty when it is one."""
    try:
        re.compile(pattern)
    except (re.error, OverflowError, RecursionError) as error:
        return str(error) or "nested too deeply"
    return ""


def find_at_once(pattern: str, text: str) -> bool | None:
    """`re.search` where it cannot take long, else `None`. The pattern is a valid one."""
    if is_quick(pattern, text):
        return re.search(pattern, text) is not None
    return None


async def find(pattern: str, text: str, limit_s: float = LIMIT_S) -> bool:
    """`re.search` in a process that can be ended. Raises PatternTimeout and PatternCrash."""
    from evaltui.expectations.pattern_process import shared_processes

    return await shared_processes().test(pattern, text, limit_s, is_python=True)
