"""Makes foreign text safe for a terminal: nothing in it can move, colour or hide anything."""

import re

from evaltui.core.inert_text import ACTING, spelled

TAB = "    "
_UNSETTLED = "[\ufe0e\ufe0f\u200d\U0001f1e6-\U0001f1ff\U0001f3fb-\U0001f3ff]"
_FIRST_FLAG = 0x1F1E6


def sanitize(text: str, is_ascii: bool = False) -> str:
    """The text with every such character spelled out; line ends stay, tabs become blanks.

    With `is_ascii` everything outside ASCII is spelled out as well: a terminal that cannot print
    it would show something else.
    """
    if text.isascii() and text.isprintable():
        return text
    text = text.replace("\r\n", "\n").replace("\t", TAB)
    text = settle_widths(re.sub(f"[{ACTING}]", _spelled, text))
    return text if text.isascii() or not is_ascii else _BEYOND_ASCII.sub(_plain, text)


def settle_widths(text: str) -> str:
    """The text without what terminals do not agree on how wide it is.

    An emoji is drawn without its variation, skin colour and joints, each part of it as one sign,
    and a flag as the letters of its country. With them one terminal or another would shift the
    rest of the line by a cell.
    """
    return text if text.isascii() else re.sub(_UNSETTLED, _settled, text)


def _settled(match: re.Match[str]) -> str:
    number = ord(match[0]) - _FIRST_FLAG
    return chr(ord("A") + number) if 0 <= number < 26 else ""


def _spelled(match: re.Match[str]) -> str:
    return "\\e" if match[0] == "\x1b" else spelled(match[0])


def _plain(match: re.Match[str]) -> str:
    return _LIKE.get(match[0]) or _spelled(match)


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
