"""Which script a message is written in that the router has no rules for."""

import unicodedata
from collections import Counter

_SPOKEN = {"CJK": "Chinese", "HIRAGANA": "Japanese", "KATAKANA": "Japanese", "HANGUL": "Korean"}


def unread_script(text: str, at_least: float) -> str:
    """The most frequent script other than Latin, e.g. `Cyrillic`, where all of them make up at
    least that share of the letters; else empty."""
    if text.isascii():
        return ""
    letters = [letter for letter in text if letter.isalpha()]
    others = Counter(
        script for letter in letters if not letter.isascii() and (script := _script(letter))
    )
    if not others or others.total() < at_least * len(letters):
        return ""
    ((script, _),) = others.most_common(1)
    return _SPOKEN.get(script, script.title())


def _script(letter: str) -> str:
    """As its Unicode name begins; empty for Latin letters, half of a pair and modifiers."""
    script = unicodedata.name(letter, "LATIN").partition(" ")[0].partition("-")[0]
    return "" if script in _READ else script


_READ = frozenset({"LATIN", "FULLWIDTH", "FEMININE", "MASCULINE", "MODIFIER", "MICRO"})
