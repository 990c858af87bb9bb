"""The outcome of an interleaved comparison of two states."""

from collections.abc import Hashable, Mapping
from functools import cached_property

from msgspec import Struct
from msgspec.structs import replace

from evaltui.core.case import CaseKey
from evaltui.core.json_value import JsonObject
from evaltui.core.paired_runs import PairedCase, PairedRuns
from evaltui.core.proof import Level, Proof, Standing, weigh
from evaltui.core.statistics.trials import Planned, Trials, TwoSides


class AbPair(Struct, frozen=True):
    """One case on both sides."""

    sides: TwoSides = TwoSides()
    """All trials, further ones among them."""
    lost_before: int = 0
    """Attempts that got no answer: they are no trials, so that what is counted is of the others."""
    lost_now: int = 0
    why_lost: str = ""
    """Of the first of them."""
    reason: str = ""
    """Of its last failure now, or why it was not judged."""
    cluster: Hashable = None

    def after(self, trial: Trials, *, is_now: bool) -> "AbPair":
        """With one more trial of a side."""
        then, now = self.sides.baseline, self.sides.now
        sides = TwoSides(then, now + trial) if is_now else TwoSides(then + trial, now)
        return replace(self, sides=sides)

    def without_answer(self, why: str, *, is_now: bool) -> "AbPair":
        """With one more attempt of a side that got no answer."""
        lost = {"lost_now": self.lost_now + 1} if is_now else {"lost_before": self.lost_before + 1}
        return replace(self, why_lost=self.why_lost or why, **lost)

    @property
    def errors(self) -> int:
        """Attempts of either side that got no answer."""
        return self.lost_before + self.lost_now

    @property
    def has_fallen(self) -> bool:
        """Whether a smaller share passes now."""
        return self.sides.has_fallen

    @property
    def has_risen(self) -> bool:
        return self.sides.exchanged.has_fallen


