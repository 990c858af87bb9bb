"""What becomes of a session: whether and where it runs, what it spends, what is printed in it."""

from evaltui.core.events.event_record import EventRecord
from evaltui.core.spent import Spent


class WatchPaused(EventRecord, frozen=True, gc=False):
    """Changes are still followed, but nothing runs because of them until `WatchResumed`."""


class WatchResumed(EventRecord, frozen=True, gc=False):
    """What became due while watching was paused runs now."""


class RunnerChanged(EventRecord, frozen=True, gc=False):
    """Another process runs from now on what is saved here, or this one does again."""

    other: str
    """`pid 4711`, and its host if it is another one; empty: this process runs."""


class SpendingChanged(EventRecord, frozen=True, gc=False):
    """What an agent spent in this session, and what waits for somebody to agree to its cost."""

    agent: str
    spent_usd: float
    left_usd: float | None = None
    """What it may spend still; `None` where nothing limits it."""
    held: int = 0
    """Cases that a change made due and that are not run before somebody agrees."""
    is_freed: bool = False
    """A limit that had ended a run was raised or taken away, and no other one ended any."""
    run: Spent | None = None
    """In journals: what the run spent so far, what is under way counted as if it never came."""


class EvaluatorPrinted(EventRecord, frozen=True, gc=False):
    """An evaluator wrote to its standard output, or to standard error, while it judged."""

    entry: str
    """As the settings name it."""
    text: str
    """Its type, and the end of what it wrote."""
    at: float = 0.0
