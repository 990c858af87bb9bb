"""Cases that somebody, or a change, wants to have run."""

from msgspec import Struct

from evaltui.core.case import CaseKey
from evaltui.core.spent import Spent
from evaltui.session.jobs import NO_ATTEMPTS, Attempts


class RunRequest(Struct):
    """Of one agent; it waits in the agent's queue and becomes one run."""

    keys: dict[CaseKey, None]
    """Used as an ordered set."""
    reason: str
    trigger: tuple[str, ...] = ()
    trials: int = 1
    is_rejudging: bool = False
    """Judge the kept answers again, and ask nobody."""
    resumed: tuple[CaseKey, ...] = ()
    """Cases that the interrupted run had finished of which this is the rest."""
    attempts: Attempts = NO_ATTEMPTS
    spent: Spent | None = None
    """What the interrupted run spent of which this is the rest."""
    is_rest: bool = False
    """It was asked for, or begun, before a save that runs first; nobody saved anything for it."""
    left: tuple[CaseKey, ...] = ()
    """Cases of such requests, which follow after this one."""
    is_by_news: bool = False
    """Begin with the cases that most probably tell something, not with the first of the files."""

    def is_like(self, other: "RunRequest") -> bool:
        """Whether one run can do both."""
        return (self.is_rejudging, self.trials) == (other.is_rejudging, other.trials)

    def follow(self, later: "RunRequest") -> None:
        """Become both."""
        self.reason = later.reason if later.keys else self.reason
        self.keys = self.keys | later.keys
        self.trigger = tuple(dict.fromkeys((*self.trigger, *later.trigger)))
