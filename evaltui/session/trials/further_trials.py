"""Further trials of undecided cases: each where it decides most, as far as it can be paid."""

from collections.abc import Callable, Iterable

from msgspec.structs import replace

from evaltui.core.case import CaseKey
from evaltui.core.proof import Proof, undecided
from evaltui.core.result import CaseResult
from evaltui.runner.trials import as_attempt, with_another
from evaltui.session.trials.evidence import Evidence


class FurtherTrials:
    """Of the cases of one run. What came of each is kept here until the run is recorded."""

    def __init__(
        self, evidence: Evidence, may_go_on: Callable[[tuple[CaseKey, ...]], bool]
    ) -> None:
        self._evidence = evidence
        self._may_go_on = may_go_on
        self.results: dict[CaseKey, CaseResult] = {}
        """The last one of each case, with all of its attempts."""
        self._earlier: set[CaseKey] = set()
        """Those of which this run made no attempt yet: what there is of them is recorded."""
        self._gave_up: set[CaseKey] = set()
        """Cases of which the last attempt told nothing, as an error does."""
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
            self.results[one.key] = replace(one, attempts=attempts)
            self._earlier.add(one.key)

    def next(self, most: int) -> dict[CaseKey, int]:
        """So many cases, each with the number of its next attempt; empty when nothing is worth one,
        or it may not be paid. The list of what is proven is made anew first."""
        for key, before in self._asked.items():
            if self.results[key].trials_judged == before.trials_judged:
                self._gave_up.add(key)
        self._evidence.tell()
        proofs = self._evidence.proofs
        # One that passed this time is no fall to be decided, whatever its earlier trials were; one
        # that fell is decided by its trials, and not by a pass among them.
        fallen = self._evidence.fallen(self.results.values()) | self._tried
        wanted = undecided(proofs, fallen - self._gave_up)
        keys = tuple(key for key, _ in zip(wanted, range(most), strict=False))
        if not keys or not self._may_go_on(keys):
            return {}
        self._asked = {key: self.results[key] for key in keys}
        self._tried.update(keys)
        return {key: self._number(key, proofs[key]) for key in keys}

    def add(self, result: CaseResult) -> CaseResult:
        """Take a result, or that of one more attempt; returns all attempts of the case as one."""
        before = self.results.get(result.key)
        whole = result if before is None else with_another(before, result)
        self.results[result.key] = whole
        self._earlier.discard(result.key)
        return whole

    def _number(self, key: CaseKey, proof: Proof) -> int:
        """Of an attempt that shares no recording with one that counts already."""
        return max(len(self.results[key].attempts), 1, proof.sides.now.count)
