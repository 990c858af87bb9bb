"""The router: one message and one index in, one decision out. Pure and deterministic."""

from bisect import insort
from operator import itemgetter

from evaltui.agents.embedded.decision import OVERLAP, TIE, Call, Candidate, Decision
from evaltui.agents.embedded.filling import Filling, fill, most
from evaltui.agents.embedded.gate import Terms, sigmoid, terms
from evaltui.agents.embedded.index import RegistryIndex
from evaltui.agents.embedded.message import MessageReading, read_message
from evaltui.agents.embedded.scoring import Evidence, weigh
from evaltui.agents.embedded.scripts import unread_script
from evaltui.agents.embedded.several import Rated, choose, clause_scores
from evaltui.core.config import CALL_AT

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
    bounds = sorted(
        [
            (-terms(e, *most(e.document, reading)).logit, -e.bm25, e.document.name, e)
            for e in weighed
        ],
        key=itemgetter(0, 1, 2),
    )
    found: list[tuple[float, float, str, tuple[Evidence, Filling, Terms, float]]] = []
    logits: list[float] = []
    for bound, bm25, name, evidence in bounds:
        if len(logits) >= SHOWN and logits[SHOWN - 1] < bound:
            break
        filling = fill(evidence.document, reading)
        weighted = terms(evidence, filling.evidence, filling.extra)
        logit = weighted.logit
        found.append((-logit, bm25, name, (evidence, filling, weighted, sigmoid(logit))))
        insort(logits, -logit)
    found.sort(key=itemgetter(0, 1, 2))
    return [row[3] for row in found[:SHOWN]]


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
