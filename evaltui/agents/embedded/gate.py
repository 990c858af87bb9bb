"""From a tool's evidence to the probability that the message calls it."""

from math import exp, log1p
from typing import NamedTuple

from evaltui.agents.embedded.scoring import Evidence


class Weights(NamedTuple):
    """Fitted by `scripts/fit_router.py`. None but the first and last may be negative: more matching words must never lower p."""

    bias: float = -4.90
    cover: float = 1.11
    name: float = 2.07
    bm25: float = 0.97
    fill: float = 2.21
    negative: float = 1.5


GATE = Weights()


class Terms(NamedTuple):
    """The five terms of one tool, already weighted; they add up with the bias to the logit."""

    cover: float
    name: float
    bm25: float
    fill: float
    negative: float

    @property
    def logit(self) -> float:
        return GATE.bias + self.cover + self.name + self.bm25 + self.fill + self.negative


def terms(evidence: Evidence, fill: float) -> Terms:
    """The weighted terms for `evidence` with a filling of evidence `fill` (0..1)."""
    return Terms(
        cover=GATE.cover * evidence.cover,
        name=GATE.name * evidence.name_cover,
        bm25=GATE.bm25 * log1p(evidence.bm25),
        fill=GATE.fill * fill,
        negative=-GATE.negative * evidence.negative,
    )


def sigmoid(logit: float) -> float:
    return 1 / (1 + exp(-logit))
