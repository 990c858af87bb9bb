"""Runs in progress that were asked for here: each request has a session of its own, as a command
of the command line has."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from evaltui.api.faults import Conflict, Fault, NotFound
from evaltui.api.run_wanted import RunWanted
from evaltui.core.case import CaseKey
from evaltui.core.errors import Problem, Severity, UserError
from evaltui.core.events import Event, RunFinished, RunStarted
from evaltui.project.diagnostics.run_mistakes import run_mistakes
from evaltui.session import Session
from evaltui.session.selection import cases_at, select
from evaltui.settings.load import ReadConfig
from evaltui.store.store import Store

REASON = "asked for over HTTP"


class HeldRun:
    """What one request asked for: a run for each agent. `close` comes last."""

    def __init__(self, read: ReadConfig, overrides: dict[str, object], wanted: RunWanted) -> None:
        self.started: dict[str, RunStarted] = {}
        """By run id."""
        self.finished: dict[str, RunFinished] = {}
        self._ready = asyncio.Event()
        self._is_closing = False
        self._mistakes: tuple[Problem, ...] = ()
        self._listeners: set[asyncio.Event] = set()
        self._session = Session(
            read.config,
            overrides=overrides,
            problems=read.problems,
            store=Store(is_shown=False),
        )
        self._session.add_sink(self)
        self._task = asyncio.create_task(self._hold(wanted), name="a run asked for over HTTP")

    def handle(self, event: Event) -> None:
        if isinstance(event, RunStarted):
            self.started[event.run_id] = event
            if len(self.started) == len(self._session.agents):
                self._ready.set()
        elif isinstance(event, RunFinished):
            self.finished[event.run_id] = event
        for listener in self._listeners:
            listener.set()

    @property
    def is_over(self) -> bool:
        return self._task.done()

    @property
    def problems(self) -> list[Problem]:
        """What was wrong with the project when it was read, which is left out of the run, and with
        what its cases ask to be judged by."""
        read = [
            one for one in self._session.store.problems.reported if one.severity is Severity.ERROR
        ]
        return [*read, *self._mistakes]

    async def begun(self) -> None:
        """Wait until every agent has its run. Raises UserError where none began."""
        waiting = asyncio.create_task(self._ready.wait())
        await asyncio.wait({waiting, self._task}, return_when=asyncio.FIRST_COMPLETED)
        waiting.cancel()
        if self._task.done() and not self.started:
            await self._task

    async def cancel(self, run_id: str) -> None:
        """Stop this one and wait for its end; what finished is kept."""
        self._session.requests.cancel((self.started[run_id].agent,))
        with self.listening() as heard:
            while run_id not in self.finished and not self.is_over:
                heard.clear()
                with suppress(TimeoutError):  # it may break off without a word
                    await asyncio.wait_for(heard.wait(), 1.0)

    @contextmanager
    def listening(self) -> Iterator[asyncio.Event]:
        """Set whenever something happened."""
        heard = asyncio.Event()
        self._listeners.add(heard)
        try:
            yield heard
        finally:
            self._listeners.discard(heard)

    def flush(self) -> None:
        """Have the journal hold all that happened so far."""
        if not self.is_over:
            self._session.flush()

    async def ended(self) -> None:
        await asyncio.wait({self._task})

    async def close(self) -> None:
        """What runs is cancelled; what finished is kept."""
        if not self._is_closing:  # broken off, it would leave agents and files open
            self._task.cancel()
        await asyncio.wait({self._task})

    async def _hold(self, wanted: RunWanted) -> None:
        session = self._session
        try:
            try:
                await session.open(is_strict=True)
            except UserError as error:
                raise Conflict.of(error) from None
            keys = _chosen(session, wanted)
            self._mistakes = await asyncio.to_thread(run_mistakes, session.project, keys)
            await session.run(
                keys,
                trials=wanted.trials,
                reason=REASON,
                is_by_outcome=wanted.failed,
                eval_id=wanted.eval,
            )
        finally:
            self._is_closing = True
            await session.close()


def _chosen(session: Session, wanted: RunWanted) -> tuple[CaseKey, ...]:
    root = session.config.root
    for path in wanted.paths:
        if not cases_at(session, [path], root):
            raise NotFound(f"There is no case at `{path}`.", "`GET /api/evals` lists them.")
    keys = select(
        session,
        cases_at(session, wanted.paths, root) if wanted.paths else None,
        text=wanted.filter,
        tiers=wanted.tiers,
        only_failed=wanted.failed,
    )
    if not keys and wanted.failed:
        raise Conflict("Nothing failed last time.", "Leave out `failed` to run everything.")
    if not keys:
        problems = session.store.problems.reported
        raise Fault("No case matches.", "`GET /api/evals` lists all there are.", problems)
    return keys
