"""The error that a crashed program printed, found before or behind a long stack."""

import re
from collections.abc import Iterable
from itertools import dropwhile, takewhile
from pathlib import PurePath

_PYTHON = re.compile(r'\s+File "(?P<file>.+)", line (?P<line>\d+)')
_NODE = re.compile(r"\s+at ")
_PLACE = re.compile(r"(?P<file>[^\s(][^(]*?):(?P<line>\d+):\d+\)?(?: \{)?$")
_NO_MEMORY = re.compile(r"FATAL ERROR: .*JavaScript heap out of memory")
"""Before a stack of V8 itself."""
_MARK = re.compile(r"\s*\^+\s*")
"""Below the code that Node shows before the error."""


def error_in(said: str, most: int) -> str:
    """The words of the last error of Python or Node on somebody's stderr, with what was said after
    it, `most` characters of them, and where it was raised; empty where there is none.

    `said` holds no secrets any more: what is cut here may begin or end in one.
    """
    lines = said.splitlines()
    if any(_NO_MEMORY.match(line) for line in lines):
        return "its memory ran out (JavaScript heap out of memory)"
    for at in range(len(lines) - 1, -1, -1):
        if found := _PYTHON.match(lines[at]):
            words = dropwhile(lambda line: not line[:1].strip(), lines[at + 1 :])
            return _message(words, found, most)
        if _NODE.match(lines[at]):
            return _message(*_of_node(lines, at), most)
    return ""


def _of_node(lines: list[str], last: int) -> tuple[list[str], re.Match[str] | None]:
    """Of the stack that ends with this line."""
    block = [*takewhile(str.strip, lines[last::-1])][::-1]
    first = next(at for at, line in enumerate(block) if _NODE.match(line))
    words = [*takewhile(lambda line: not _MARK.fullmatch(line), reversed(block[:first]))]
    places = (_PLACE.search(line.split(" at ", 1)[1]) for line in block[first:] if " at " in line)
    own = (place for place in places if place and not place["file"].startswith("node:"))
    behind = dropwhile(str.strip, lines[last + 1 :])
    said = [line for line in behind if line.strip() and not line.startswith("Node.js v")]
    return [*words[::-1], *said] if words else [], next(own, None)


def _message(lines: Iterable[str], place: re.Match[str] | None, most: int) -> str:
    words = "\n".join(lines).strip()[:most]
    if not words or place is None:
        return words
    return f"{words} ({PurePath(place['file']).name} line {place['line']})"
