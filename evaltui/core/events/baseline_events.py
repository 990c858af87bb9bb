"""What is pinned, and what results are worth beside that."""

from evaltui.core.baseline import Baseline, Comparison
from evaltui.core.events.event_record import EventRecord
from evaltui.core.proof import Proof


class BaselineCompared(EventRecord, frozen=True, gc=False):
    run_id: str
    agent: str
    comparisons: tuple[Comparison, ...]


class EvidenceWeighed(EventRecord, frozen=True, gc=False):
    """What trials prove of some cases of an agent that may answer otherwise the next time."""

    agent: str
    proofs: tuple[Proof, ...]
    """Those that changed since they were told last; replaces what was told of their cases."""
    affected: int
    """How many cases the edits since the baseline can affect."""
    is_whole: bool = False
    """Whether nothing is known of any other case."""


class BaselinePinned(EventRecord, frozen=True, gc=False):
    """Pinned, or unpinned when `baselines` is empty for the named cases."""

    agent: str
    name: str
    baselines: tuple[Baseline, ...]
    """Every baseline in force now for this agent; replaces the earlier list."""
    message: str = ""
