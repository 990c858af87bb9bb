"""ECMAScript patterns: does one occur in a text, and is it one at all (contract A35, A36)."""

import re

LIMIT_S = 1.0
"""Seconds after which a pattern is given up, and its process killed."""


def find_literal(pattern: str, text: str) -> bool | None:
    """The answer for a pattern that is plain text, `^` and `$` apart; else `None`.

    It needs no process, since it cannot backtrack.
    """
    match = _LITERAL.fullmatch(pattern)
    if match is None:
        return None
    start, literal, end = match.groups()
    if start and end:
        return text == literal
    if start:
        return text.startswith(literal)
    return text.endswith(literal) if end else literal in text


async def find_pattern(pattern: str, text: str, limit_s: float = LIMIT_S) -> bool:
    """`new RegExp(pattern).test(text)` in a process that can be killed.

    Raises PatternTimeout, PatternInvalid, PatternCrash.
    """
    from evaltui.checks.pattern_process import shared_processes

    return await shared_processes().test(pattern, text, limit_s)


def validate_pattern(pattern: str) -> str | None:
    """What is wrong with a pattern, or `None`; compiles it and tries it on nothing."""
    if _LITERAL.fullmatch(pattern):
        return None
    import regress

    try:
        regress.Regex(pattern.encode("utf-16", "surrogatepass").decode("utf-16", "replace"))
    except regress.RegressError as error:
        return str(error) or "it does not compile"
    return None


_LITERAL = re.compile(r"(\^?)([^\\^$.*+?()\[\]{}|]*)(\$?)")
