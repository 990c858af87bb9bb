"""What a case that passed in the baseline and fails now is called: the board's word and mark."""

from collections.abc import Collection, Iterable

from evaltui.core.case import CaseKey
from evaltui.core.events import Event, EvidenceWeighed, ProjectRead
from evaltui.core.proof import Proof, Standing, is_flaky, settled_in_words, why_fallen
from evaltui.core.result import CaseResult, SuiteResult
from evaltui.reporters.muted_failures import Mutes
from evaltui.store.row import RowMark


class Falls:
    """By agent, and by case: of one that may answer otherwise the next time a fall alone is no
    proof; its trials may be."""

    hears = frozenset({ProjectRead, EvidenceWeighed})

    def __init__(self) -> None:
        self._sampled: frozenset[str] = frozenset()
        self._certain: frozenset[CaseKey] = frozenset()
        """Cases for which no agent is asked."""
        self._proofs: dict[str, dict[CaseKey, Proof]] = {}

    def handle(self, event: Event) -> None:
        if isinstance(event, ProjectRead):
            self._sampled = frozenset(event.sampled)
            cases = (case for suite in event.suites for case in suite.cases)
            self._certain = frozenset(case.key for case in cases if not case.asks_agent)
        elif isinstance(event, EvidenceWeighed):
            known = self._proofs.setdefault(event.agent, {})
            if event.is_whole:
                known.clear()
            known.update((proof.key, proof) for proof in event.proofs)

    def mark(self, agent: str, key: CaseKey) -> str:
        return "↓?" if self._is_doubtful(agent, key) else "↓"

    def word(self, agent: str, key: CaseKey) -> str:
        """`moved` or `regressed`."""
        return (RowMark.MOVED if self._is_doubtful(agent, key) else RowMark.REGRESSED).value

    def noun(self, agent: str, key: CaseKey) -> str:
        """`moved` or `regression`, for a title of one."""
        return RowMark.MOVED.value if self._is_doubtful(agent, key) else "regression"

    def counts(self, agent: str, fallen: Collection[CaseKey]) -> dict[str, int]:
        """How many of these are `regressed`, and `moved` where the agent may answer otherwise."""
        moved = sum(self._is_doubtful(agent, key) for key in fallen)
        counted = {RowMark.REGRESSED.value: len(fallen) - moved}
        return counted | ({RowMark.MOVED.value: moved} if agent in self._sampled else {})

    def of_suite(self, suite: SuiteResult, mutes: Mutes) -> tuple[CaseKey, ...]:
        """Cases that regressed or moved, and count; those too that are proven to be worse though
        the last of their trials passed."""
        listed = (CaseKey(suite.suite, case) for case in mutes.regressions(suite))
        proofs = self._proofs.get(suite.agent, {})
        proven = (case.key for case in suite.cases if _is_proven(proofs.get(case.key)))
        return tuple(dict.fromkeys((*listed, *(key for key in proven if not mutes.covers(key)))))

    def of_run(self, suites: Iterable[SuiteResult], mutes: Mutes) -> frozenset[CaseKey]:
        """The same of all its suites."""
        return frozenset(key for suite in suites for key in self.of_suite(suite, mutes))

    def why(self, result: CaseResult) -> str:
        """Why one that fell did: its own reason, or that it passed this time."""
        return why_fallen(result)

    def is_flaky(self, result: CaseResult) -> bool:
        """As on the board: both outcomes in this result, or over all runs with the same inputs."""
        return is_flaky(result, self._proofs.get(result.agent, {}).get(result.key))

    def evidence(self, agent: str, key: CaseKey, *, has_fallen: bool = True) -> str:
        """`20/20 → 0/1, e = 3.5: undecided, 3 more failures would prove it`; empty where no trials
        were weighed."""
        proof = self._proofs.get(agent, {}).get(key)
        if proof is None or not proof.sides.now.count or not proof.sides.baseline.count:
            return ""
        return f"{proof}: {settled_in_words(proof, has_moved=has_fallen)}"

    def _is_doubtful(self, agent: str, key: CaseKey) -> bool:
        if agent not in self._sampled or key in self._certain:
            return False
        return not _is_proven(self._proofs.get(agent, {}).get(key))


def _is_proven(proof: Proof | None) -> bool:
    return proof is not None and proof.standing is Standing.REGRESSED
