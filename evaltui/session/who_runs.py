"""Which process runs what is saved: of all that watch a project, the one holding its lock."""

import socket

from evaltui.core.events import RunnerChanged
from evaltui.disk.runner_lock import Runner, RunnerLock
from evaltui.session.project_state import ProjectState


class WhoRuns:
    """Asked by everything that begins a run without being the only one who could."""

    def __init__(self, state: ProjectState) -> None:
        self._state, self._events = state, state.events
        self._lock = RunnerLock(state.record.folder)
        self.other = ""
        """`pid 4711`, and its host if it is another one; empty as long as nobody else runs here."""
        self._is_over = False

    @property
    def refusal(self) -> str:
        """Why nothing can be run from here; empty when it can."""
        if place := self._state.unusable:
            return f"the settings cannot be used ({place}): correct them first"
        if self._state.untrusted:
            return "nobody agreed to what these settings run and send: ctrl+t shows it and asks"
        return (
            f"the dashboard with {self.other} runs here: what you save reruns there"
            if self.other
            else ""
        )

    def claim(self) -> bool:
        """Run here from now on, if nobody else does. Returns whether this process runs here: after
        `release` it never does."""
        if self._is_over:
            return False
        other = "" if self._lock.take() else _name(self._lock.holder())
        if other != self.other:
            self.other = other
            self._events.emit(RunnerChanged(other))
        return not other

    def release(self) -> None:
        """Let another process run here, for good."""
        self._is_over = True
        self._lock.release()


def _name(runner: Runner | None) -> str:
    if runner is None:
        return "another process"
    is_here = runner.host == socket.gethostname()
    return f"pid {runner.pid}" if is_here else f"pid {runner.pid} on {runner.host}"
