"""What is told later of a case replaces what was told before, and all of it where that is whole."""

from evaltui.core.case import CaseKey
from evaltui.core.events import EvidenceWeighed
from evaltui.core.proof import Proof, Standing
from evaltui.store.known_proofs import KnownProofs

ONE, TWO = CaseKey("a.json", "1"), CaseKey("a.json", "2")


def test_what_is_told_last_of_each_case_is_known_by_agent() -> None:
    proofs, open_, proven = KnownProofs(), Proof(ONE), Proof(ONE, standing=Standing.REGRESSED)
    assert not proofs.of("mine")
    proofs.hear(EvidenceWeighed("mine", (open_, Proof(TWO)), 2))
    proofs.hear(EvidenceWeighed("mine", (proven,), 2))
    assert proofs.of("mine") == {ONE: proven, TWO: Proof(TWO)}
    assert not proofs.of("other")
    proofs.hear(EvidenceWeighed("mine", (proven,), 1, is_whole=True))
    assert proofs.of("mine") == {ONE: proven}
