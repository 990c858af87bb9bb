"""Python's patterns in texts that a program wrote."""

import re
from functools import lru_cache


@lru_cache(512)
def pattern_mistake(pattern: str) -> str:
    """What is wrong with it; empty when it is one."""
    try:
        re.compile(pattern)
    except (re.error, OverflowError, RecursionError) as error:
        return str(error) or "nested too deeply"
    return ""
