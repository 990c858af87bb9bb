"""From a tool's evidence to the probability that the message calls it."""

from math import exp, log1p
from typing import NamedTuple

from evaltui.agents.embedded.scoring import Evidence


class Weights(NamedTuple):
    """Fitted by `scripts/fit_router.py`, all but `negative`, for which there is no public data.

    None but the bias may be below 0: more matching words must never lower a probability.
    """

    bias: float
    cover: float
    name: float
    tool: float
    bm25: float
    fill: float
    extra: float
    negative: float


GATE = Weights(
    bias=-5.24, cover=2.54, name=1.79, tool=5.32, bm25=0.29, fill=3.12, extra=1.44, negative=3.0
)


class Terms(NamedTuple):
    """The terms of one tool, already weighted; they add up with the bias to the logit."""

    cover: float
    """Share of the message that the tool explains."""
    name: float
    """Share of the tool's name that the message says."""
    tool: float
    """Share of the tool's name and description that the message says."""
    bm25: float
    fill: float
    """How well the message fills its parameters."""
    negative: float
    """What its description says it is not for; never above 0."""

    @property
    def logit(self) -> float:
        return GATE.bias + sum(self)


def terms(evidence: Evidence, fill: float, extra: float) -> Terms:
    """The weighted terms for `evidence`; `fill` over required parameters, `extra` over others."""
    return Terms(
        GATE.cover * evidence.cover,
        GATE.name * evidence.name_cover,
        GATE.tool * evidence.tool_cover,
        GATE.bm25 * log1p(evidence.bm25),
        _of_filling(fill, extra),
        0.0 - GATE.negative * evidence.negative,
    )


def refilled(known: Terms, fill: float, extra: float) -> Terms:
    """The terms for the same evidence with another filling."""
    return Terms(*known[:4], _of_filling(fill, extra), known[5])


def _of_filling(fill: float, extra: float) -> float:
    return GATE.fill * fill + GATE.extra * extra


def sigmoid(logit: float) -> float:
    return 1 / (1 + exp(-logit))
