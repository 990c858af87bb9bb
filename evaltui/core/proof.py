"""What the trials of a case prove: whether it got worse or better beyond doubt, or what it takes.

The one owner of the list of proven cases. Whoever shows a mark, gates on it or spends a trial asks
this, or hears of it as `EvidenceWeighed`.
"""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from math import isfinite

from msgspec import Struct

from evaltui.core.baseline import Change
from evaltui.core.case import CaseKey
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.core.statistics.rates import Stability, stability
from evaltui.core.statistics.trials import Trials, TwoSides

NEEDS_TOO_MANY = "not proven, and more trials than one case may take would be needed"


class Standing(StrEnum):
    """What is proven of a case."""

    REGRESSED = "regressed"
    IMPROVED = "improved"
    OPEN = "open"
    """Neither, as far as its trials say."""


class Proof(Struct, frozen=True, gc=False):
    """The trials of one case under the inputs of its baseline and those of now."""

    key: CaseKey
    sides: TwoSides = TwoSides()
    standing: Standing = Standing.OPEN
    further: int | None = None
    """How many more trials would prove that it regressed, if they all failed; `None` where all
    trials of now passed, it is on a list already, or more would be needed than one case may
    take."""
    is_judged_otherwise: bool = False
    """Only what is expected of the answers changed since the pin, nothing that shapes them."""
    is_due: bool = False
    """Its inputs were edited since its last trial, so that none of its trials is one of now."""
    is_as_pinned: bool = False
    """Of one that is due: the edit was taken back, so that those of the baseline are."""
    bar_if_better: float | None = None
    """The bar that `e_of_rise` has to reach to prove that it got better, of one on no list whose
    trials speak for that."""

    @property
    def e(self) -> float:
        """The e-value: that it got worse; of what improved, that it got better."""
        from evaltui.core.statistics.e_value import e_value

        return self.e_of_rise if self.standing is Standing.IMPROVED else e_value(self.sides)

    @property
    def e_of_rise(self) -> float:
        """The e-value that it got better, whether that is proven or not."""
        from evaltui.core.statistics.e_value import e_value

        return e_value(self.sides.exchanged)

    @property
    def e_for_json(self) -> float | None:
        """For programs; `None` beyond what JSON can hold."""
        return _for_json(self.e)

    @property
    def e_of_rise_for_json(self) -> float | None:
        return _for_json(self.e_of_rise)

    @property
    def has_regressed(self) -> bool:
        return self.standing is Standing.REGRESSED

    @property
    def is_undecided(self) -> bool:
        """Neither is proven, and further failures could prove that it got worse. It is to be said
        of a case only where that may be: see `may_be_worse`."""
        return self.standing is Standing.OPEN and self.further is not None

    @property
    def is_flaky(self) -> bool:
        """Both outcomes under the inputs of now; of one that is due there is none with them yet."""
        if self.is_due:
            return False
        of_now = self.of_now
        return stability(of_now.passes, of_now.count) is Stability.FLAKY

    @property
    def passed_as_a_rule(self) -> bool:
        """Most trials under the inputs of the baseline passed, and one of now failed. Such a case
        has moved even where its pin counts as a failure, since a few of its trials failed."""
        return bool(self.sides.now.failures) and self.sides.baseline.pass_mostly

    @property
    def of_now(self) -> Trials:
        """Under the inputs of now; without an edit since the pin, those of the baseline."""
        return self.sides.now if self.sides.now.count else self.sides.baseline

    def may_be_better(self, *, has_moved: bool) -> bool:
        """Whether its trials speak for that, though they do not prove it; one that moved, since it
        fails this time, is watched for getting worse."""
        return self.bar_if_better is not None and not has_moved

    def in_words(self, *, has_moved: bool = True) -> str:
        """`20/20 → 0/4, e = 1703`; see `in_figures`."""
        e = self.e_of_rise if self.may_be_better(has_moved=has_moved) else self.e
        return f"{self.sides}, e = {in_figures(e)}"

    def __str__(self) -> str:
        return self.in_words()


