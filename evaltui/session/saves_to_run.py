"""What was saved and led to no run yet, here or in another process."""

from collections.abc import Iterable

from evaltui.core.errors import Problem, unread_files
from evaltui.core.events import RunEnd


class SavesToRun:
    """Files by name, as problems name them."""

    def __init__(self) -> None:
        self.files: set[str] = set()
        """Files that changed and led to no run yet."""
        self.are_there = False
        """Whether anything did change, settings included."""
        self._left: set[str] = set()
        """Files whose saves are over and were left to another process, which ran nothing yet."""
        self._others: dict[str, tuple[str, ...]] = {}
        """The files for which other processes run, by run."""

    def add(self, files: Iterable[str]) -> None:
        """These were saved, and what they changed is known."""
        self.files.update(files)
        self.are_there = True

    def forget(self) -> None:
        """Nothing that was saved waits any more."""
        self.files.clear()
        self.are_there = False

    def leave(self) -> None:
        """Another process sees to it."""
        self._left |= self.files
        self.forget()

    def take_up_left(self) -> bool:
        """It did not, and is gone. Returns whether anything was left to it."""
        if not self._left:
            return False
        self.add(self._left)
        self._left.clear()
        return True

    def begin_other(self, run_id: str, trigger: tuple[str, ...]) -> None:
        """Another process runs for a save: nothing of it waits, unless that run is lost."""
        self._others[run_id] = trigger
        self.forget()
        self._left.clear()

    def end_other(self, run_id: str, end: RunEnd) -> None:
        trigger = self._others.pop(run_id, ())
        if end is RunEnd.LOST and trigger:
            self.add(trigger)

    def trigger(self, problems: Iterable[Problem]) -> tuple[str, ...]:
        """The files, sorted. Where some of them can be read, without those that cannot: what is
        done now is no doing of theirs."""
        return tuple(sorted(self.files - unread_files(problems) or self.files))
