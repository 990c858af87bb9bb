"""Parameters that a message fills by naming one of their choices, or by mentioning a flag."""

from typing import NamedTuple

from evaltui.agents.embedded.message import MessageReading
from evaltui.agents.embedded.schema import Choice, Parameter
from evaltui.core.json_value import Json

_NEGATIONS = frozenset(
    {"no", "not", "without", "dont", "exclude", "excluding", "doesnt",
     "isnt", "never", "avoid", "skip", "disable", "disabled", "off"}
)  # fmt: skip
_REACH = 3
"""Words before a flag's name in which a negation is looked for."""


class Chosen(NamedTuple):
    value: Json
    text: str
    """The words of the message that chose it."""
    confidence: float


def choose(parameter: Parameter, message: MessageReading) -> Chosen | None:
    """The choice that the message names: the longest phrase, else all of its stems."""
    best: Choice | None = None
    longest = 0
    for choice in parameter.choices:
        if len(choice.phrase) > max(longest, 2) and choice.phrase in message.padded:
            best, longest = choice, len(choice.phrase)
    if best:
        return Chosen(best.value, best.phrase.strip(), 1.0)
    rank = (0, 0.0)
    for choice in parameter.choices:
        if choice.stems and choice.stems <= message.first.keys():
            score = (len(choice.stems), -float(min(message.first[stem] for stem in choice.stems)))
            if score > rank:
                best, rank = choice, score
    if not best:
        return None
    spoken = (message.tokens[message.first[stem]].word for stem in best.stems)
    return Chosen(best.value, " ".join(sorted(spoken)), 0.8)


def choose_several(parameter: Parameter, message: MessageReading) -> Chosen | None:
    """Every choice that the message names, in schema order, for a list of choices."""
    found = [choice for choice in parameter.choices if choice.phrase in message.padded]
    if not found:
        one = choose(parameter, message)
        return one and one._replace(value=[one.value])
    return Chosen([c.value for c in found], ", ".join(c.phrase.strip() for c in found), 1.0)


def flag(parameter: Parameter, message: MessageReading) -> Chosen | None:
    """True when all telling words of a flag's name are mentioned, False after a negation."""
    telling = parameter.telling_stems
    if not telling or not telling <= message.first.keys():
        return None
    at = min(message.first[stem] for stem in telling)
    before = message.tokens[max(0, at - _REACH) : at]
    negated = any(token.word in _NEGATIONS for token in before)
    return Chosen(not negated, message.tokens[at].word, 0.8)
