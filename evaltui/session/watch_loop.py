"""Follows what is saved: read it, tell what it affects, and run that once the saving is over."""

import asyncio
from collections.abc import Callable, Collection
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from evaltui.core.errors import Problem, UserError
from evaltui.session.agent_queue import AgentQueue
from evaltui.session.agent_queues import AgentQueues
from evaltui.session.agent_set import differ, files_of
from evaltui.session.debouncer import Debouncer
from evaltui.session.estimate import estimated
from evaltui.session.project_state import ProjectState

if TYPE_CHECKING:
    from evaltui.watch import Watcher


class WatchLoop:
    """From a saved file to the cases that are due."""

    def __init__(
        self,
        sources: ProjectState,
        agents: AgentQueues,
        is_paused: Callable[[], bool],
        tell_project: Callable[[tuple[str, ...]], None],
        tell_problem: Callable[[Problem], None],
    ) -> None:
        self._sources = sources
        self._agents = agents
        self._is_paused = is_paused
        self._tell_project = tell_project
        self._tell_problem = tell_problem
        self._watcher: Watcher | None = None
        self._changed: set[str] = set()
        """Files that changed and led to no run yet."""
        self._is_changed = False
        """Whether anything did, settings included."""
        self._quiet = Debouncer(
            self.run_changed, lambda: self._watcher is not None and self._watcher.has_news
        )

    async def follow(self) -> None:
        """Run what is due and free, then follow changes until stopped."""
        from evaltui.watch import Watcher

        config, project = self._sources.config, self._sources.project
        watcher = self._watcher = Watcher(config.root, config.watch)
        watcher.update(self._files())
        loop = asyncio.get_running_loop()
        project.reader.on_change = lambda place: _tell_soon(loop, watcher, place)
        for place in project.registry.files:
            if "://" in place:  # it may have changed since it was read
                watcher.tell(Path(place))
        for line in self._agents.by_name.values():
            if line.agent.traits.is_free:
                self._run_due(line, ())
        async for paths in watcher.changes():
            await self._look_into(paths)
            watcher.update(self._files())

    def stop(self) -> None:
        """Hear of no more changes, and run nothing for those that were heard of."""
        self._quiet.stop()
        if self._watcher is not None:
            self._watcher.stop()

    def run_changed(self) -> None:
        """Run what changes made due; nothing while paused."""
        if self._is_paused():
            return
        trigger = tuple(sorted(self._changed))
        self._changed.clear()
        self._is_changed = False
        for line in self._agents.by_name.values():
            self._run_due(line, trigger)

    def _run_due(self, line: AgentQueue, trigger: tuple[str, ...]) -> None:
        config = self._sources.config
        known = estimated((line,), line.due(), trials=config.trials, concurrency=config.concurrency)
        if known.cost_usd is None or known.cost_usd <= config.confirm_above:
            line.follow(trigger)

    def _files(self) -> frozenset[Path]:
        return self._sources.project.files_watched | files_of(self._agents.by_name)

    async def _look_into(self, paths: Collection[Path]) -> None:
        self._quiet.hold()
        try:
            await self._reread(paths)
        except UserError as error:
            self._tell_problem(Problem("", error.what, error.hint))
        if self._is_changed:
            self._quiet.release()

    async def _reread(self, paths: Collection[Path]) -> None:
        before = self._sources.project
        is_set_anew = await self._sources.reread_settings(paths)
        own_files = files_of(self._agents.by_name) & set(paths)
        project = await self._sources.reread_project(paths)
        changed = project.changed_since(before)
        tool_changes = project.tool_prints.changes_since(before.tool_prints)
        agents = self._agents.make() if is_set_anew or own_files else ()
        if own_files and differ(agents, self._agents.by_name):
            changed = (*changed, *map(before.shown, own_files))
            is_set_anew = True
        if not is_set_anew:
            for made in agents:
                await made.agent.close()
        self._changed.update(changed)
        trigger = tuple(sorted(self._changed))
        if is_set_anew:
            self._tell_project(trigger)
            await self._agents.take(agents)
            await self._agents.remembered()
        elif changed or project.problems != before.problems:
            self._tell_project(trigger)
        else:
            return
        for line in self._agents.by_name.values():
            line.tool_changes = tool_changes or line.tool_changes
            await line.mark_stale(trigger)
        self._is_changed = True


def _tell_soon(loop: asyncio.AbstractEventLoop, watcher: "Watcher", place: str) -> None:
    """Pass on, from the thread of a live source, that it changed."""
    with suppress(RuntimeError):  # the loop has ended meanwhile
        loop.call_soon_threadsafe(watcher.tell, Path(place))
