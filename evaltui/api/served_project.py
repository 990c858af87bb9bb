"""The project being served: read on request, and again only when something has changed."""

import asyncio
import sys
from collections.abc import Mapping
from pathlib import Path

from evaltui.api.faults import Conflict, NotTrusted
from evaltui.core.config import Config
from evaltui.core.errors import Problem, Severity
from evaltui.disk.history.history import History
from evaltui.disk.own_folder import leading_out, own_folder
from evaltui.files import stamp
from evaltui.project import Project, missing_grants, permit_reader, read_project
from evaltui.project.trust import permit_of, write_grants
from evaltui.reporters.ansi import plain
from evaltui.settings.load import ReadConfig, load_config


class ServedProject:
    """As it is on disk now. `close` comes last."""

    def __init__(self, start: Path, overrides: Mapping[str, object]) -> None:
        self._start = start
        self.overrides = dict(overrides)
        self._lock = asyncio.Lock()
        self._project: Project | None = None
        self._known: object = None
        """What the last reading was made of."""

    def read_settings(self, overrides: Mapping[str, object] | None = None) -> ReadConfig:
        """As they are in the file now. Raises Conflict for mistakes."""
        read = load_config(self._start, self.overrides if overrides is None else overrides)
        errors = [one for one in read.problems if one.severity is Severity.ERROR]
        if errors:
            raise Conflict("The settings have mistakes.", "Correct them and try again.", errors)
        return read

    def trusted_settings(self, overrides: Mapping[str, object] | None = None) -> ReadConfig:
        """Raises NotTrusted where nobody agreed to what a run would do."""
        read = self.read_settings(overrides)
        if missing := missing_grants(read.config):
            raise NotTrusted.of(missing)
        return read

    async def read(self) -> Project:
        """Raises Conflict."""
        async with self._lock:
            return await asyncio.to_thread(self._read)

    def history(self, config: Config) -> History:
        """What is kept of runs, to be closed. Raises NotTrusted where a link leads out to it."""
        away = permit_of(config).missing(write_grants(config)) if leading_out(config.root) else ()
        if away:
            raise NotTrusted.of(away)
        return History.open(own_folder(config.root), config.root / config.output_dir, _say)

    async def close(self) -> None:
        project = self._project
        if project is not None:
            await asyncio.to_thread(project.reader.close)
            if project.loader is not None:
                await project.loader.close()

    def _read(self) -> Project:
        config = self.read_settings().config
        permit, before = permit_of(config), self._project
        if before is not None:
            if self._known == (config, permit, _stamps(before)):
                return before
            permit_reader(before.reader, config)
        stamps = _stamps(before)
        project = read_project(config, before, None)
        # As it was before the reading: what is written meanwhile may be in it or not. What was not
        # looked at before is read once more.
        known = {path: stamps.get(path) for path in project.files_watched}
        self._project, self._known = project, (config, permit, known)
        return project


def _say(problem: Problem) -> None:
    sys.stderr.write(f"{plain(str(problem))}\n")


def _stamps(project: Project | None) -> dict[Path, tuple[int, int]]:
    return {path: stamp(path) for path in project.files_watched} if project is not None else {}
