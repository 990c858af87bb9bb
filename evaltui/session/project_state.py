"""What all parts of a session share: the last reading of its project, and what is beside it."""

import asyncio
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from pathlib import Path

from evaltui.core.config import Config
from evaltui.core.errors import Problem
from evaltui.core.events import EvaluatorPrinted, ProjectChecked, ProjectRead
from evaltui.core.former_prints import FormerPrints
from evaltui.core.permit import Grant
from evaltui.core.response import ToolCall
from evaltui.disk.git_process import GitRuns
from evaltui.disk.history.history_file import HistoryError
from evaltui.disk.known_descriptions import KnownDescriptions
from evaltui.disk.own_folder import own_folder
from evaltui.expectations.outdated import outdated_suites
from evaltui.project import (
    Around,
    Project,
    files_unread_since,
    missing_grants,
    permit_reader,
    read_project,
    reading_problems,
    refusal,
    registry_reader,
    with_few,
    without_files,
)
from evaltui.session.damage_reports import DamageReports
from evaltui.session.event_bus import EventBus
from evaltui.session.mutes import Mutes
from evaltui.session.record import Record
from evaltui.session.settings_in_force import SettingsInForce, unusable
from evaltui.session.unread_suites import UnreadSuites


class ProjectState:
    """Everything on disk is read again by methods of this and of its parts only."""

    def __init__(
        self,
        config: Config,
        overrides: Mapping[str, object],
        problems: Collection[Problem],
        events: EventBus,
    ) -> None:
        self.events = events
        self.git = GitRuns()
        """What this session asks git; ended with it."""
        self.settings = SettingsInForce(config, overrides, problems)
        self.damage = DamageReports(events)
        self.record = Record(own_folder(config.root), events, self.damage)
        self.mutes = Mutes(self.record.folder, self.settings, events, self.damage)
        self.untrusted: tuple[Grant, ...] = ()
        """What the settings in force want done and nobody agreed to: while there is something,
        nothing runs."""
        self.agent_problems: tuple[Problem, ...] = ()
        """Mistakes in profiles, and why agents of the settings could not be made."""
        self.unmade_judge = ""
        """Where the settings say who judges while no judge can be made of that, else empty."""
        self._unloaded: dict[str, tuple[Problem, ...]] = {}
        """Why what is kept here is not known, or not as it is now, by what it is."""
        self.agents: tuple[str, ...] = ()
        """Names of the agents under test, in the order of the settings or the command."""
        self.sampled_agents: tuple[str, ...] = ()
        """Names of the agents that may answer the same request otherwise the next time."""
        self._project: Project | None = None
        self._reader = registry_reader(config)
        self._unread = UnreadSuites(self.damage)
        self._descriptions = KnownDescriptions(self.record.folder, self.damage.report)
        self._findings: tuple[Problem, ...] = ()
        """Of the last closer look, until the next: of files that can be read still."""

    @property
    def config(self) -> Config:
        """The settings in force, those of the last good reading."""
        return self.settings.config

    @property
    def unusable(self) -> str:
        """Where the settings stand of which nobody knows which agent they mean, who judges, or what
        may be spent; while they do, nothing runs. Empty when they can be used."""
        return unusable(self.settings.problems) or self.unmade_judge

    @property
    def project(self) -> Project:
        """The last good reading. Raises RuntimeError before `open`."""
        if self._project is None:
            raise RuntimeError("the session is not open")
        return self._project

    @property
    def former_prints(self) -> FormerPrints:
        """Of the cases of the last good reading."""
        return self.project.former_prints

    async def open(self, *, keeps_unread: bool = False) -> None:
        """Open history and journal and read the project. Raises UserError.

        With `keeps_unread` the known cases of files that cannot be read now are shown, and their
        known tools are in force.
        """
        self._unread.are_kept = self._reader.recalls_files = keeps_unread
        await self._look_at_trust()
        if elsewhere := [one for one in self.untrusted if one.kind == "write"]:
            raise refusal(elsewhere)
        await asyncio.to_thread(self.mutes.load)
        self.events.record_in(await asyncio.to_thread(self.record.open, self.config))
        with suppress(HistoryError):  # whoever needs what cannot be read says so
            self.events.begin_after(await asyncio.to_thread(self.record.history.newest_at))
        self._take(await asyncio.to_thread(read_project, self.config, None, None, self._reader))
        await asyncio.to_thread(self._descriptions.keep, self._described())
        await self._unread.find(self.project, self.record.history)

    async def close(self) -> None:
        reader = self._project.reader if self._project else self._reader
        await asyncio.gather(asyncio.to_thread(reader.close), asyncio.to_thread(self.record.close))
        if self._project is not None and self._project.loader is not None:
            await self._project.loader.close()

    async def reread_project(self, paths: Collection[Path] | None) -> Project:
        """Read what was saved at these paths, or everything again; the rest is as before."""
        await self._look_at_trust()
        self._take(await asyncio.to_thread(read_project, self.config, self.project, paths))
        self.warm_up()  # it will soon judge again, once the saving is over
        await asyncio.to_thread(self._descriptions.keep, self._described())
        await self._unread.find(self.project, self.record.history)
        return self.project

    def description_of(self, description_hash: str) -> str | None:
        """The description with that hash; `None` when it is not known."""
        return self._descriptions.get(description_hash)

    def emit_reading(self, trigger: tuple[str, ...] = ()) -> None:
        """Emit the last reading with all that is wrong with it; `trigger`: the files saved."""
        project = self.project
        self.events.emit(
            ProjectRead(
                (*project.suites, *self._unread.suites),
                project.registry,
                self._problems(),
                trigger,
                self.events.clock(),
                outdated_suites(project.suites, project.registry),
                self.mutes.reasons,
                self.sampled_agents,
                self.agents,
            )
        )

    def emit_checked(self, findings: tuple[Problem, ...]) -> None:
        """Emit all that is wrong with the last reading, now that it was looked at closely."""
        self._findings = findings
        self.events.emit(ProjectChecked(self._problems()))

    def emit_unloaded(self, what: str, problems: Iterable[Problem]) -> None:
        """Emit all that is wrong, if something else of what is kept cannot be read than before."""
        now = tuple(problems)
        if now != self._unloaded.get(what, ()):
            self._unloaded[what] = now
            self.events.emit(ProjectChecked(self._problems()))

    async def execute(self, call: ToolCall) -> ToolCall:
        """Execute a model's call on the live source of its tool."""
        return await self.project.reader.execute(call)

    async def _look_at_trust(self) -> None:
        """Find out what was agreed to, and what is missing of it."""
        self.untrusted = await asyncio.to_thread(missing_grants, self.config, self.damage.report)
        reader = self._reader if self._project is None else self._project.reader
        permit_reader(reader, self.config)

    def _take(self, project: Project) -> None:
        if self._project is not None:
            unread = files_unread_since(self._project, project)
            self._findings = without_files(self._findings, unread)
        self._project = project
        if project.loader is not None:
            project.loader.on_print = self._tell_printed
        self._descriptions.add(project.registry)

    def _described(self) -> list[str]:
        """Hashes of the descriptions for which the suites say that they were written."""
        written = (suite.metadata for suite in self.project.suites if suite.metadata is not None)
        return [one.description_hash for one in written if one.description_hash is not None]

    def warm_up(self) -> None:
        """Have ready what judges by the evaluators of the project, and what reads them again."""
        if self._project is not None and self._project.loader is not None:
            self._project.loader.warm_up()

    async def judge_anew(self, since: float) -> None:
        """Have evaluators judge as a command would that is started now: what they read as they
        were loaded, and that nobody can see them read, may have changed. `since`: on the clock of
        the event loop."""
        if self._project is not None and self._project.loader is not None:
            await self._project.loader.begin_anew(since)

    def _tell_printed(self, entry: str, text: str) -> None:
        self.events.emit(EvaluatorPrinted(entry, text, self.events.clock()))

    def _problems(self) -> tuple[Problem, ...]:
        unloaded = tuple(problem for found in self._unloaded.values() for problem in found)
        around = Around(
            tuple(self.settings.problems), self.agent_problems, self.untrusted, unloaded
        )
        return with_few(reading_problems(self.project, around), self._findings)
