"""The router: one message and one index in, one decision out. Pure and deterministic."""

import unicodedata
from bisect import insort
from collections import Counter
from collections.abc import Iterable, Sequence
from operator import itemgetter
from typing import TypeAlias

from evaltui.agents.embedded.decision import OVERLAP, TIE, Call, Candidate, Decision
from evaltui.agents.embedded.filling import Filling, fill, most
from evaltui.agents.embedded.gate import Terms, refilled, sigmoid, terms
from evaltui.agents.embedded.index import RegistryIndex
from evaltui.agents.embedded.message import MessageReading, read_ahead, read_message
from evaltui.agents.embedded.scoring import Evidence, weigh
from evaltui.agents.embedded.several import Rated, choose, clause_scores
from evaltui.core.config import CALL_AT

_Ranked: TypeAlias = tuple[float, float, str, Evidence, Filling, Terms]
"""By its first three, the best first."""
SHOWN = 6
"""Candidates whose parameters are filled and whose reasons are kept."""


def route(index: RegistryIndex, message: str, call_at: float = CALL_AT) -> Decision:
    """Decide which tools `message` calls; none when the best stays under `call_at`."""
    reading = read_message(message, index.background)
    weighed = [weigh(document, reading) for document in index.sharing(reading.query)]
    ranked = _best(weighed, reading)
    rated = [Rated(r[0], r[3]) for r in ranked]
    margin = rated[0].p - (rated[1].p if len(rated) > 1 else 0.0) if rated else 0.0
    calls: tuple[Call, ...] = ()
    if rated and rated[0].p >= call_at:
        chosen = choose(reading, rated)
        fillings = {r[0].document.name: r[1] for r in ranked}
        if len(chosen) > 1:
            fillings = _fill_by_clause(chosen, reading)
        calls = tuple(
            Call(name, fillings[name].params, fillings[name].filled)
            for name in (r.evidence.document.name for r in chosen)
        )
    candidates = tuple(
        Candidate(
            tool=evidence.document.name,
            p=p,
            terms=weighted,
            bm25=evidence.bm25,
            matched={
                reading.word(stem): evidence.document.fields_of(stem)
                for stem in sorted(evidence.matched)
            },
            against=tuple(reading.word(stem) for stem in sorted(evidence.against)),
            filled=filling.filled,
        )
        for evidence, filling, weighted, p in ranked
    )
    warnings = _warnings(rated, margin, reading, [call.tool for call in calls])
    return Decision(calls, candidates, margin, call_at, warnings, _notes(reading, bool(calls)))


def _best(
    weighed: list[Evidence], reading: MessageReading
) -> list[tuple[Evidence, Filling, Terms, float]]:
    """The `SHOWN` best by p, then bm25, then name.

    Filling costs most, so it is left out for tools that could not get among the best even with
    all of their parameters filled; what the others get does not depend on that.
    """
    bounds = [(*_bound(e, reading), e) for e in weighed]
    bounds.sort(key=itemgetter(0, 1, 2))
    found: list[_Ranked] = []
    logits: list[float] = []
    for bound, _, _, most_terms, evidence in bounds:
        if len(logits) >= SHOWN and logits[SHOWN - 1] < bound:
            break
        found.append(_ranked(evidence, reading, most_terms))
        insort(logits, found[-1][0])
    found.sort(key=itemgetter(0, 1, 2))
    return [(*row[3:], sigmoid(-row[0])) for row in found[:SHOWN]]


def _bound(evidence: Evidence, reading: MessageReading) -> tuple[float, float, str, Terms]:
    """Before its first three it cannot stand in the order of `_ranked`, however it is filled."""
    document = evidence.document
    weighted = terms(evidence, *most(document, reading))
    return -weighted.logit, -evidence.bm25, document.name, weighted


def _ranked(evidence: Evidence, reading: MessageReading, known: Terms | None = None) -> _Ranked:
    """`known`: its terms with another filling."""
    filling = fill(evidence.document, reading)
    how = filling.evidence, filling.extra
    weighted = terms(evidence, *how) if known is None else refilled(known, *how)
    return -weighted.logit, -evidence.bm25, evidence.document.name, evidence, filling, weighted


def entering(
    index: RegistryIndex, message: str, shown: Sequence[str], tools: Iterable[str]
) -> frozenset[str]:
    """Which of `tools` are among the `SHOWN` best for the message now.

    `shown`: those that were, best first, as they still are; nor did any tool change but `tools`.
    """
    reading = read_ahead(message, index.background)
    known = (index.documents.get(name) for name in tools)
    rivals = [d for d in known if d is not None and not d.terms.keys().isdisjoint(reading.query)]
    if len(shown) < SHOWN or not rivals:
        return frozenset(document.name for document in rivals)
    weighed = [weigh(document, reading) for document in rivals]
    last = _ranked(weigh(index.documents[shown[-1]], reading), reading)[:3]
    return frozenset(
        evidence.document.name
        for evidence in weighed
        if _bound(evidence, reading)[:3] < last and _ranked(evidence, reading)[:3] < last
    )


def _fill_by_clause(chosen: list[Rated], reading: MessageReading) -> dict[str, Filling]:
    """Each of several tools prefers values from the clauses that ask for it."""
    scores = {r.evidence.document.name: clause_scores(reading, r.evidence) for r in chosen}
    tops = [max(column) for column in zip(*scores.values(), strict=True)]
    return {
        r.evidence.document.name: fill(
            r.evidence.document,
            reading,
            frozenset(
                i for i, score in enumerate(scores[r.evidence.document.name]) if score == tops[i]
            ),
        )
        for r in chosen
    }


def _notes(reading: MessageReading, has_calls: bool) -> tuple[str, ...]:
    found = ["The message is long; only its beginning was read."] if reading.is_cut else []
    unread = unread_script(reading.text, at_least=0.5 if has_calls else 0.2)
    if unread:
        found.append(
            f"Much of the message is in {unread} script, of which the embedded agent reads no words"
            " but those that a tool's definition spells in the same way."
        )
    return tuple(found)


def _warnings(
    rated: list[Rated], margin: float, reading: MessageReading, called: list[str]
) -> tuple[str, ...]:
    found: list[str] = []
    if called and len(rated) > 1 and margin < OVERLAP:
        first, second = rated[0].evidence, rated[1].evidence
        if second.document.name in called:
            # Both are asked for: neither stands in the other's place.
            return tuple(found)
        shared = sorted(
            first.matched & second.matched, key=lambda stem: (-reading.query[stem], stem)
        )
        spoken = ", ".join(f"`{reading.word(stem)}`" for stem in shared)
        pair = f"`{first.document.name}` and `{second.document.name}`"
        what = "tie, decided by name order" if margin < TIE else "overlap"
        both = f"; both explain {spoken}" if spoken else ""
        found.append(f"{pair} {what} (margin {margin:.2f}){both}.")
    return tuple(found)


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
