"""What was done and can be taken back: pins, accepted expectations, mutes, captured cases."""

from collections import deque
from collections.abc import Callable

from msgspec import Struct

from evaltui.core.errors import ChangedSinceError, UserError


class Undoable(Struct, frozen=True):
    """One step in words, and how to take it back and do it again."""

    label: str
    undo: Callable[[], None]
    redo: Callable[[], None]


class UndoStack:
    """The last steps. One whose files others changed is forgotten, so that those below it can
    be reached; one that raises anything else stays where it was."""

    def __init__(self, limit: int = 100) -> None:
        self._done: deque[Undoable] = deque(maxlen=limit)
        self._undone: list[Undoable] = []

    @property
    def can_undo(self) -> str:
        """The label of the step that `undo` would take back; empty when there is none."""
        return self._done[-1].label if self._done else ""

    @property
    def can_redo(self) -> str:
        """The label of the step that `redo` would do again; empty when there is none."""
        return self._undone[-1].label if self._undone else ""

    def did(self, label: str, undo: Callable[[], None], redo: Callable[[], None]) -> None:
        """Remember a step just done; what was undone before can no longer be redone."""
        self._done.append(Undoable(label, undo, redo))
        self._undone.clear()

    def undo(self) -> str:
        """Take back the last step. Returns its label; raises UserError when there is none, and
        when it cannot be taken back any more: the next call goes on below it."""
        if not self._done:
            raise UserError("There is nothing to undo.")
        step = self._done[-1]
        try:
            step.undo()
        except ChangedSinceError as refused:
            self._done.pop()
            raise _forgotten("undone", step, refused, self.can_undo) from refused
        self._undone.append(self._done.pop())
        return step.label

    def redo(self) -> str:
        """Do again what was undone last. Returns its label; raises UserError if nothing was."""
        if not self._undone:
            raise UserError("There is nothing to redo.")
        step = self._undone[-1]
        try:
            step.redo()
        except ChangedSinceError as refused:
            self._undone.pop()
            raise _forgotten("done again", step, refused, self.can_redo) from refused
        self._done.append(self._undone.pop())
        return step.label


def _forgotten(done: str, step: Undoable, refused: ChangedSinceError, below: str) -> UserError:
    """Why a step is left as it is, and what the same key does next."""
    then = f"The next one is: {below}." if below else "There is none below it."
    return UserError(f"Not {done}: {step.label}. {refused.what}", f"It is left as it is. {then}")
