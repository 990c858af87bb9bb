"""How long a run will go on: never less than what its own pace says."""

from math import ceil

from evaltui.store.run_view import RunView
from evaltui.tui.render.words import span


def eta(run: RunView | None, now: float, at_least: str = "≥") -> str:
    """`eta 9s`: the greater of what history and the pace of this run lead to expect.

    `eta ≥9s` when no case is finished although all should be by now; empty when nothing is known.
    """
    if run is None or run.end is not None or run.done >= run.total:
        return ""
    took = max(0.0, now - run.started_at)
    by_history = 0.0 if run.eta_s is None else run.eta_s - took
    at_once = max(1, min(run.concurrency, run.total))
    if run.done:
        round_s = took / max(1.0, run.done / at_once)
        by_pace = round_s * ceil((run.total - run.done) / at_once)
        return f"eta {_span(max(by_history, by_pace))}"
    if by_history > 0:
        return f"eta {_span(by_history)}"
    left = took * (ceil(run.total / at_once) - 1) if run.eta_s is not None else 0.0
    return f"eta {at_least}{_span(left)}" if left >= 1 else ""


def _span(seconds: float) -> str:
    """A run that is on takes a second at least."""
    return span(max(1.0, seconds))
