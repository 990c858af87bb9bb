"""What a session opens beside the project: history, journal, baselines and edits."""

from collections.abc import Callable
from typing import Self

from msgspec import Struct

from evaltui.core.config import Config
from evaltui.core.errors import Problem
from evaltui.core.events import Event
from evaltui.disk.history import History
from evaltui.disk.history_insert import RunRecord
from evaltui.disk.journal import Journal
from evaltui.disk.journal_reading import recover, settle
from evaltui.session.baselines import Pinning
from evaltui.session.edits import Edits
from evaltui.session.undo import UndoStack
from evaltui.store.store import Store


class SessionResources(Struct, frozen=True):
    """All of them live as long as the session is open."""

    history: History
    journal: Journal
    pinning: Pinning
    accepting: Edits
    undo: UndoStack

    @classmethod
    def open(
        cls,
        config: Callable[[], Config],
        store: Store,
        emit: Callable[[Event], None],
        report: Callable[[Problem], None],
    ) -> Self:
        """Open everything and keep what killed runs had finished. Raises UserError.

        `config` gives the settings in force, which change while a session is open.
        """
        root = config().root
        folder = root / ".evaltui"
        history = History.open(folder, root / config().output_dir)
        journal = Journal(folder / "runs", report=report)
        _recover(journal, history)
        undo = UndoStack()
        return cls(
            history,
            journal,
            Pinning(config, history, undo, emit),
            Edits(config, store, undo, emit),
            undo,
        )

    def close(self) -> None:
        self.journal.close()
        self.history.close()


def _recover(journal: Journal, history: History) -> None:
    for lost in recover(journal.folder):
        if lost.started is not None:
            history.record(RunRecord.of(lost.started, lost.finished), lost.results)
        settle(lost)