def _for_json(e: float) -> float | None:
    return float(f"{e:.6g}") if isfinite(e) else None


class Level(Struct, frozen=True):
    """What a proof takes: of the settings, and of what was edited."""

    affected: int
    """Cases that the edit can affect, fixed before the first trial."""
    alpha: float = 0.1
    """Share of the list that may be wrong."""
    max_trials: int = 20
    """Trials under the inputs of now that one case may take."""
    has_both: bool = False
    """Whether each further trial is made on both sides, and that of the baseline would pass."""


def weigh(cases: Mapping[CaseKey, TwoSides], level: Level) -> dict[CaseKey, Proof]:
    """The proof of each case; only trials of this moment count, never what once was.

    Cases that the edit cannot affect must not be among them.
    """
    from evaltui.core.statistics.e_value import e_value
    from evaltui.core.statistics.proven import ProvenList, failures_to_prove

    affected = max(level.affected, len(cases))
    # A case that a recording answered may have fallen without a trial of now: recordings are none.
    falls = {
        key: sides for key, sides in cases.items() if sides.now.failures or not sides.now.count
    }
    rises = {
        key: sides.exchanged
        for key, sides in cases.items()
        if sides.now.passes and sides.baseline.failures
    }
    fallen = ProvenList(falls, affected, level.alpha)
    worse, wanted = {*fallen.keys}, fallen.bars()
    risen = ProvenList(rises, affected, level.alpha)
    better, wanted_of_better = {*risen.keys}, risen.bars()
    found: dict[CaseKey, Proof] = {}
    for key, sides in cases.items():
        if key in worse:
            found[key] = Proof(key, sides, Standing.REGRESSED)
        elif key in better:
            found[key] = Proof(key, sides, Standing.IMPROVED)
        else:
            left = level.max_trials - sides.now.count
            bar = wanted.get(key)
            further = None
            if bar is not None and left > 0:
                further = failures_to_prove(sides, bar, left, has_both=level.has_both)
            to_rise = wanted_of_better.get(key)
            if to_rise is not None and e_value(sides.exchanged) > 1:
                found[key] = Proof(key, sides, further=further, bar_if_better=float(to_rise))
            else:
                found[key] = Proof(key, sides, further=further)
    return found


def has_moved(change: Change, proof: Proof | None, result: CaseResult | None) -> bool:
    """Whether a case fell, which nothing proves: the one owner of what is *moved*.

    `change`: by the contract's list; `result`: its last one. A case that was pinned with some
    failures among its trials is on no list of the contract's, and has moved all the same once it
    does not pass more often than it fails.
    """
    if proof is not None and proof.standing is not Standing.OPEN:
        return False
    if change is Change.REGRESSED:
        return True
    is_known = change is Change.SAME and proof is not None and proof.passed_as_a_rule
    return is_known and result is not None and fails_as_often(result)


def fails_as_often(result: CaseResult) -> bool:
    """As it passes, by the attempts of that result alone."""
    return result.status is CaseStatus.FAILED and not result.trials_judged.pass_mostly


def undecided(proofs: Mapping[CaseKey, Proof], keys: Iterable[CaseKey]) -> list[CaseKey]:
    """Those of the cases that further trials could prove to be worse, the nearest to it first; of
    equally near ones the first by name."""
    found = (proofs[key] for key in keys if key in proofs and proofs[key].is_undecided)
    return [proof.key for proof in sorted(found, key=lambda proof: (-proof.e, proof.key))]


def is_flaky(result: CaseResult | None, proof: Proof | None) -> bool:
    """Some repeats passed and some did not, in that result or over all runs with its inputs."""
    if proof is not None and proof.is_flaky:
        return True
    if result is None or (result.trials < 2 and not result.attempts):
        return False  # one attempt, as of nearly all: each row is asked when it changes
    judged = result.trials_judged
    return stability(judged.passes, judged.count) is Stability.FLAKY


