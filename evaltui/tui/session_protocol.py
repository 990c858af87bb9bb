"""What the screen may ask of the session; everything it learns comes back as an event."""

# ruff: noqa: ARG002

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from evaltui.core.case import CaseKey
from evaltui.core.config import Config
from evaltui.core.errors import UserError
from evaltui.core.events import Event
from evaltui.core.sink import Sink
from evaltui.core.watch_state import WatchState
from evaltui.store.board import Board
from evaltui.store.store import Store

if TYPE_CHECKING:
    from pathlib import Path

    from evaltui.core.baseline import NamedBaseline
    from evaltui.core.file_edit import TextChange
    from evaltui.core.permit import Grant
    from evaltui.core.result import CaseResult, CaseStatus
    from evaltui.disk.history_timeline import PastResults, TimelinePoint
    from evaltui.expectations.call_diff import DiffTarget


class Estimated(Protocol):
    """What a run would take; `None` where nothing is known."""

    @property
    def cases(self) -> int: ...
    @property
    def cost_usd(self) -> float | None: ...
    @property
    def seconds(self) -> float | None: ...
    @property
    def never_run(self) -> int: ...
    @property
    def asks_first(self) -> bool:
        """Whether somebody has to agree to what it may cost."""
        ...

    @property
    def left_usd(self) -> float | None:
        """What may be spent still; `None` where nothing limits it."""
        ...


class Edit(Protocol):
    """A change to a file that was not made yet."""

    @property
    def file(self) -> Path: ...
    @property
    def title(self) -> str: ...
    @property
    def diff(self) -> tuple[str, ...]: ...
    @property
    def text(self) -> TextChange | None: ...


class Past(Protocol):
    """One earlier run of one case."""

    @property
    def run_id(self) -> str: ...
    @property
    def number(self) -> int: ...
    @property
    def status(self) -> CaseStatus: ...
    @property
    def duration_ms(self) -> float: ...
    @property
    def finished_at(self) -> float: ...
    @property
    def error(self) -> str: ...
    @property
    def passes(self) -> int: ...
    @property
    def trials(self) -> int: ...


def board_of(session: SessionProtocol, agent: str) -> Board:
    """The board of an agent; empty, and not added to the store, while nothing is known of it."""
    board = session.store.boards.get(agent)
    return Board(agent) if board is None else board


def not_open(session: SessionProtocol) -> UserError:
    """Why nothing can be asked of a session before it is open, or while a recording is played."""
    if session.state is WatchState.REPLAY:
        return UserError("This is a recorded run.", "Open the project with `evaltui` to run.")
    if session.state is WatchState.PAST:
        return UserError("This is the board of an earlier run.", "Esc returns to now.")
    return UserError("No project is open.", "Wait until it is read.")


