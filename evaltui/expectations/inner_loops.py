"""Repetitions in repetitions, for an engine that may never leave them.

It goes round for ever where a repeated group that may be empty is in another one, as in
`(?:(?:a*)+b?)*`, unless the inner one takes as little as it can, or is written as a choice. Which
a repetition prefers makes no difference to whether a pattern is found, unless a back-reference
tells what a group took.
"""

import re
from collections.abc import Iterator

# Compiled when they are first needed: few patterns need them.
_PART = (
    r"\\.|\[(?:\\.|[^\]\\])*\]|(?P<open>\((?:\?(?:!|<[=!]))?)|(?P<close>\))"
    r"(?:(?P<times>(?:[*+?]|\{\d+(?:,\d*)?\})\??)(?![*+?{]))?"
)
_BACK_REFERENCE = r"\\[1-9k]"
_AT_MOST_ONCE = ("?", "??", "{0,1}", "{0,1}?")


def tamed(pattern: str) -> str:
    """A pattern that is found where `pattern` is, and that the engine comes to an end with."""
    if pattern.count(")") < 2 or re.search(_BACK_REFERENCE, pattern):
        return pattern
    parts: list[str] = []
    end = 0
    for part in sorted(_repeated_inside(pattern), key=re.Match.start):
        times = part["times"]
        parts.append(pattern[end : part.start()])
        if times in _AT_MOST_ONCE:
            parts.append("|)")
        else:
            parts.append(part[0] if times.endswith("?") else f"{part[0]}?")
        end = part.end()
    return "".join(parts) + pattern[end:]


def _repeated_inside(pattern: str) -> Iterator[re.Match[str]]:
    """The ends of repeated groups in repeated groups, but those of `(?!…)` and `(?<…)`."""
    inner: list[list[re.Match[str]]] = [[]]
    """By open group, the ends of repeated ones in it that are in no repeated one yet."""
    opened: list[str] = []
    for part in re.finditer(_PART, pattern, re.DOTALL):
        if part["open"]:
            inner.append([])
            opened.append(part["open"])
        elif part["close"] and opened:
            found, start = inner.pop(), opened.pop()
            if part["times"]:
                yield from found
                found = [part] if start == "(" else []
            inner[-1] += found
