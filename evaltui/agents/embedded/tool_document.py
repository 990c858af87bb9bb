"""One tool as the router compares it with messages; depends on that tool's definition alone."""

import re
from collections import Counter
from collections.abc import Mapping

from msgspec import Struct

from evaltui.agents.embedded.background import Background
from evaltui.agents.embedded.schema import Parameter, read_parameters
from evaltui.agents.embedded.text import stems
from evaltui.core.fingerprint import fingerprint
from evaltui.core.tool import ToolDefinition

FIELDS = ("name", "description", "parameter names", "parameter descriptions", "choices")
WEIGHTS = (1.5, 3.0, 1.0, 0.6, 0.8)
MEAN_LENGTHS = (2.7, 7.0, 3.9, 14.3, 1.2)
LENGTH_SHARE = 0.7
"""How much a long field is held against it (BM25's b)."""
UNDESCRIBED = 80.0
"""Idf of what a missing description may have said: more than most descriptions hold. A tool whose
name is all there is would be explained best by it: taking words away must not raise a tool."""
_FIELD_SETS = tuple(
    tuple(field for i, field in enumerate(FIELDS) if bits >> i & 1)
    for bits in range(1 << len(FIELDS))
)


class Term(Struct, frozen=True):
    """What one stem weighs in one tool."""

    fixed: float
    """Weighted and length-normalised frequency over all fields but the description."""
    in_description: int
    fields: int
    """Bit i set: it occurs in `FIELDS[i]`."""
    idf: float


class ToolDocument(Struct, frozen=True):
    """A definition prepared for scoring; kept while the definition stays the same."""

    definition: ToolDefinition
    name: str
    terms: Mapping[str, Term]
    name_stems: frozenset[str]
    name_idf: float
    text_idf: float
    """Of all distinct stems of its name and positive description, `UNDESCRIBED` without one."""
    negative: frozenset[str]
    description_length: int
    parameters: tuple[Parameter, ...]
    required: int
    """How many required parameters text can give."""
    numeric: int
    """How many of those only a number can fill."""
    optional: int
    choosable: tuple[Parameter, ...]
    """Those filled by naming a choice or a flag."""
    open: tuple[Parameter, ...]
    """Those filled by a span of the message."""
    defaulted: tuple[Parameter, ...]
    """Required ones with a default."""
    own_stems: frozenset[str]
    """Of its name and its parameters' names: a noun phrase of nothing else is no value."""
    own_print: str
    """Of its name and its parameters: what the description has no share in."""

    def fields_of(self, stem: str) -> tuple[str, ...]:
        """Names of the fields in which `stem` occurs."""
        term = self.terms.get(stem)
        return _FIELD_SETS[term.fields if term else 0]


def read_tool(definition: ToolDefinition, background: Background) -> ToolDocument:
    """Prepare one tool definition."""
    positive, negative = split_description(definition.description or "")
    parameters = read_parameters(definition.parameters)
    fields = (
        stems(definition.name),
        stems(positive),
        [stem for parameter in parameters for part in parameter.path for stem in stems(part)],
        [stem for parameter in parameters for stem in stems(parameter.description)],
        [
            stem
            for parameter in parameters
            for c in parameter.choices
            for stem in stems(str(c.value))
        ],
    )
    described = Counter(fields[1])
    fixed: dict[str, float] = {}
    bits: dict[str, int] = {}
    for i, found in enumerate(fields):
        scale = WEIGHTS[i] / length_norm(len(found), MEAN_LENGTHS[i])
        for stem, count in Counter(found).items():
            bits[stem] = bits.get(stem, 0) | 1 << i
            if i != 1:
                fixed[stem] = fixed.get(stem, 0.0) + count * scale
    return ToolDocument(
        definition=definition,
        name=definition.name,
        terms={
            s: Term(fixed.get(s, 0.0), described[s], mask, background.of(s))
            for s, mask in bits.items()
        },
        name_stems=frozenset(fields[0]),
        name_idf=sum(sorted(background.of(stem) for stem in set(fields[0]))),
        text_idf=sum(sorted(background.of(stem) for stem in {*fields[0], *fields[1]}))
        + (0.0 if fields[1] else UNDESCRIBED),
        negative=frozenset(stems(negative)),
        description_length=len(fields[1]),
        parameters=parameters,
        required=sum(p.required and p.is_fillable for p in parameters),
        numeric=sum(_needs_number(p) for p in parameters),
        optional=sum(not (p.required and p.is_fillable) for p in parameters),
        choosable=tuple(p for p in parameters if p.choices or p.type == "boolean"),
        open=tuple(
            p for p in parameters if p.is_fillable and not p.choices and p.type != "boolean"
        ),
        defaulted=tuple(p for p in parameters if p.required and p.has_default),
        own_stems=frozenset(fields[0]) | frozenset(fields[2]),
        own_print=fingerprint([definition.name, definition.parameters]),
    )


def _needs_number(parameter: Parameter) -> bool:
    of = parameter.item_type if parameter.type == "array" else parameter.type
    free = not parameter.choices and not parameter.has_default
    return parameter.required and free and of in ("number", "integer")


def length_norm(length: float, mean: float) -> float:
    """BM25's length normaliser, never a bonus: an empty field must not beat a short one."""
    return max(1.0, 1 - LENGTH_SHARE + LENGTH_SHARE * length / mean)


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
