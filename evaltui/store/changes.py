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
        known = self.rows.get(agent)
        if known is None:
            known = self.rows[agent] = set()
        known.update(keys)
        if suites:
            self.counts.setdefault(agent, set()).update(suites)


class ChangeReaders:
    """All who drain, each with the changes since it did so last."""

    def __init__(self) -> None:
        self._readers: list[Changes] = []

    def add(self) -> Changes:
        """One more, of what changes from now on."""
        changes = Changes()
        self._readers.append(changes)
        return changes

    def drain(self, reader: Changes) -> tuple[Changes, Changes]:
        """Swap one for an empty one. Returns (what changed, the new reader)."""
        fresh = Changes()
        self._readers[self._readers.index(reader)] = fresh
        return reader, fresh

    def forget(self, reader: Changes) -> None:
        self._readers = [one for one in self._readers if one is not reader]

    def tell_aside(self, agent: str, files: tuple[str, ...]) -> None:
        """These were saved and change no result, and no headline says so."""
        for reader in self._readers:
            reader.idle_saves[agent] = files

    def note(self, agent: str, keys: Collection[CaseKey], suites: Collection[str]) -> None:
        for reader in self._readers:
            reader.note(agent, keys, suites)

    def flag(
        self,
        *,
        rearranged: bool = False,
        queue: bool = False,
        run: bool = False,
        problems: bool = False,
        registry: bool = False,
        baselines: bool = False,
    ) -> None:
        for reader in self._readers:
            reader.is_rearranged |= rearranged
            reader.is_queue_changed |= queue
            reader.is_run_changed |= run
            reader.is_problems_changed |= problems
            reader.is_registry_changed |= registry
            reader.is_baselines_changed |= baselines
