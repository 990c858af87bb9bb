"""What a judge said of one dimension, read strictly: a score, or why it is none."""

from msgspec import Struct

from evaltui.core.case import RubricDimension
from evaltui.judging.json_answer import json_answer

_KEYS = {"score", "rationale"}
_LONGEST = 2_000
"""Characters of a rationale that are kept."""


class Score(Struct, frozen=True, gc=False):
    """One judgement."""

    score: int
    rationale: str


def read_score(text: str, dimension: RubricDimension) -> Score:
    """Raises ValueError with what is wrong: anything but the two keys that were asked for."""
    answer = json_answer(text)
    if answer.keys() != _KEYS:
        keys = ", ".join(f"`{key[:40]}`" for key in sorted(answer)[:5]) or "none"
        raise ValueError(f"it has other keys than `score` and `rationale`: {keys}")
    score, rationale = answer["score"], answer["rationale"]
    most = dimension.max_score
    if isinstance(score, bool) or not isinstance(score, int | float):
        raise ValueError(f"`score` is no number: {str(score)[:40]}")
    if not 0 <= score <= most:
        raise ValueError(f"`score` is {str(score)[:40]}, not between 0 and {most:g}")
    if score != int(score):
        raise ValueError(f"`score` is no whole number: {score:g}")
    if not isinstance(rationale, str) or not rationale.strip():
        raise ValueError("`rationale` is no text")
    return Score(int(score), rationale.strip()[:_LONGEST])
