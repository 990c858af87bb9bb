"""Which runs of an agent are on, and which one its board tells of."""

from collections.abc import Mapping

from msgspec import Struct, field

from evaltui.core.case import CaseKey
from evaltui.core.events import RunEnd, RunFinished
from evaltui.core.result import CaseResult
from evaltui.store.row import Row
from evaltui.store.run_view import RunView


class BoardRuns(Struct):
    """The current or last one, and those of commands in other terminals."""

    last: RunView | None = None
    """The current or last one of which the board tells."""
    beside: dict[str, RunView] = field(default_factory=dict)
    """Those of commands that are on, by id, while it tells what a dashboard did: their results
    reach the rows."""
    over_beside: RunView | None = None
    """The last of those that ended, until a dashboard runs something again."""
    number: int = 0

    @property
    def is_on(self) -> bool:
        """Whether the one that is told of is on."""
        return self.last is not None and self.last.end is None

    @property
    def is_under_way(self) -> bool:
        """Whether a run is on, or a save broke it off: its own run, and the rest, follow."""
        return self.last is not None and self.last.end in (None, RunEnd.SUPERSEDED)

    @property
    def ids_on(self) -> set[str]:
        """Ids of all runs that are on, those beside too."""
        return {*self.beside, *((self.last.run_id,) if self.last and self.is_on else ())}

    def of(self, run_id: str) -> RunView | None:
        """The one with that id, while it is the last one or one beside."""
        if self.last is not None and self.last.run_id == run_id:
            return self.last
        return self.beside.get(run_id)

    def is_beside(self, run: RunView) -> bool:
        """Whether it is a command's while a dashboard's is on."""
        return run.is_beside(self.last)

    def begin(self, run: RunView) -> None:
        """It is the one that is told of; a command's that was goes on beside it."""
        if self.last is not None and self.last.is_beside(run):
            self.beside[self.last.run_id] = self.last
        self.number, self.last, self.over_beside = run.number, run, None

    def compare_beside(self, row: Row, result: CaseResult, run_id: str) -> None:
        """Hold a new result of a run beside, if it is of one, against what the row had before."""
        if (run := self.beside.get(run_id)) is not None:
            run.made.compare(row, result)

    def end(self, finished: RunFinished, rows: Mapping[CaseKey, Row]) -> bool:
        """Returns whether it was the one that is told of."""
        if (beside := self.beside.pop(finished.run_id, None)) is not None:
            beside.finish(finished)
            beside.is_followed = beside.changes.is_like(beside.made_of(rows))
            self.over_beside = beside
        if self.last is None or self.last.run_id != finished.run_id:
            return False
        self.last.finish(finished)
        return True

    def follow_mutes(self, rows: Mapping[CaseKey, Row]) -> None:
        """Correct what the one beside did by what is muted now, as what a save did is."""
        if self.over_beside is not None and self.over_beside.is_followed:
            self.over_beside.changes = self.over_beside.made_of(rows)