class AbReport(Struct, frozen=True, dict=True):
    """Passes of the same cases, asked in one run and in random order."""

    before: str
    """What is compared with: a commit or an agent."""
    now: str
    agents: tuple[str, str]
    cases: int
    """All there are; the others than `pairs` cannot differ."""
    pairs: Mapping[CaseKey, AbPair]
    """Those that can, as fixed before the first trial."""
    seed: int
    alpha: float
    max_trials: int
    certain: frozenset[CaseKey] = frozenset()
    """Those that come to the same verdict each time: a change of them needs no proof."""
    wanted: int = 0
    """Trials of both sides, but for further ones of what is undecided."""
    calls: int = 0
    """Trials that came to an end."""
    cost_usd: float | None = None
    stopped: str = ""
    """Why not all trials were made, in words; empty when they were."""
    as_now: tuple[str, ...] = ()
    """Sources of tools, and files, that are the same on both sides, since no commit holds them."""
    muted: int = 0
    """Cases that were not asked, since their failures do not count."""
    unread: tuple[str, ...] = ()
    """Why not all tools of now can be read."""
    planned: Mapping[CaseKey, AbPair] | None = None
    """The pairs before any further trial was made; `None`: none was."""

    @cached_property
    def proofs(self) -> Mapping[CaseKey, Proof]:
        """What is proven of each case that was answered on both sides."""
        return self._weighed(self._judged)

    @cached_property
    def _proofs_up(self) -> Mapping[CaseKey, Proof]:
        """The other way round, as if what was before were now."""
        return self._weighed({key: sides.exchanged for key, sides in self._judged.items()})

    @property
    def worse(self) -> tuple[CaseKey, ...]:
        """Proven to pass less often now, the surest first."""
        return _standing(self.proofs, Standing.REGRESSED)

    @property
    def better(self) -> tuple[CaseKey, ...]:
        """Proven to pass more often now."""
        return _standing(self.proofs, Standing.IMPROVED)

    def moved(self, *, is_up: bool) -> dict[CaseKey, int | None]:
        """Cases that pass less often now (more often, if `is_up`) and are not proven to, each with
        how many further trials a side would prove it, if all went that way; `None`: too many."""
        return {
            key: proof.further
            for key, proof in (self._proofs_up if is_up else self.proofs).items()
            if proof.standing is Standing.OPEN
            and (self.pairs[key].has_risen if is_up else self.pairs[key].has_fallen)
        }

    @property
    def cut_short(self) -> str:
        """Which trials were not made, and why; empty where all were."""
        if not self.stopped:
            return ""
        left = max(0, self.wanted - self.calls)
        what = f"{left:,} of {self.wanted:,} trials were" if left else "some further trials were"
        return f"{what} not made: {self.stopped}"

    @property
    def whole(self) -> PairedRuns | None:
        """All cases that can differ together, by the trials that were planned; `None` where none
        was answered on both sides."""
        pairs = self.pairs if self.planned is None else self.planned
        return PairedRuns.of(
            PairedCase.of(
                Planned(pair.sides.baseline, pair.lost_before),
                Planned(pair.sides.now, pair.lost_now),
                pair.cluster,
            )
            for pair in pairs.values()
            if pair.sides.has_both
        )

    @cached_property
    def incomplete(self) -> tuple[AbPair, ...]:
        """Cases of which an attempt got no answer: they were compared in part, or not at all.

        Whatever kept the answer away may be what differs between the sides: those that were
        answered alone speak for neither.
        """
        return tuple(pair for pair in self.pairs.values() if pair.errors)

    def is_weighed(self, key: CaseKey) -> bool:
        """Whether its trials were weighed: both sides answered, and it may come to another verdict
        the next time."""
        return key in self._judged and key not in self.certain

    @property
    def compared_nothing(self) -> bool:
        """Whether there are cases that can differ, and none was answered on both sides."""
        return bool(self.pairs) and not self._judged

    def document(self) -> JsonObject:
        """For programs."""
        whole, proofs = self.whole, self.proofs
        return {
            "before": self.before,
            "now": self.now,
            "agents": list(self.agents),
            "cases": self.cases,
            "affected": len(self.pairs),
            "seed": self.seed,
            "alpha": self.alpha,
            "trials": self.wanted,
            "calls": self.calls,
            "costUsd": self.cost_usd,
            "stopped": self.stopped,
            "sameOnBothSides": list(self.as_now),
            "unread": list(self.unread),
            "muted": self.muted,
            "incomplete": len(self.incomplete),
            "regressed": [str(key) for key in _standing(proofs, Standing.REGRESSED)],
            "improved": [str(key) for key in _standing(proofs, Standing.IMPROVED)],
            "paired": None if whole is None else whole.document(),
            "pairs": [
                {
                    "case": str(key),
                    "before": _counted(pair.sides.baseline, pair.lost_before),
                    "now": _counted(pair.sides.now, pair.lost_now),
                    "errors": pair.errors,
                    "e": proofs[key].e_for_json if self.is_weighed(key) else None,
                    "verdict": _verdict(pair, proofs.get(key)),
                    "reason": pair.reason or pair.why_lost,
                }
                for key, pair in self.pairs.items()
            ],
        }

    @cached_property
    def _judged(self) -> Mapping[CaseKey, TwoSides]:
        return {key: pair.sides for key, pair in self.pairs.items() if pair.sides.has_both}

    def _weighed(self, sides: Mapping[CaseKey, TwoSides]) -> Mapping[CaseKey, Proof]:
        varying = len(self.pairs.keys() - self.certain)
        level = Level(varying, self.alpha, self.max_trials, has_both=True)
        proofs = weigh({key: two for key, two in sides.items() if key not in self.certain}, level)
        sure = {key: two for key, two in sides.items() if key in self.certain}
        return proofs | {key: Proof(key, two, _surely(two)) for key, two in sure.items()}


def _standing(proofs: Mapping[CaseKey, Proof], standing: Standing) -> tuple[CaseKey, ...]:
    """The surest first."""
    found = [proof for proof in proofs.values() if proof.standing is standing]
    return tuple(proof.key for proof in sorted(found, key=lambda proof: -proof.e))


def _surely(sides: TwoSides) -> Standing:
    passes, before = sides.now.passes, sides.baseline.passes
    if passes == before:
        return Standing.OPEN
    return Standing.REGRESSED if passes < before else Standing.IMPROVED


def _verdict(pair: AbPair, proof: Proof | None) -> str:
    """`undecided` is what may have become worse and further trials can settle, as everywhere."""
    if proof is None:
        return "not judged"
    if proof.standing is not Standing.OPEN:
        return proof.standing.value
    if pair.has_risen:
        return "moved up"
    if not pair.has_fallen:
        return "as before"
    return "undecided" if proof.is_undecided else "moved"


def _counted(trials: Trials, lost: int) -> JsonObject:
    return {"passes": trials.passes, "trials": trials.count, "errors": lost}
