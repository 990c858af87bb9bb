"""The project of one session: its settings, its last reading, and its record of earlier runs."""

import asyncio
from collections.abc import Collection, Mapping
from contextlib import suppress
from pathlib import Path

from evaltui.core.case import CaseKey
from evaltui.core.config import Config
from evaltui.core.errors import UNREADABLE, Problem, Severity, UserError
from evaltui.core.events import CaseMuted, ProjectChecked, ProjectRead
from evaltui.core.permit import Grant, not_trusted
from evaltui.core.response import ToolCall
from evaltui.core.suite import Suite
from evaltui.disk.history import History
from evaltui.disk.history_file import HistoryError
from evaltui.disk.history_insert import RunRecord
from evaltui.disk.journal import Journal
from evaltui.disk.journal_reading import recover, settle
from evaltui.disk.mutes import FILE as MUTES
from evaltui.disk.mutes import load_mutes, mute, reread_mutes, unmute
from evaltui.disk.other_runs import OtherRuns
from evaltui.expectations.outdated import outdated_suites
from evaltui.files import stamp
from evaltui.project import (
    Project,
    missing_grants,
    permit_reader,
    read_project,
    reading_problems,
    refusal,
    registry_reader,
    with_few,
)
from evaltui.session.event_bus import EventBus
from evaltui.session.unread_suites import unread_suites
from evaltui.settings.load import load_config
from evaltui.settings.source import SETTINGS_FILES