def is_undecided_pass(proof: Proof | None, result: CaseResult) -> bool:
    """Whether a case passed this time that did as a rule before, while with the inputs of now it
    fails as often as it passes: no fall, and further failures would prove that it got worse."""
    if proof is None or not proof.is_undecided:
        return False
    is_fall = proof.passed_as_a_rule and not proof.sides.now.pass_mostly
    return is_fall and result.status is CaseStatus.PASSED


def may_be_worse(proof: Proof | None, result: CaseResult, *, has_moved: bool) -> bool:
    """Whether there is something to be decided of a case: it moved, or its pass settles nothing."""
    return has_moved or is_undecided_pass(proof, result)


def why_fallen(result: CaseResult) -> str:
    """Why a case that regressed or moved did: the reason of its result; of one that is proven to be
    worse and passed all the same, that."""
    if result.status is CaseStatus.PASSED:
        return "passed this time, and passes less often than before"
    return result.error


def evidence_in_words(proof: Proof, *, has_moved: bool = True, is_muted: bool = False) -> str:
    """`20/20 → 0/1, e = 3.5: undecided, 3 more failures would prove it`; of what moved,
    although one side has no trials, why nothing can be proven; empty where there is nothing to say.
    """
    if proof.sides.has_both:
        settled = settled_in_words(proof, has_moved=has_moved, is_muted=is_muted)
        return f"{proof.in_words(has_moved=has_moved)}: {settled}"
    is_open = has_moved and proof.standing is Standing.OPEN
    return why_unproven(proof) if is_open and not is_muted else ""


def why_unproven(proof: Proof) -> str:
    """`0/2 now, undecided: no trial of the baseline counts`, of a proof that lacks trials of one
    side."""
    known = f"{proof.sides.now} now, " if proof.sides.now.count else ""
    if proof.is_as_pinned:
        passed = f"{proof.sides.baseline} passed with them"
        return f"the inputs of now are the pinned ones again: {passed}"
    if proof.is_due:
        return "undecided: no trial with the inputs of now yet"
    if proof.sides.baseline.count:
        return f"{known}undecided: no trial with other inputs than the pinned ones"
    return f"{known}undecided: no trial of the baseline counts"


def settled_in_words(proof: Proof, *, has_moved: bool = True, is_muted: bool = False) -> str:
    """`regressed`, `improved`, or `undecided, 3 more failures would prove it`; of a case that did
    not move, unless it `may_be_worse` all the same, there is nothing to be decided, and of one that
    `is_muted` nothing is."""
    changed = ", but only what is expected of it changed since the pin"
    changed = changed if proof.is_judged_otherwise else ""
    if proof.standing is not Standing.OPEN:
        return f"{proof.standing.value}{changed}"
    if is_muted:
        return "not weighed while it is muted"
    if proof.may_be_better(has_moved=has_moved):
        return f"not proven to be better, which takes e = {in_figures(proof.bar_if_better or 0)}"
    if not proof.sides.now.failures or not (has_moved or proof.sides.has_fallen):
        return "nothing says that it got worse"
    if not proof.is_undecided:
        return NEEDS_TOO_MANY
    failures = "1 more failure" if proof.further == 1 else f"{proof.further} more failures"
    return f"{'undecided' if has_moved else 'not proven'}, {failures} would prove it{changed}"


def in_figures(e: float) -> str:
    """`2.5`, `1703`, `2.1 million`, and what is beyond a billion as that.

    >>> in_figures(2.46), in_figures(1703.4), in_figures(629573.2), in_figures(0.004)
    ('2.5', '1703', '629573', '0.004')
    >>> in_figures(2.1e6), in_figures(999.7e6), in_figures(3.2e12)
    ('2.1 million', '1000 million', 'over a billion')
    """
    if e >= 1e9:
        return "over a billion"
    if e >= 999_999.5:  # what six digits cannot say
        return f"{e / 1e6:.{1 if e < 1e7 else 0}f} million"
    if e >= 100:
        return f"{e:.0f}"
    return f"{e:.1f}" if e >= 1 else f"{e:.2g}"
