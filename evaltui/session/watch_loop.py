"""Follows what is saved: read it, mark what it affects, and run that once the saving is over."""

import asyncio
from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING

from evaltui.core.errors import Problem, UserError
from evaltui.core.events import Event, RunFinished, RunStarted, WatchPaused, WatchResumed
from evaltui.core.watch_state import WatchState
from evaltui.session.agent_queues import AgentQueues
from evaltui.session.money.spending import Cause
from evaltui.session.project_state import ProjectState
from evaltui.session.saved_files import SavedFiles, report_soon, stamps_of
from evaltui.session.saves_to_run import SavesToRun
from evaltui.session.who_runs import WhoRuns
from evaltui.settings.source import SETTINGS_FILES

if TYPE_CHECKING:
    from evaltui.watch import Watcher

GRACE_S = 0.01
"""For saves that the system reported and the event loop did not take up yet."""


class WatchLoop:
    """From a saved file to the cases that are due."""

    def __init__(self, state: ProjectState, queues: AgentQueues, who: WhoRuns) -> None:
        self.state = WatchState.OFF
        self.saved_files = SavedFiles(state, queues)
        self._who = who
        self._state = state
        self._queues = queues
        self._watcher: Watcher | None = None
        self._to_run = SavesToRun()
        self._ahead: set[Path] = set()
        """Read for the run of another process before the watcher told of them."""
        self._reading = asyncio.Lock()
        self._cause = Cause.SAVED
        """What the next save has run: what opening the project could not is made up for then."""
        self._timer: asyncio.TimerHandle | None = None
        self._held_at = 0.0

    async def follow(self) -> None:
        """Run what is due and free, then follow changes until stopped.

        While another process runs what is saved here, changes are only read and marked.
        """
        from evaltui.watch import Watcher

        self.state = WatchState.WATCHING if self._who.claim() else WatchState.FOLLOWING
        config, project = self._state.config, self._state.project
        watcher = self._watcher = Watcher(config.root, config.watch)
        watcher.update(self._files())
        self._state.warm_up()
        loop = asyncio.get_running_loop()
        project.reader.on_change = lambda place: report_soon(loop, watcher, place)
        for place in project.registry.files:
            if "://" in place:  # it may have changed since it was read
                watcher.report(Path(place))
        if self.state is WatchState.WATCHING:
            self._run_due(Cause.OPENED)
            if self._state.unusable:
                self._cause = Cause.OPENED
        await self.saved_files.begin()
        async for paths in watcher.changes():
            await self._look_into(paths)
            watcher.update(self._files())

    @property
    def is_looking(self) -> bool:
        """Whether something was saved and nothing was run for it yet."""
        return self._reading.locked() or self._timer is not None

    def pending(self, agent: str) -> int:
        """Cases of one agent that are due and wait because watching is paused."""
        queue = self._queues.by_name.get(agent)
        if self.state is not WatchState.PAUSED or queue is None:
            return 0
        return len(queue.to_run.of_save()) + len(queue.to_run.to_judge_of_save())

    def stop(self) -> None:
        """Follow no more changes, and run nothing for those that were seen."""
        self.state = WatchState.OFF
        self._hold()
        if self._watcher is not None:
            self._watcher.stop()

    def pause(self) -> None:
        """Go on reading and marking, and run nothing because of it."""
        if self.state is WatchState.WATCHING:
            self.state = WatchState.PAUSED
            self._state.events.emit(WatchPaused())

    def resume(self) -> None:
        """Run at once what was saved meanwhile."""
        if self.state is WatchState.PAUSED:
            self.state = WatchState.WATCHING
            self._state.events.emit(WatchResumed())
            self._catch_up()

    async def take_up_trust(self) -> None:
        """What was left out was agreed to: read everything again, and run what is due."""
        state, queues = self._state, self._queues
        await state.reread_project(None)
        await queues.update()
        state.emit_reading()
        await queues.follow_history()
        for queue in queues.by_name.values():
            await queue.due.compare(())
            queue.due.open()
        if self._watcher is not None:
            self._watcher.update(self._files())
        if self.state is WatchState.WATCHING:
            self._run_due(Cause.OPENED)

    def take_over(self) -> None:
        """Nobody else runs here any more: run what its runner leaves due, and what is saved."""
        if self.state is WatchState.FOLLOWING:
            self.state = WatchState.WATCHING
            if self._to_run.take_up_left():
                for queue in self._queues.by_name.values():
                    queue.due.of_save.take_up_left()
            self._catch_up()

    async def read_for_other(self, trigger: Collection[str]) -> None:
        """Another process runs for the save of these files: look into them first, so that what it
        does is the doing of that save here too. The watcher may tell of them later than it."""
        paths = {Path(self._state.config.root, name) for name in trigger if "://" not in name}
        async with self._reading:
            if self.state is WatchState.FOLLOWING and await self._reread(
                paths, reports_nothing=False
            ):
                self._ahead |= paths

    def hear_other(self, event: Event) -> None:
        """Take note of what another process runs: a save it runs for is done, unless it is lost."""
        match event:
            case RunStarted(trigger=trigger) if trigger:
                self._to_run.begin_other(event.run_id, trigger)
                for queue in self._queues.by_name.values():
                    queue.due.of_save.left.clear()
            case RunFinished(run_id, _, end):
                self._to_run.end_other(run_id, end)
            case _:
                pass

    def run_unlike_soon(self) -> None:
        """Another process brought results of other files than are read here: run those cases again,
        but for what a save explains that is under way."""
        if self.state is WatchState.WATCHING and not self.is_looking:
            self._hold()
            self._release()

    def run_changed(self) -> None:
        """Run what changes made due; nothing while paused, or while another process runs it, to
        which that is left."""
        if self.state is WatchState.FOLLOWING:
            self._to_run.leave()
        if self.state is not WatchState.WATCHING:
            return
        if self._state.unusable:
            return  # what was saved counts with what makes them readable again
        trigger = self._saved
        self._to_run.forget()
        cause, self._cause = self._cause, Cause.SAVED
        self._run_due(cause, trigger)

    def _catch_up(self) -> None:
        """Run what was saved meanwhile; without a save no more than an opening would."""
        if self._to_run.are_there:
            self.run_changed()
        else:
            self._run_due(Cause.OPENED)
        self._run_unlike()

    def _run_unlike(self) -> None:
        for queue in self._queues.by_name.values():
            queue.run_unlike()

    def _run_due(self, cause: Cause, trigger: tuple[str, ...] = ()) -> None:
        for queue in self._queues.by_name.values():
            queue.run_due(cause, trigger)

    def _files(self) -> frozenset[Path]:
        return self._state.project.files_watched | self._queues.watched

    async def _look_into(self, paths: Collection[Path]) -> None:
        self._hold()
        async with self._reading:
            ahead = self._ahead & {*paths}
            self._ahead -= ahead
            await self._reread(paths, reports_nothing=not ahead)
        if self._to_run.are_there or any(
            one.due.has_unlike for one in self._queues.by_name.values()
        ):
            self._release()

    async def _reread(self, paths: Collection[Path], *, reports_nothing: bool = True) -> bool:
        """Read what was saved, emit it, and mark what it affects. Returns whether it changed
        something; that it did not is told where it is new to the user."""
        try:
            return await self._take_in(paths, reports_nothing=reports_nothing)
        except UserError as error:
            self._state.events.report(Problem("", error.what, error.hint))
            return False

    async def _take_in(self, paths: Collection[Path], *, reports_nothing: bool) -> bool:
        state, queues, files = self._state, self._queues, self.saved_files
        before, stamps = state.project, stamps_of(paths)
        are_settings_new = await state.settings.reread(paths)
        own_files = queues.concerned_by(paths)
        project = await state.reread_project(paths)
        changed = project.changed_since(before)
        are_agents_new = (are_settings_new or bool(own_files)) and await queues.update()
        if own_files and are_agents_new:
            changed = (*changed, *map(before.shown, own_files))
        is_anything = changed or are_settings_new or project.problems != before.problems
        if not is_anything:
            if self._watcher is None or self._watcher.is_catching_up:
                return False
            if reports_nothing:
                leaves = self.state is WatchState.FOLLOWING
                await files.tell_of_nothing(
                    stamps, is_changed=self._to_run.are_there, leaves=leaves
                )
            files.note_read(stamps)
            return False
        # Who writes it may have been about to close it, which is the same save.
        files.note_read(stamps, stamps_of(paths))
        await files.note_contents(paths)
        if self.state is WatchState.PAUSED and queues.has_run_saved:
            self._to_run.forget()  # a key ran all that was saved until now
        self._to_run.files.update(changed)
        # A broken file changes nothing, since its last good version stays; still it was saved.
        differing = {one.file for one in {*project.problems} ^ {*before.problems}}
        own = {*SETTINGS_FILES, state.config.file, *state.config.read_along}
        differing |= own if are_settings_new else set()
        self._to_run.files |= differing & {project.shown(path) for path in paths}
        trigger = self._saved
        state.emit_reading(trigger)
        for queue in queues.by_name.values():
            leaves = self.state is WatchState.FOLLOWING
            queue.begin_save(goes_on=self._to_run.are_there, leaves=leaves)
        await queues.follow_history()
        for queue in queues.by_name.values():
            await queue.due.compare(trigger)
        self._to_run.are_there = True
        return True

    @property
    def _saved(self) -> tuple[str, ...]:
        """The files that changed, as they are told."""
        state = self._state
        return self._to_run.trigger((*state.project.problems, *state.settings.problems))

    def _hold(self) -> None:
        """Something was saved: run nothing before it was looked into."""
        self._held_at = asyncio.get_running_loop().time()
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _release(self) -> None:
        """The save was looked into: run when it has been quiet for long enough since `_hold`."""
        debounce_s = self._state.config.watch.debounce_ms / 1000
        self._wait(self._held_at + debounce_s - asyncio.get_running_loop().time())

    def _wait(self, seconds: float) -> None:
        loop = asyncio.get_running_loop()
        self._timer = loop.call_later(max(GRACE_S, seconds), self._run_after_debounce)

    def _run_after_debounce(self) -> None:
        watcher = self._watcher
        if watcher is not None and (
            watcher.has_news or self.saved_files.report_again(watcher, self._to_run.files)
        ):
            self._wait(GRACE_S)
        else:
            self._timer = None
            if self._to_run.are_there:
                self.run_changed()
            if self.state is WatchState.WATCHING:
                self._run_unlike()
