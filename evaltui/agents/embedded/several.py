"""Whether a message asks for more tools than the best one, and in which order."""

from collections.abc import Sequence
from typing import NamedTuple

from evaltui.agents.embedded.gate import sigmoid
from evaltui.agents.embedded.message import MessageReading
from evaltui.agents.embedded.scoring import SHORTEST_NAME, Evidence

CALL_ALSO_AT = 0.35
SHORTEST_CLAUSE = 6.0
"""Idf below which a clause says too little to be won or covered wholly."""


class SeveralWeights(NamedTuple):
    """Fitted by `scripts/fit_router.py`; no weight but the bias may be negative."""

    bias: float = -4.70
    p: float = 3.24
    own_words: float = 1.28
    clause: float = 1.70
    own_name: float = 4.89
    clause_cover: float = 1.29


SEVERAL = SeveralWeights()


class Rated(NamedTuple):
    """One tool with what a comparison needs."""

    evidence: Evidence
    p: float


class Features(NamedTuple):
    p: float
    own_words: float
    """Idf of the words it explains and the best does not, in units of 10."""
    clause: float
    """How far it beats the best in the clause that suits it most, 0..1."""
    clause_cover: float
    """Share of such a clause that it explains."""
    own_name: float
    """Share of its name said in the message and not part of the best's."""


def clause_scores(message: MessageReading, evidence: Evidence) -> list[float]:
    """What the tool explains of each clause: idf, its name's words twice."""
    names = evidence.document.name_stems
    query = message.query
    scores: list[float] = []
    for clause in message.clauses:
        score = 0.0
        for stem in sorted(clause & evidence.matched):
            score += query[stem] * (2.0 if stem in names else 1.0)
        scores.append(score)
    return scores


class Contest:
    """The clauses of one message and the tools that compete for them."""

    def __init__(self, message: MessageReading, rated: Sequence[Rated]) -> None:
        self._message = message
        self._best = rated[0].evidence
        self._scores = {r.evidence.document.name: clause_scores(message, r.evidence) for r in rated}
        self._tops = [max(column) for column in zip(*self._scores.values(), strict=True)]

    def features(self, other: Rated) -> Features:
        """How much speaks for calling `other` beside the best tool."""
        query = self._message.query
        document = other.evidence.document
        own = other.evidence.matched - self._best.matched
        own_names = (document.name_stems & own) - self._best.document.name_stems
        won, covered = self._clause(other.evidence)
        return Features(
            p=other.p,
            own_words=sum(sorted(query[stem] for stem in own)) / 10,
            clause=won,
            clause_cover=covered,
            own_name=sum(sorted(query[stem] for stem in own_names))
            / max(SHORTEST_NAME, document.name_idf),
        )

    def _clause(self, evidence: Evidence) -> tuple[float, float]:
        """By how much it beats the best tool in a clause that it wins, and how much it covers."""
        query = self._message.query
        theirs = self._scores[self._best.document.name]
        won = covered = 0.0
        for i, score in enumerate(self._scores[evidence.document.name]):
            if score > theirs[i] and score >= self._tops[i]:
                won = max(won, (score - theirs[i]) / max(SHORTEST_CLAUSE, score))
                clause = self._message.clauses[i]
                explained = sum(sorted(query[stem] for stem in clause & evidence.matched))
                whole = sum(sorted(query[stem] for stem in clause))
                covered = max(covered, explained / max(SHORTEST_CLAUSE, whole))
        return won, covered


def probability(found: Features) -> float:
    """That the tool is called too."""
    return sigmoid(
        SEVERAL.bias
        + SEVERAL.p * found.p
        + SEVERAL.own_words * found.own_words
        + SEVERAL.clause * found.clause
        + SEVERAL.clause_cover * found.clause_cover
        + SEVERAL.own_name * found.own_name
    )


def choose(message: MessageReading, rated: Sequence[Rated]) -> list[Rated]:
    """The best tool and all that are asked for beside it, in the order the message asks."""
    best = rated[0]
    chosen = [best]
    explained = set(best.evidence.matched)
    if any(not other.evidence.matched <= explained for other in rated):
        contest = Contest(message, rated)
        for other in rated[1:]:
            if other.evidence.matched <= explained:
                continue
            if probability(contest.features(other)) >= CALL_ALSO_AT:
                chosen.append(other)
                explained |= other.evidence.matched
    return in_order(message, chosen)


def in_order(message: MessageReading, chosen: Sequence[Rated]) -> list[Rated]:
    """Sorted by the first word that only this one of the chosen tools explains."""
    if len(chosen) < 2:
        return list(chosen)

    def position(rated: Rated) -> tuple[int, str]:
        others = frozenset().union(*(o.evidence.matched for o in chosen if o is not rated))
        own = (rated.evidence.matched - others) or rated.evidence.matched
        return min(message.first[stem] for stem in own), rated.evidence.document.name

    return sorted(chosen, key=position)
