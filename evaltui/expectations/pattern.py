"""ECMAScript patterns: does one occur in a text, and is it one at all (contract A35, A36)."""

import re
from functools import lru_cache
from typing import Any

LIMIT_S = 1.0
"""Seconds after which a pattern is given up, and its process killed."""
QUICK_TEXT = 1000
"""Characters up to which a pattern with one repetition is tried here: some ms at worst."""


def find_quickly(pattern: str, text: str) -> bool | None:
    """The answer where it cannot take long, else `None`: plain text, or one repetition at most."""
    # Its own patterns take long to compile, and most projects assert on none.
    from evaltui.expectations.utf16_pattern import utf16_text

    literal = _LITERAL.fullmatch(pattern)
    if literal is not None:
        return _find_literal(literal[1], utf16_text(literal[2]), literal[3], utf16_text(text))
    if not is_quick(pattern, text):
        return None
    expression = _compiled(pattern)
    return None if expression is None else expression.find(utf16_text(text)) is not None


async def find_pattern(pattern: str, text: str, limit_s: float = LIMIT_S) -> bool:
    """`new RegExp(pattern).test(text)` in a process that can be killed.

    Raises PatternTimeout, PatternInvalid, PatternCrash.
    """
    from evaltui.expectations.pattern_process import shared_processes
    from evaltui.expectations.utf16_pattern import utf16_pattern, utf16_text

    return await shared_processes().test(utf16_pattern(pattern), utf16_text(text), limit_s)


def validate_pattern(pattern: str) -> str | None:
    """What is wrong with a pattern, or `None`; compiles it and tries it on nothing."""
    if _LITERAL.fullmatch(pattern):
        return None
    import regress

    from evaltui.expectations.utf16_pattern import utf16_pattern

    try:
        regress.Regex(utf16_pattern(pattern))
    except regress.RegressError as error:
        return str(error)
    return None


def _find_literal(start: str, literal: str, end: str, text: str) -> bool:
    if start and end:
        return text == literal
    if start:
        return text.startswith(literal)
    return text.endswith(literal) if end else literal in text


def is_quick(pattern: str, text: str) -> bool:
    """Whether trying the pattern on the text takes some ms at worst, in any engine."""
    return len(text) <= QUICK_TEXT and _is_quick(pattern)


@lru_cache(512)
def _is_quick(pattern: str) -> bool:
    """Whether trying it is quadratic at worst: exponential needs two choices, or a back-reference.

    Counts characters, escaped ones too: it errs on the side of the process.
    """
    choices = sum(pattern.count(character) for character in "*+?{|")
    return len(pattern) <= 200 and choices <= 1 and not _BACK_REFERENCE.search(pattern)


@lru_cache(512)
def _compiled(pattern: str) -> Any:
    """`None` for an invalid pattern."""
    import regress

    from evaltui.expectations.utf16_pattern import utf16_pattern

    try:
        return regress.Regex(utf16_pattern(pattern))
    except regress.RegressError:
        return None


_LITERAL = re.compile(r"(\^?)([^\\^$.*+?()\[\]{}|]*)(\$?)")
_BACK_REFERENCE = re.compile(r"\\[1-9k]")
