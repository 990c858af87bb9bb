"""Takes a closer look at what was read: lint and the like, beside the line that runs cases."""

import asyncio

from evaltui.core.errors import Problem
from evaltui.core.events import BaselinePinned, Event, ProjectRead
from evaltui.core.sink import Sink
from evaltui.project import findings
from evaltui.session.baselines import Baselines
from evaltui.session.project_state import ProjectState

QUIET_S = 0.2
"""After a save: it takes the processor from the cases that the save has run."""


class ProjectCheck(Sink):
    """One look at a time; a reading that comes meanwhile is looked at next. After the first look
    each waits until nothing was read for a moment."""

    hears = frozenset({ProjectRead, BaselinePinned})

    def __init__(self, state: ProjectState, baselines: Baselines) -> None:
        self._state, self._baselines = state, baselines
        self._looking: asyncio.Task[None] | None = None
        self._is_due = False
        self._is_first = True

    def follow(self) -> None:
        """Look at the last reading and at those to come; what is found becomes an event."""
        self._state.events.add_sink(self)
        self._begin()

    def handle(self, event: Event) -> None:
        if isinstance(event, ProjectRead | BaselinePinned):
            self._begin()

    async def close(self) -> None:
        """Wait for nothing: what is being looked at is not told of any more."""
        if self._looking is not None:
            self._looking.cancel()
            await asyncio.gather(self._looking, return_exceptions=True)

    def _findings(self) -> tuple[Problem, ...]:
        project = self._state.project
        return (*findings(project), *self._baselines.find_left_behind(project))

    def _begin(self) -> None:
        self._is_due = True
        if self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(self._look(), name="check of the project")

    async def _look(self) -> None:
        while self._is_due:
            self._is_due = False
            if not self._is_first:
                await asyncio.sleep(QUIET_S)
                if self._is_due:
                    continue
            self._is_first = False
            try:
                found = await asyncio.to_thread(self._findings)
            except Exception as error:
                what = f"the project could not be checked: {type(error).__name__}: {error}"
                hint = "Please report this with the file that was saved last."
                self._state.events.report(Problem("", what, hint, code="check-broken"))
                return
            if not self._is_due:
                self._state.emit_checked(found)
