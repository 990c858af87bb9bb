"""What is said of damaged files of ours where no reporter does."""

import sys

from evaltui.core.events import Event, ProblemFound
from evaltui.disk.damage import SET_ASIDE
from evaltui.reporters.ansi import plain


class DamageSaid:
    """A sink that says on standard error which files were set aside: once they are, no later
    command hears of it."""

    hears = frozenset({ProblemFound})

    def handle(self, event: Event) -> None:
        if isinstance(event, ProblemFound) and event.problem.code == SET_ASIDE:
            sys.stderr.write(f"{plain(str(event.problem))}\n")
