"""Which characters of a text from elsewhere act or hide, on a terminal or in a report."""

import re

ACTING = (
    "\x00-\x08\x0b-\x1f\x7f-\x9f"
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200d-\u200f\u2028-\u202e\u2060-\u206f"
    "\u3164\ud800-\udfff\ufeff\uffa0\ufff0-\ufffb"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
"""Inside of a pattern's brackets: control characters but tab and line feed, changes of writing
direction, separators of lines, halves of characters, and what is not seen at all (Unicode's default
ignorables, tags among them). Joiners and the variations of an emoji belong to what people write: of
a found U+200D `acts` says whether it does."""
_JOINER = "\u200d"
_LATIN = "0-9A-Za-z_\u00c0-\u024f"


def inert(text: str) -> str:
    """The text with every such character spelled out."""
    if text.isascii() and text.isprintable():
        return text
    # Compiled when it is first needed: few texts need it, and no first frame.
    return re.sub(f"[{ACTING}]", _inert, text.replace("\r\n", "\n"))


def first_acting(text: str) -> str:
    """The first such character of a text; empty when there is none."""
    if text.isascii() and text.isprintable():
        return ""
    return next((found[0] for found in re.finditer(f"[{ACTING}]", text) if acts(found)), "")


def acts(found: re.Match[str]) -> bool:
    """Whether what was found by `ACTING` acts or hides where it stands: beside Latin letters, which
    nothing joins, a joiner only makes one name look like another."""
    if found[0] != _JOINER:
        return True
    text, at = found.string, found.start()
    before, after = text[max(0, at - 1) : at], text[at + 1 : at + 2]
    return bool(re.match(f"[!-~{_LATIN}]", before) or re.match(f"[{_LATIN}]", after))


def _inert(found: re.Match[str]) -> str:
    return spelled(found[0]) if acts(found) else found[0]


def spelled(character: str) -> str:
    """`\\x1b`, `\\u202e`, `\\U000e0041`."""
    code = ord(character)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
