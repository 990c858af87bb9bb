"""Splits a description into what a tool is for and what it says it is not for."""

import re

_SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n+|(?<=;)")
_WHOLE = re.compile(
    r"""\b(?:
        (?:do\s+not|don['’]?t|never|not\s+to\s+be|(?:should|must|can)(?:\s+not|n['’]t)|cannot)
            \s+(?:be\s+)?(?:use|used|call|called|handle|handles|support|cover)\b
      | (?:does\s+not|doesn['’]t)\s+(?:handle|support|cover|include|provide|return|work)\b
      | (?:is|are)\s+not\s+(?:for|meant|intended|suitable)\b
      | not\s+(?:for|meant|intended|suitable)\b
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_REFERRAL = re.compile(
    r"\b(?:use|call|prefer|see|choose|try)\b[^.;]*\binstead\b(?!\s+of)"
    r"|\binstead,?\s+(?:use|call|prefer|see|choose|try)\b",
    re.IGNORECASE,
)
_TAIL = re.compile(r"\b(?:except|unlike|excluding|rather\s+than|instead\s+of)\b", re.IGNORECASE)
_END = re.compile(r"[,:)]|\bbut\b", re.IGNORECASE)


def split_description(text: str) -> tuple[str, str]:
    """`(positive, negative)`: the words that speak for the tool and those that speak against."""
    positive: list[str] = []
    negative: list[str] = []
    for sentence in _SENTENCE.split(text):
        if _REFERRAL.search(sentence):
            negative.append(sentence)
        elif cue := _WHOLE.search(sentence):
            positive.append(sentence[: cue.start()])
            negative.append(sentence[cue.end() :])
        elif cue := _TAIL.search(sentence):
            _split_tail(sentence, cue, positive, negative)
        else:
            positive.append(sentence)
    return "\n".join(positive), "\n".join(negative)


def _split_tail(
    sentence: str, cue: re.Match[str], positive: list[str], negative: list[str]
) -> None:
    """A leading "Unlike get_x, this ..." ends at the comma; any other tail runs to the end."""
    head = sentence[: cue.start()]
    tail = sentence[cue.end() :]
    stop = _END.search(tail)
    leads = not head.strip()
    end = stop.start() if stop and (leads or stop[0].lower() == "but") else len(tail)
    positive.extend((head, tail[end:]))
    negative.append(tail[:end])
