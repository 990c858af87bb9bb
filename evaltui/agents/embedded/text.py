"""How text becomes comparable words: splitting, function words, suffix stripping."""

import re
from functools import lru_cache

WORD = r"[^\W\d_]+(?:['’][^\W\d_]+)?|\d+"
_WORD = re.compile(WORD)
_ENCLITIC = re.compile(r"['’](?:s|d|m|ll|re|ve)$")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")

FUNCTION_WORDS = frozenset(
    """
    a about above after again all also am an and any anybody anyone anything are around as at be
    because been before being below between both but by can cannot could d did do does doing
    done down during each either else etc even ever every everyone everything few for from
    further had has have having he hello her here hers herself hey hi him himself his how
    however i if im in into is isn it its itself just kindly let lets like may maybe me might
    mine more most much must my myself need needs neither no nor not now of off oh ok okay on
    once one only onto or other our ours ourselves out over own per please quite rather really
    same shall she should since so some somebody someone something soon still such than thank
    thanks that the their theirs them themselves then there these they this those though through
    thus to too toward under until up upon us use used user uses using very via want wanted
    wants was we were what whatever when where whether which while who whom whose why will with
    within without would yes yet you your yours yourself dont doesnt didnt isnt arent wasnt
    werent cant couldnt wont wouldnt shouldnt havent hasnt
    """.split()  # noqa: SIM905
)
"""Words that say nothing about a tool. Verbs stay out: they tell sibling tools apart."""

_ENDINGS = (
    ("ization", "ize", 5),
    ("isation", "ize", 5),
    ("ations", "ate", 3),
    ("ation", "ate", 3),
    ("ators", "ate", 3),
    ("ator", "ate", 3),
    ("ments", "", 4),
    ("ment", "", 4),
    ("ically", "ic", 3),
    ("fully", "ful", 3),
    ("ional", "ion", 3),
    ("ness", "", 4),
    ("ings", "", 3),
    ("ing", "", 3),
    ("ied", "y", 2),
    ("ed", "", 3),
    ("ly", "", 4),
)
LONGEST_STEM = 6
"""Derived words meet here: convert and conversion, discover and discovery.

Measured: 7 letters lose a point of right tools on clean requests; 5 take `transfer` for
`translate`."""
_DOUBLED = frozenset("bdfgmnprt")
_VOWEL = re.compile(r"[aeiouy]")


def words(text: str) -> list[str]:
    """All words of `text` in lower case, split on punctuation, `_`, camelCase and digits."""
    return [word for raw in _WORD.findall(text) for _, word in split_word(raw)]


def stems(text: str) -> list[str]:
    """The stems of all words of `text` that say something, in order, repeats kept."""
    return [found for word in words(text) if (found := content_stem(word))]


def split_word(raw: str) -> list[tuple[int, str]]:
    """`(offset, lower-case word)` of each part of a camelCase word; a final `'s` is left out."""
    if raw.islower() or raw.isdigit():
        return [(0, _plain(raw))]
    parts: list[tuple[int, str]] = []
    offset = 0
    for part in _CAMEL.split(raw):
        parts.append((offset, _plain(part.lower())))
        offset += len(part)
    return parts


def _plain(word: str) -> str:
    if word.isalnum():
        return word
    return _ENCLITIC.sub("", word).replace("'", "").replace("’", "")


def content_stem(word: str) -> str:
    """The stem of a lower-case word; empty for function words and single letters."""
    if word in FUNCTION_WORDS or (len(word) < 2 and word.isascii() and not word.isdigit()):
        return ""
    return stem(word)


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """A lower-case word without its inflection, at most `LONGEST_STEM` letters.

    Words in other scripts, with accents or with digits stay whole.
    """
    if len(word) < 4 or not word.isascii() or not word.isalpha():
        return word
    return _uninflected(_singular(word))[:LONGEST_STEM]


def _uninflected(word: str) -> str:
    for ending, instead, shortest in _ENDINGS:
        if word.endswith(ending):
            head = word[: -len(ending)]
            if len(head) < shortest or not _VOWEL.search(head):
                break
            word = head + instead
            if not instead and len(head) > 3 and head[-1] == head[-2] and head[-1] in _DOUBLED:
                word = head[:-1]
            break
    if word.endswith("y") and len(word) > 3 and word[-2] not in "aeiou":
        return word[:-1] + "i"
    if word.endswith("e") and len(word) > 3:
        return word[:-1]
    return word


def _singular(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes", "zes")):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word
