"""What is being done with cases at this moment; their last results stay visible meanwhile."""

from collections.abc import Container

from msgspec import Struct, field

from evaltui.core.case import CaseKey
from evaltui.store.row import Phase, Row


class Activity(Struct):
    """The rows of a board that wait or run; all others are idle."""

    _rows: dict[CaseKey, tuple[Row, str]] = field(default_factory=dict)
    """Each with the run that has it wait or run."""

    def __len__(self) -> int:
        return len(self._rows)

    def enqueue(self, row: Row, run_id: str = "") -> None:
        """A case waits for its turn."""
        row.phase = Phase.QUEUED
        self._rows[row.key] = row, run_id

    def begin(self, row: Row, at: float, run_id: str = "") -> None:
        """A case is asked; `at` is the time of it, 0.0 when that is not known."""
        if row.phase is not Phase.RUNNING:  # else it is another attempt of the same
            row.started_at = at
        row.phase = Phase.RUNNING
        row.live_text = ""
        row.live_calls = []
        self._rows[row.key] = row, run_id

    def finish(self, row: Row) -> None:
        """A case has its result."""
        row.phase = Phase.IDLE
        row.live_text = ""
        row.live_calls = []
        self._rows.pop(row.key, None)

    def remove(self, key: CaseKey) -> None:
        """Forget a case that is gone."""
        self._rows.pop(key, None)

    def settle(self, on: Container[str] = ()) -> set[CaseKey]:
        """End of a run: whatever did not finish is idle again, but for what belongs to runs that
        are `on`. Returns its keys."""
        over = {key: row for key, (row, run_id) in self._rows.items() if run_id not in on}
        for key, row in over.items():
            row.phase = Phase.IDLE
            del self._rows[key]
        return set(over)
