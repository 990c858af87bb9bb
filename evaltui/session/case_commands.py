"""What a person may wish for single cases: pin, accept, capture, mute, look back."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Collection, Coroutine, Mapping
from typing import TYPE_CHECKING

from evaltui.core.case import CaseKey
from evaltui.core.errors import EvaltuiError, Problem
from evaltui.core.events import DetailLoaded, Event
from evaltui.core.file_edit import FileEdit
from evaltui.core.result import CaseResult
from evaltui.disk.history_queries import HistoryEntry
from evaltui.project import Project
from evaltui.session.agent_queue import AgentQueue
from evaltui.session.resources import SessionResources

if TYPE_CHECKING:
    from evaltui.expectations.call_diff import DiffTarget


class CaseCommands(ABC):
    """The part of `Session` that changes files or reads old ones; every answer is an event."""

    _chores: set[asyncio.Task[None]]

    @property
    @abstractmethod
    def _lines(self) -> Mapping[str, AgentQueue]: ...

    @property
    @abstractmethod
    def parts(self) -> SessionResources: ...

    @property
    @abstractmethod
    def project(self) -> Project: ...

    @abstractmethod
    def emit(self, event: Event) -> None: ...

    @abstractmethod
    def _tell_problem(self, problem: Problem) -> None: ...

    async def pin_now(self, keys: Collection[CaseKey], agent: str, name: str = "") -> None:
        """Make the last results of the cases the baseline. Raises OSError."""
        await self.parts.pinning.pin(self._lines[agent], self.project, keys, name)

    async def unpin_now(self, keys: Collection[CaseKey], agent: str, name: str = "") -> None:
        """Forget the baseline of the cases. Raises OSError."""
        await self.parts.pinning.unpin(self._lines[agent], keys, name)

    def pin(self, keys: Collection[CaseKey], agent: str, name: str = "") -> None:
        """Like `pin_now`, in the background; the answer is an event."""
        self._chore(self.pin_now(keys, agent, name))

    def unpin(self, keys: Collection[CaseKey], agent: str, name: str = "") -> None:
        """Like `unpin_now`, in the background; the answer is an event."""
        self._chore(self.unpin_now(keys, agent, name))

    def use_baseline(self, name: str, agent: str) -> None:
        """Compare with the baseline of that name from now on."""
        self._chore(self.parts.pinning.use(name, agent))

    def baseline_names(self, agent: str) -> tuple[str, ...]:
        return self.parts.pinning.names(agent)

    def preview_accept(self, key: CaseKey, agent: str, what: str) -> FileEdit:
        """The edit that makes the actual calls, or the description's hash, the expectation.

        `what` is `calls` or `description_hash`. Raises UserError when it makes no sense.
        """
        return self.parts.accepting.preview_accept(key, agent, what, self.project)

    def preview_capture(
        self, key: CaseKey, agent: str, *, bug_ref: str, case_id: str = ""
    ) -> FileEdit:
        """The edit that adds the case to its tool's regression file. Raises UserError."""
        return self.parts.accepting.preview_capture(
            key, agent, self.project, bug_ref=bug_ref, case_id=case_id
        )

    def apply(self, edit: FileEdit) -> None:
        """Write the edit. Raises UserError when the file changed since it was previewed."""
        self.parts.accepting.apply(edit)

    def mute(self, key: CaseKey, reason: str) -> None:
        """Failures of the case do not count until it is unmuted. Raises UserError."""
        self.parts.accepting.mute(key, reason)

    def unmute(self, key: CaseKey) -> None:
        self.parts.accepting.unmute(key)

    def undo(self) -> str:
        """Take back the last pin, accept, mute or capture, and say which. Raises UserError."""
        return self.parts.undo.undo()

    def redo(self) -> str:
        """Do again what was undone last, and say what. Raises UserError."""
        return self.parts.undo.redo()

    def load_detail(self, key: CaseKey, agent: str) -> None:
        """Make sure the row has its verdicts and response; the answer is an event."""
        self._chore(self._load_detail(key, agent))

    def earlier(self, key: CaseKey, agent: str, target: "DiffTarget") -> CaseResult | None:
        """What the last result is held against: the pinned one, or the one before."""
        from evaltui.expectations.call_diff import DiffTarget

        if target is DiffTarget.BASELINE:
            return self.parts.pinning.detail(key, agent)
        return self.parts.history.previous(key, agent)

    def past(self, key: CaseKey, agent: str, limit: int = 20) -> list[HistoryEntry]:
        """The last results of one case, newest first."""
        return self.parts.history.entries(key, agent, limit)

    async def _load_detail(self, key: CaseKey, agent: str) -> None:
        result = await asyncio.to_thread(self.parts.history.detail, key, agent)
        if result is not None:
            self.emit(DetailLoaded(agent, result))

    def _chore(self, work: Coroutine[None, None, None]) -> None:
        """Do something small beside the line; what goes wrong becomes a problem."""

        async def guarded() -> None:
            try:
                await work
            except (OSError, EvaltuiError) as error:
                self._tell_problem(Problem("", str(error), "Nothing was changed."))

        chore = asyncio.create_task(guarded())
        self._chores.add(chore)
        chore.add_done_callback(self._chores.discard)
