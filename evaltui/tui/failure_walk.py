"""Walking through the failures one by one."""

from collections.abc import Sequence

from evaltui.core.case import CaseKey


class FailureWalk:
    """Failures that one key goes through one by one."""

    def __init__(self) -> None:
        self.keys: tuple[CaseKey, ...] = ()
        self.at = 0

    @property
    def key(self) -> CaseKey | None:
        """The failure that is looked at; `None` when no walk is on."""
        return self.keys[self.at] if self.at < len(self.keys) else None

    @property
    def chip(self) -> str:
        return f"WALK {self.at + 1}/{len(self.keys)}" if self.key else ""

    def begin(self, keys: Sequence[CaseKey]) -> None:
        self.keys, self.at = tuple(keys), 0

    def next(self) -> None:
        self.at += 1

    def stop(self) -> None:
        self.keys, self.at = (), 0
