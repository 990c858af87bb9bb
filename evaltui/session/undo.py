"""What was done and can be taken back: pins, accepted expectations, mutes, captured cases."""

from collections import deque
from collections.abc import Callable

from msgspec import Struct

from evaltui.core.errors import UserError


class Undoable(Struct, frozen=True):
    """One step in words, and how to take it back and do it again."""

    label: str
    undo: Callable[[], None]
    redo: Callable[[], None]


class UndoStack:
    """The last steps. A step whose undo raises stays where it was."""

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
        """Take back the last step. Returns its label; raises UserError when there is none."""
        if not self._done:
            raise UserError("There is nothing to undo.")
        step = self._done[-1]
        step.undo()
        self._undone.append(self._done.pop())
        return step.label

    def redo(self) -> str:
        """Do again what was undone last. Returns its label; raises UserError if nothing was."""
        if not self._undone:
            raise UserError("There is nothing to redo.")
        step = self._undone[-1]
        step.redo()
        self._done.append(self._undone.pop())
        return step.label
