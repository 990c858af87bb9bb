"""Taking back and doing again, in order, and nothing lost when it fails."""

import pytest

from evaltui.core.errors import ChangedSinceError, UserError
from evaltui.session.undo import UndoStack


def did(stack: UndoStack, log: list[str], label: str) -> None:
    stack.did(label, lambda: log.append(f"-{label}"), lambda: log.append(f"+{label}"))


def test_back_and_forth() -> None:
    stack, log = UndoStack(), list[str]()
    did(stack, log, "pin")
    did(stack, log, "mute")
    assert (stack.can_undo, stack.can_redo) == ("mute", "")
    assert [stack.undo(), stack.undo(), stack.redo()] == ["mute", "pin", "pin"]
    assert log == ["-mute", "-pin", "+pin"]
    assert (stack.can_undo, stack.can_redo) == ("pin", "mute")


def test_a_new_step_forgets_what_was_undone() -> None:
    stack, log = UndoStack(), list[str]()
    did(stack, log, "pin")
    stack.undo()
    did(stack, log, "mute")
    with pytest.raises(UserError, match="nothing to redo"):
        stack.redo()


def test_nothing_to_undo() -> None:
    with pytest.raises(UserError, match="nothing to undo"):
        UndoStack().undo()


def test_a_step_that_others_changed_since_leaves_the_way_to_those_below() -> None:
    def refuse() -> None:
        raise ChangedSinceError("`a.json` changed since it was read.")

    stack, log = UndoStack(), list[str]()
    did(stack, log, "pin")
    stack.did("accept", refuse, lambda: None)
    with pytest.raises(UserError, match=r"Not undone: accept\. `a\.json` changed .* is: pin\."):
        stack.undo()
    assert [stack.undo(), stack.can_undo, stack.can_redo] == ["pin", "", "pin"]
    stack.did("capture", lambda: None, refuse)
    stack.undo()
    with pytest.raises(UserError, match=r"Not done again: capture\. .* none below it"):
        stack.redo()
    assert stack.can_redo == ""


def test_a_step_that_fails_for_now_stays() -> None:
    def refuse() -> None:
        raise UserError("cannot be written")

    stack, log = UndoStack(), list[str]()
    stack.did("accept", refuse, lambda: log.append("again"))
    with pytest.raises(UserError, match="cannot be written"):
        stack.undo()
    assert (stack.can_undo, stack.can_redo) == ("accept", "")


def test_the_oldest_steps_are_forgotten() -> None:
    stack, log = UndoStack(limit=2), list[str]()
    for label in "abc":
        did(stack, log, label)
    assert [stack.undo(), stack.undo()] == ["c", "b"]
    assert stack.can_undo == ""