class SessionProtocol(Protocol):
    """The session as the screen sees it. What can be asked of it is refused until it is open."""

    @property
    def config(self) -> Config: ...
    @property
    def store(self) -> Store: ...
    @property
    def state(self) -> WatchState: ...
    @property
    def pending(self) -> int: ...
    @property
    def other_runner(self) -> str:
        """The process that runs what is saved here, if it is another; else empty."""
        ...

    @property
    def is_trusted(self) -> bool:
        """Whether somebody agreed to all that the settings want done; else nothing runs."""
        return True

    def grants(self) -> tuple[Grant, ...]:
        """All that the settings want done besides reading files of the project."""
        return ()

    def agree(self, grants: Collection[Grant]) -> None:
        """Remembers that these were agreed to."""
        raise not_open(self)

    @property
    def why_not_run(self) -> str:
        """Why nothing can be run from here; empty when it can."""
        ...

    @property
    def agents(self) -> tuple[str, ...]: ...

    def add_sink(self, sink: Sink) -> None: ...
    def remove_sink(self, sink: Sink) -> None: ...
    def emit(self, event: Event) -> None: ...
    def flush(self) -> None: ...
    async def open(self) -> None: ...
    async def watch(self) -> None: ...
    async def close(self) -> None: ...
    def rerun(
        self,
        keys: Collection[CaseKey],
        *,
        agents: Collection[str] | None = None,
        trials: int | None = None,
        reason: str = "by hand",
    ) -> None:
        raise not_open(self)

    def cancel(self) -> None:
        raise not_open(self)

    def pause(self) -> None:
        raise not_open(self)

    def resume(self) -> None:
        raise not_open(self)

    def rejudge(self, keys: Collection[CaseKey], *, agents: Collection[str] | None = None) -> None:
        raise not_open(self)

    def has_stale(self, agent: str) -> bool:
        raise not_open(self)

    def stale_keys(
        self,
        agent: str,
        *,
        possibly: bool = True,
        to_judge: bool = True,
        never_run: bool = True,
    ) -> tuple[CaseKey, ...]:
        raise not_open(self)

    def estimate(
        self,
        keys: Collection[CaseKey],
        agents: Collection[str] | None = None,
        trials: int | None = None,
    ) -> Estimated:
        raise not_open(self)

    def pin(self, keys: Collection[CaseKey], agent: str, name: str = "") -> None:
        raise not_open(self)

    async def pin_at(
        self, keys: Collection[CaseKey], agent: str, at: TimelinePoint, name: str
    ) -> None:
        """Pins results as they stood at a point in time. Raises UserError when they are gone."""
        raise not_open(self)

    def unpin(self, keys: Collection[CaseKey], agent: str, name: str = "") -> None:
        raise not_open(self)

    def moved_cases(self, agent: str) -> Mapping[CaseKey, CaseKey]:
        """Cases whose baseline stayed under an old name, by it: those that they are now."""
        return {}

    def move_baseline(self, agent: str) -> None:
        raise not_open(self)

    def use_baseline(self, name: str, agent: str) -> None:
        raise not_open(self)

    def named_baselines(self, agent: str) -> tuple[NamedBaseline, ...]:
        raise not_open(self)

    @property
    def can_undo(self) -> str:
        """What `undo` would take back, in words; empty when there is nothing."""
        return ""

    @property
    def can_redo(self) -> str:
        """What `redo` would do again, in words; empty when there is nothing."""
        return ""

    def undo(self) -> str:
        raise not_open(self)

    def redo(self) -> str:
        raise not_open(self)

    def preview_accept(self, key: CaseKey, agent: str, what: str) -> Edit:
        raise not_open(self)

    def preview_capture(self, key: CaseKey, agent: str, *, bug_ref: str, case_id: str = "") -> Edit:
        raise not_open(self)

    def apply(self, edit: Any) -> None:
        """Makes a change that one of the previews gave."""
        raise not_open(self)

    def mute(self, key: CaseKey, reason: str) -> None:
        raise not_open(self)

    def unmute(self, key: CaseKey) -> None:
        raise not_open(self)

    def past(self, key: CaseKey, agent: str, limit: int = 20) -> Sequence[Past]:
        """The last results of one case, newest first."""

    def earlier(self, key: CaseKey, agent: str, target: DiffTarget) -> CaseResult | None:
        """The result of the earlier run that a diff is against, with its calls; `None` when it is
        not kept."""

    def whole(self, key: CaseKey, run_id: str) -> CaseResult | None:
        """The result of one run with verdicts and answer; `None` when it is not kept."""
        return None

    def timeline(self, agent: str) -> Sequence[TimelinePoint]:
        """The last runs as points in time, newest first. Slow; may be asked in a thread."""
        raise not_open(self)

    def results_between(
        self, agent: str, before: TimelinePoint | None, at: TimelinePoint
    ) -> PastResults:
        """Results at one point and what is another at a later one; without `before` what the run
        of `at` found, and what was known before. Slow; may be asked in a thread."""
        raise not_open(self)

    def load_detail(self, key: CaseKey, agent: str) -> None:
        """Asks for verdicts and answer of the last result; they come as `DetailLoaded`."""


def first_agent(session: SessionProtocol) -> str:
    """The agent that is shown first: of the session, else one of whom something is known, else of
    the settings."""
    known = (*session.agents, *session.store.boards)
    if known:
        return known[0]
    return session.config.agents[0].name if session.config.agents else ""
