"""What changed in the store since it was last read."""

from collections.abc import Collection

from msgspec import Struct, field

from evaltui.core.case import CaseKey


class Changes(Struct, eq=False):
    """Drained by one reader, e.g. the screen's pump, at its own pace."""

    rows: dict[str, set[CaseKey]] = field(default_factory=dict)
    """Keys by agent."""
    counts: dict[str, set[str]] = field(default_factory=dict)
    """Suites whose counts moved, by agent; the counts are brought up to date already."""
    is_queue_changed: bool = False
    """Cases were queued, too many to name: their phase is another, their status is not."""
    is_rearranged: bool = False
    """Cases came, went or moved."""
    is_run_changed: bool = False
    is_problems_changed: bool = False
    is_registry_changed: bool = False
    is_baselines_changed: bool = False
    idle_saves: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """By agent, the files last saved that change none of its results while others come in: the
    headline is about those."""

    def __bool__(self) -> bool:
        return bool(
            self.rows
            or self.idle_saves
            or self.is_queue_changed
            or self.is_rearranged
            or self.is_run_changed
            or self.is_problems_changed
            or self.is_registry_changed
            or self.is_baselines_changed
        )

    def note(self, agent: str, keys: Collection[CaseKey], suites: Collection[str]) -> None:
        """Rows of an agent changed, and with them the counts of `suites`."""
        self.rows.setdefault(agent, set()).update(keys)
        if suites:
            self.counts.setdefault(agent, set()).update(suites)
