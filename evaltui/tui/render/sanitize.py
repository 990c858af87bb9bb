"""Makes foreign text safe for a terminal: nothing in it can move, colour or hide anything."""

import re

from evaltui.core.inert_text import ACTING, acts, spelled

TAB = "    "
_UNSETTLED = "\ufe0e\ufe0f\U0001f1e6-\U0001f1ff\U0001f3fb-\U0001f3ff"
"""Variations and skin colours of emoji, and the letters of flags: inside of a pattern's brackets,
as `ACTING`, which has their joints.

Terminals do not agree on how wide they are: one or another would shift the rest of the line by a
cell. So an emoji is drawn without them, each part of it as one sign, and a flag as the letters of
its country.
"""
_FIRST_FLAG = 0x1F1E6
# Compiled when they are first needed, by no first frame; one pass each, since rows are painted by
# thousands.
_IN_LINES = f"[\t{ACTING}{_UNSETTLED}]"
_IN_A_LINE = f"[\t\n{ACTING}{_UNSETTLED}]"


def sanitize(text: str, is_ascii: bool = False) -> str:
    """The text with every such character spelled out; line ends stay, tabs become blanks.

    With `is_ascii` everything outside ASCII is spelled out as well: a terminal that cannot print
    it would show something else.
    """
    if text.isascii() and text.isprintable():
        return text
    text = re.sub(_IN_LINES, _drawn, text.replace("\r\n", "\n"))
    return text if text.isascii() or not is_ascii else _BEYOND_ASCII.sub(_plain, text)


def one_line(text: str) -> str:
    """The same on one line, with a blank for each tab and each end of a line."""
    if text.isascii() and text.isprintable():
        return text
    if text.isascii() and (text := text.translate(_AS_BLANKS)).isprintable():
        return text
    return re.sub(_IN_A_LINE, _drawn_in_a_line, text)


def _drawn_in_a_line(match: re.Match[str]) -> str:
    return " " if match[0] in _BREAKS else _drawn(match)


def _drawn(match: re.Match[str]) -> str:
    character = match[0]
    if character == "\t":
        return TAB
    number = ord(character) - _FIRST_FLAG
    if 0 <= number < 26:
        return chr(ord("A") + number)
    if character in _DROPPED and not (character == "\u200d" and acts(match)):
        return ""
    return _spelled(character)


_BREAKS = frozenset("\t\n\v\f\r\x85\u2028\u2029")
_AS_BLANKS = dict.fromkeys(map(ord, _BREAKS), " ")
_DROPPED = frozenset("\ufe0e\ufe0f\u200d\U0001f3fb\U0001f3fc\U0001f3fd\U0001f3fe\U0001f3ff")


def _spelled(character: str) -> str:
    return "\\e" if character == "\x1b" else spelled(character)


def _plain(match: re.Match[str]) -> str:
    return _LIKE.get(match[0]) or _spelled(match[0])


_LIKE = {
    "…": "...",
    "→": "->",
    "—": "-",
    "–": "-",
    "’": "'",
    "“": '"',
    "”": '"',
    "·": "-",
    "›": ">",
}
_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]")
