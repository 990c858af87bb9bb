"""What trials prove of the cases of each agent, as it was told last."""

from collections.abc import Mapping
from types import MappingProxyType

from evaltui.core.case import CaseKey
from evaltui.core.events import EvidenceWeighed
from evaltui.core.proof import Proof

_NONE: Mapping[CaseKey, Proof] = MappingProxyType({})


class KnownProofs:
    """For listeners without a board, whose rows have their own."""

    def __init__(self) -> None:
        self._by_agent: dict[str, dict[CaseKey, Proof]] = {}

    def hear(self, event: EvidenceWeighed) -> None:
        known = self._by_agent.setdefault(event.agent, {})
        if event.is_whole:
            known.clear()
        known.update((proof.key, proof) for proof in event.proofs)

    def of(self, agent: str) -> Mapping[CaseKey, Proof]:
        return self._by_agent.get(agent, _NONE)
