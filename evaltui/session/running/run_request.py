"""A request to run cases, from a person or a change."""

from collections.abc import Container
from typing import Literal, TypeAlias

from msgspec import Struct

from evaltui.core.audited import Draw
from evaltui.core.case import CaseKey
from evaltui.core.spent import Spent
from evaltui.session.running.jobs import NO_ATTEMPTS, Attempts

Confirms: TypeAlias = Literal["not", "agreed", "guarded"]


class RunRequest(Struct):
    """Of one agent; it waits in the agent's queue and becomes one run."""

    keys: dict[CaseKey, None]
    """Used as an ordered set."""
    reason: str
    trigger: tuple[str, ...] = ()
    trials: int = 1
    is_rejudging: bool = False
    """Judge the kept answers again, and ask nobody."""
    asks_judge: bool = True
    """Else only what a judge says of the same answer already is judged again."""
    resumed: tuple[CaseKey, ...] = ()
    """Cases that the interrupted run had finished of which this is the rest."""
    goes_on_from: int = 0
    """Number of that run; where several were interrupted in a row, of the first of them."""
    attempts: Attempts = NO_ATTEMPTS
    spent: Spent | None = None
    """What the interrupted run spent of which this is the rest."""
    is_rest: bool = False
    """No save is the reason of it: a person asked for it, or it had begun, and then came a save."""
    left: tuple[CaseKey, ...] = ()
    """Cases of such requests, which follow after this one, or of the run that goes on after it."""
    waiting: tuple[CaseKey, ...] = ()
    """Cases of all requests that follow after this one."""
    is_by_news: bool = False
    """Begin with the cases that most probably tell something, not with the first of the files."""
    confirms: Confirms = "not"
    """Whether undecided cases are tried again: `agreed` to, or as long as the guard lets."""
    is_repeat: bool = False
    """To know better how often they pass, by nobody's save."""
    draw: Draw | None = None
    """Which of the keys were drawn at random."""
    while_due: frozenset[CaseKey] = frozenset()
    """Those of the keys that a change wants, and only while their results cannot be trusted; the
    others were asked for, whatever becomes of it."""

    asked_at: float = 0.0
    """When a person asked for it, on the clock of the event loop: evaluators that were loaded
    before are not to judge it. 0 for what a change wants."""

    @property
    def asked_for(self) -> frozenset[CaseKey]:
        """The keys that are run whatever becomes of any change."""
        return frozenset(self.keys) - self.while_due

    def left_of(self, due: Container[CaseKey]) -> dict[CaseKey, None]:
        """The keys that are still to be run when nothing but these is due."""
        return {key: None for key in self.keys if key in due or key not in self.while_due}

    def is_like(self, other: "RunRequest") -> bool:
        """Whether one run can do both."""
        return self._kind == other._kind

    @property
    def _kind(self) -> tuple[object, ...]:
        return self.is_rejudging, self.asks_judge, self.trials, self.confirms, self.is_repeat

    def add(self, other: "RunRequest") -> None:
        """Be of its cases too."""
        asked_for = self.asked_for | other.asked_for
        self.keys = self.keys | other.keys
        self.while_due = frozenset(self.keys) - asked_for
        self.asked_at = max(self.asked_at, other.asked_at)

    def follow(self, later: "RunRequest") -> None:
        """Become both."""
        self.reason = later.reason if later.keys else self.reason
        self.draw = later.draw or self.draw
        self.add(later)
        self.trigger = tuple(dict.fromkeys((*self.trigger, *later.trigger)))