class ProjectState:
    """What all parts of a session share. Everything on disk is read again by its methods only."""

    def __init__(
        self,
        config: Config,
        overrides: Mapping[str, object],
        problems: Collection[Problem],
        events: EventBus,
    ) -> None:
        self.config = config
        """The settings in force, those of the last good reading."""
        self.events = events
        self.untrusted: tuple[Grant, ...] = ()
        """What the settings in force want done and nobody agreed to: while there is something,
        nothing runs."""
        self.agent_problems: tuple[Problem, ...] = ()
        """Mistakes in profiles, and why agents of the settings could not be made."""
        self.sampled_agents: tuple[str, ...] = ()
        """Names of the agents that may answer the same request otherwise the next time."""
        self._settings_problems = tuple(problems)
        self._overrides = overrides
        self._project: Project | None = None
        self._reader = registry_reader(config)
        self._history: History | None = None
        self._journal: Journal | None = None
        self._other_runs: OtherRuns | None = None
        self._descriptions: dict[str, str] = {}
        self._own_mutes: dict[str, str] = {}
        self._mutes_stamp = (0, 0)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._found: list[Problem] = []
        self._keeps_unread = False
        self._unread: tuple[Suite, ...] = ()
        self._looked_for: set[str] = set()
        """Files without a good version when their known cases were looked for last."""
        self._findings: tuple[Problem, ...] = ()
        """Of the last closer look."""

    @property
    def project(self) -> Project:
        """The last good reading. Raises RuntimeError before `open`."""
        if self._project is None:
            raise RuntimeError("the session is not open")
        return self._project

    @property
    def history(self) -> History:
        """Raises RuntimeError before `open`."""
        if self._history is None:
            raise RuntimeError("the session is not open")
        return self._history

    @property
    def other_runs(self) -> OtherRuns:
        """Of other processes, in this project. Raises RuntimeError before `open`."""
        if self._other_runs is None:
            raise RuntimeError("the session is not open")
        return self._other_runs

    @property
    def folder(self) -> Path:
        """What is remembered of the project, none of it in version control."""
        return self.config.root / ".evaltui"

    @property
    def broken_settings(self) -> str:
        """Where the settings that are not read stand; while they do, nobody knows which agent is
        meant, and nothing runs. Empty when they are read.
        """
        for problem in self._settings_problems:
            is_unknown = problem.code in UNREADABLE or problem.key == "agent"
            if is_unknown and problem.severity is Severity.ERROR:
                return problem.place or "settings"
        return ""

    def own_mute(self, key: CaseKey) -> str:
        """The reason for which a key muted the case, not the settings; empty when none did."""
        return self._own_mutes.get(str(key), "")

    @property
    def mutes(self) -> dict[str, str]:
        """Reasons by `suite::case`, from the settings and from the keyboard."""
        return {**self.config.mutes, **self._own_mutes}

    def set_mute(self, key: CaseKey, reason: str) -> None:
        """Mute a case, or with an empty reason unmute it. Raises UserError."""
        path = self._mutes_path
        try:
            own = mute(path, key, reason, self.report) if reason else unmute(path, key, self.report)
        except OSError as error:
            what = f"`{path}` cannot be written: {error.strerror}."
            raise UserError(what, "Nothing was muted.") from error
        self._take_mutes(own)

    def follow_mutes(self) -> None:
        """Take in what other processes muted; called again and again. Raises UserError."""
        if stamp(self._mutes_path) == self._mutes_stamp:
            return
        self._mutes_stamp = stamp(self._mutes_path)
        try:
            own = reread_mutes(self._mutes_path)
        except (OSError, ValueError, RecursionError) as error:
            raise UserError(
                f"The mutes in `{self._mutes_path}` cannot be read now: {error}.",
                "Those that were read before stay in force until they can be.",
            ) from error
        self._take_mutes(own)

    def _take_mutes(self, own: dict[str, str]) -> None:
        """From now on these are muted here; emit what that changes."""
        before, self._own_mutes = self.mutes, own
        after = self.mutes
        for name in sorted({name for name, _ in before.items() ^ after.items() if "::" in name}):
            self.events.emit(CaseMuted(CaseKey(*name.split("::", 1)), after.get(name, "")))

    def report(self, problem: Problem) -> None:
        """Tell of a damaged file of ours, from any thread, once the project is read."""
        if self._loop is None:
            self._found.append(problem)
        else:
            with suppress(RuntimeError):  # the loop ended meanwhile
                self._loop.call_soon_threadsafe(self.events.report, problem)

    def report_found(self) -> None:
        """Tell of what was found while everything was opened, and from now on at once."""
        self._loop = asyncio.get_running_loop()
        for problem in self._found:
            self.events.report(problem)
        self._found.clear()

    @property
    def _mutes_path(self) -> Path:
        return self.folder / MUTES

    async def open(self, *, keeps_unread: bool = False) -> None:
        """Open history and journal and read the project. Raises UserError.

        With `keeps_unread` the known cases of files that cannot be read now are shown.
        """
        self._keeps_unread = keeps_unread
        await self.look_at_trust()
        if elsewhere := [one for one in self.untrusted if one.kind == "write"]:
            raise refusal(elsewhere)
        journal = await asyncio.to_thread(self._open_record)
        self.events.record_in(journal)
        self._project = await asyncio.to_thread(read_project, self.config, None, None, self._reader)
        await self._find_unread()
        self._remember_descriptions()

    async def close(self) -> None:
        await asyncio.gather(asyncio.to_thread(self._close_reader), asyncio.to_thread(self._end))

    async def reread_settings(self, paths: Collection[Path]) -> bool:
        """Whether settings, or what is wrong with them, differ from those that were in force."""
        names = (self.config.file,) if self.config.file else SETTINGS_FILES
        if not any(self.config.root / name in paths for name in names):
            return False
        read = await asyncio.to_thread(load_config, self.config.root, self._overrides, self.config)
        if (read.config, read.problems) == (self.config, self._settings_problems):
            return False
        self.config, self._settings_problems = read.config, read.problems
        return True

    async def look_at_trust(self) -> None:
        """Find out what was agreed to, and what is missing of it."""
        self.untrusted = await asyncio.to_thread(missing_grants, self.config)
        reader = self._reader if self._project is None else self._project.reader
        permit_reader(reader, self.config)

    async def reread_project(self, paths: Collection[Path] | None) -> Project:
        """Read what was saved at these paths, or everything again; the rest is as before."""
        await self.look_at_trust()
        self._project = await asyncio.to_thread(read_project, self.config, self.project, paths)
        await self._find_unread()
        self._remember_descriptions()
        return self._project

    def description_of(self, description_hash: str) -> str | None:
        """The description with that hash; `None` when no reading of this session had it."""
        return self._descriptions.get(description_hash)

    def _remember_descriptions(self) -> None:
        for tool in self.project.registry:
            if tool.description_hash is not None:
                self._descriptions[tool.description_hash] = tool.description or ""

    def emit_reading(self, trigger: tuple[str, ...] = ()) -> None:
        """Emit the last reading with all that is wrong with it; `trigger`: the files saved."""
        project = self.project
        gone = project.changed - {""}
        self._findings = tuple(one for one in self._findings if one.file not in gone)
        self.events.emit(
            ProjectRead(
                (*project.suites, *self._unread),
                project.registry,
                self._problems(),
                trigger,
                self.events.clock(),
                outdated_suites(project.suites, project.registry),
                self.mutes,
                self.sampled_agents,
            )
        )

    def emit_checked(self, findings: tuple[Problem, ...]) -> None:
        """Emit all that is wrong with the last reading, now that it was looked at closely."""
        self._findings = findings
        self.events.emit(ProjectChecked(self._problems()))

    def _problems(self) -> tuple[Problem, ...]:
        untrusted = (not_trusted(one) for one in self.untrusted)
        others = (*self._settings_problems, *self.agent_problems, *untrusted)
        found = reading_problems(self.project, others)
        return with_few(found, self._findings)

    async def _find_unread(self) -> None:
        unread = {file.id for file in self.project.files.values() if file.suite is None}
        kept = tuple(suite for suite in self._unread if suite.id in unread)
        if self._keeps_unread and unread != self._looked_for:
            self._looked_for = unread
            try:
                found = await asyncio.to_thread(unread_suites, self.project, self.history)
            except HistoryError as error:
                what = f"the known cases of files that cannot be read are not shown: {error}"
                self.report(Problem("", what, severity=Severity.WARNING, code="history"))
            else:
                known = {suite.id: suite for suite in kept}
                kept = tuple(known.get(suite.id, suite) for suite in found)
        self._unread = kept

    async def execute(self, call: ToolCall) -> ToolCall:
        """Execute a model's call on the live source of its tool."""
        return await self.project.reader.execute(call)

    def recover_lost(self) -> None:
        """Add to the history what killed runs had finished. From any thread."""
        for lost in recover(self.folder / "runs", self.report):
            try:
                if lost.started is not None:
                    self.history.record(RunRecord.of(lost.started, lost.finished), lost.results)
                settle(lost)
            except (HistoryError, OSError) as error:
                what = f"a run that was killed cannot be recovered now: {error}"
                hint = "It is tried again at the next start; free some space."
                self.report(Problem(str(lost.path), what, hint, severity=Severity.WARNING))

    def _open_record(self) -> Journal:
        """Open the record of runs, with what killed runs had finished."""
        results = self.config.root / self.config.output_dir
        self._history = History.open(self.folder, results, self.report)
        journal = self._journal = Journal(
            self.folder / "runs", keep_runs=self.config.keep_runs, report=self.events.report
        )
        self._mutes_stamp = stamp(self._mutes_path)
        self._own_mutes = load_mutes(self._mutes_path, self.report)
        self.recover_lost()
        # Before anyone reads the history: a run that ends now is heard of twice rather than never.
        self._other_runs = OtherRuns(journal.folder, journal.is_mine)
        return journal

    def _close_reader(self) -> None:
        (self._project.reader if self._project else self._reader).close()

    def _end(self) -> None:
        if self._other_runs is not None:
            self._other_runs.close()
        if self._journal is not None:
            self._journal.close()
        if self._history is not None:
            self._history.close()
