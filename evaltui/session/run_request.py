"""Cases that somebody, or a change, wants to have run."""

from msgspec import Struct

from evaltui.core.case import CaseKey
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
    is_by_news: bool = False
    """Begin with the cases that most probably tell something, not with the first of the files."""
