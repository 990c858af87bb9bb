"""What a case that passed in the baseline and fails now is called: the board's word and mark."""

from evaltui.core.case import CaseKey
from evaltui.core.events import Event, EvidenceWeighed, ProjectRead
from evaltui.core.proof import Proof, Standing, settled_in_words
from evaltui.core.result import SuiteResult
from evaltui.reporters.muted_failures import Mutes
from evaltui.store.row import RowMark


class Falls:
    """By agent, and by case: of one that may answer otherwise the next time a fall alone is no
    proof; its trials may be."""

    hears = frozenset({ProjectRead, EvidenceWeighed})

    def __init__(self) -> None:
        self._sampled: frozenset[str] = frozenset()
        self._proofs: dict[str, dict[CaseKey, Proof]] = {}

    def handle(self, event: Event) -> None:
        if isinstance(event, ProjectRead):
            self._sampled = frozenset(event.sampled)
        elif isinstance(event, EvidenceWeighed):
            known = self._proofs.setdefault(event.agent, {})
            if event.is_whole:
                known.clear()
            known.update((proof.key, proof) for proof in event.proofs)

    def mark(self, agent: str, key: CaseKey | None = None) -> str:
        return "↓?" if self._is_doubtful(agent, key) else "↓"

    def word(self, agent: str, key: CaseKey | None = None) -> str:
        """`moved` or `regressed`."""
        return (RowMark.MOVED if self._is_doubtful(agent, key) else RowMark.REGRESSED).value

    def noun(self, agent: str, key: CaseKey | None = None) -> str:
        """`moved` or `regression`, for a title of one."""
        return RowMark.MOVED.value if self._is_doubtful(agent, key) else "regression"

    def nouns(self, agent: str) -> str:
        """`moved` or `regressions`, behind their number or over it: of a sampled agent those that
        are proven are among them."""
        return self.word(agent) if agent in self._sampled else "regressions"

    def of_suite(self, suite: SuiteResult, mutes: Mutes) -> tuple[str, ...]:
        """Ids of cases that regressed and count; those too that are proven to be worse though the
        last of their trials passed."""
        listed = mutes.regressions(suite)
        proofs = self._proofs.get(suite.agent, {})
        ids = (case.key.case for case in suite.cases if _is_proven(proofs.get(case.key)))
        unlisted = (case for case in ids if not mutes.covers(CaseKey(suite.suite, case)))
        return tuple(dict.fromkeys((*listed, *unlisted)))

    def evidence(self, agent: str, key: CaseKey) -> str:
        """`20/20 → 0/1, e = 3.5: undecided, 3 more failures would prove it`; empty where no trials
        were weighed."""
        proof = self._proofs.get(agent, {}).get(key)
        if proof is None or not proof.sides.now.count or not proof.sides.baseline.count:
            return ""
        return f"{proof}: {settled_in_words(proof)}"

    def _is_doubtful(self, agent: str, key: CaseKey | None) -> bool:
        if agent not in self._sampled:
            return False
        proof = self._proofs.get(agent, {}).get(key) if key is not None else None
        return not _is_proven(proof)


def _is_proven(proof: Proof | None) -> bool:
    return proof is not None and proof.standing is Standing.REGRESSED
