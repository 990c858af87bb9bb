"""Further trials of undecided cases: each where it decides most, as far as it can be paid."""

from collections.abc import Callable, Iterable, Mapping
from itertools import takewhile

from msgspec.structs import replace

from evaltui.core.case import CaseKey
from evaltui.core.proof import Proof, is_undecided_pass, undecided
from evaltui.core.result import JUDGED, CaseResult, CaseStatus
from evaltui.runner.trials import as_attempt, with_another
from evaltui.session.trials.evidence import Evidence

_MOST_UNANSWERED = 2
"""Attempts at a case in a row without an answer: it is not tried again."""
_MOST_SILENT = 6
"""The same of all cases together: nothing is tried again."""


class FurtherTrials:
    """Of the cases of one run. What came of each is kept here until the run is recorded."""

    def __init__(
        self,
        evidence: Evidence,
        may_go_on: Callable[[tuple[CaseKey, ...]], bool],
        *,
        settles_passes: bool = False,
    ) -> None:
        """`settles_passes`: somebody asked for these cases to be settled, so that those go on too
        that pass and fail more often than before all the same."""
        self._evidence = evidence
        self._may_go_on = may_go_on
        self._settles_passes = settles_passes
        self.results: dict[CaseKey, CaseResult] = {}
        """The last one of each case, with all of its attempts."""
        self._earlier: set[CaseKey] = set()
        """Those of which this run made no attempt yet: what there is of them is recorded."""
        self.unanswered: tuple[CaseKey, ...] = ()
        """Cases that stay undecided since their last attempts got no answer."""
        self._silent = 0
        """Further trials in a row that told nothing, as an error does."""
        self._tried: set[CaseKey] = set()
        """Cases that fell in this run, and were tried again because of it."""
        self._asked: dict[CaseKey, CaseResult] = {}

    @property
    def made(self) -> Iterable[CaseResult]:
        """What there is to record."""
        return (result for key, result in self.results.items() if key not in self._earlier)

    def go_on_with(self, results: Iterable[CaseResult]) -> None:
        """Try those again too that the interrupted run had finished: their attempts count once."""
        for one in results:
            tried = one.tried or (as_attempt(one, one.trial),)
            attempts = tuple(replace(attempt, was_counted=True) for attempt in tried)
            self.results[one.key] = replace(one, attempts=attempts, was_judged_again=False)
            self._earlier.add(one.key)

    def next(self, most: int) -> dict[CaseKey, int]:
        """So many cases, each with the number of its next attempt; empty when nothing is worth one,
        or it may not be paid. The list of what is proven is made anew first."""
        for key, before in self._asked.items():
            told = self.results[key].trials_judged != before.trials_judged
            self._silent = 0 if told else self._silent + 1
        self._evidence.tell()
        proofs = self._evidence.proofs
        # One that passed this time is no fall to be decided, whatever its earlier trials were; one
        # that fell is decided by its trials, and not by a pass among them.
        fallen = self._evidence.fallen(self.results.values()) | self._tried
        open_ = undecided(proofs, fallen | self._passed(proofs) | self._erred(proofs))
        given_up = {key for key in open_ if _errors_at_end(self.results[key]) >= _MOST_UNANSWERED}
        wanted = [key for key in open_ if key not in given_up]
        if self._silent >= _MOST_SILENT:
            given_up, wanted = {*open_}, []
        self.unanswered = tuple(key for key in open_ if key in given_up)
        keys = tuple(key for key, _ in zip(wanted, range(most), strict=False))
        if not keys or not self._may_go_on(keys):
            return {}
        self._asked = {key: self.results[key] for key in keys}
        self._tried.update(fallen.intersection(keys))
        return {key: self._number(key, proofs[key]) for key in keys}

    def add(self, result: CaseResult) -> CaseResult:
        """Take a result, or that of one more attempt; returns all attempts of the case as one."""
        before = self.results.get(result.key)
        whole = result if before is None else with_another(before, result)
        self.results[result.key] = whole
        self._earlier.discard(result.key)
        return whole

    def _passed(self, proofs: Mapping[CaseKey, Proof]) -> set[CaseKey]:
        """Those whose pass settles nothing, where that is asked for."""
        passed = self.results.values() if self._settles_passes else ()
        return {one.key for one in passed if is_undecided_pass(proofs.get(one.key), one)}

    def _erred(self, proofs: Mapping[CaseKey, Proof]) -> set[CaseKey]:
        """Those that passed as a rule and of which nothing is known now: whether they fell, the
        next attempt tells. None where nobody was answered: that is no accident of a case."""
        results = self.results.values()
        if not any(one.trials_judged.count for one in results):
            return set()
        return {
            one.key
            for one in results
            if one.status is CaseStatus.ERROR
            and not one.trials_judged.count
            and one.key in proofs
            and proofs[one.key].sides.baseline.pass_mostly
        }

    def _number(self, key: CaseKey, proof: Proof) -> int:
        """Of an attempt that shares no recording with one that counts already."""
        return max(len(self.results[key].attempts), 1, proof.sides.now.count)


def _errors_at_end(result: CaseResult) -> int:
    """How many of its last attempts in a row were not judged."""
    statuses = [one.status for one in result.tried] or [result.status]
    return len([*takewhile(lambda status: status not in JUDGED, reversed(statuses))])
