"""Settings and project as they were read last, and read again when files are saved."""

import asyncio
from collections.abc import Collection, Mapping
from pathlib import Path

from evaltui.core.config import Config
from evaltui.core.errors import Problem
from evaltui.core.response import ToolCall
from evaltui.project import SETTINGS_FILES, Project, read_project
from evaltui.settings.load import load_config


class ProjectState:
    """What is on disk for one session."""

    def __init__(
        self, config: Config, overrides: Mapping[str, object], problems: Collection[Problem]
    ) -> None:
        self.config = config
        self.problems = tuple(problems)
        """What is wrong with the settings in force."""
        self._overrides = overrides
        self._project: Project | None = None

    @property
    def project(self) -> Project:
        """The last good reading. Raises RuntimeError before `open`."""
        if self._project is None:
            raise RuntimeError("the session is not open")
        return self._project

    async def open(self) -> None:
        """Read the project for the first time."""
        self._project = await asyncio.to_thread(read_project, self.config, None, None)

    async def close(self) -> None:
        if self._project is not None:
            await asyncio.to_thread(self._project.reader.close)

    async def reread_settings(self, paths: Collection[Path]) -> bool:
        """Whether settings, or what is wrong with them, differ from those that were in force."""
        names = (self.config.file,) if self.config.file else SETTINGS_FILES
        if not any(self.config.root / name in paths for name in names):
            return False
        read = await asyncio.to_thread(load_config, self.config.root, self._overrides, self.config)
        if (read.config, read.problems) == (self.config, self.problems):
            return False
        self.config, self.problems = read.config, read.problems
        return True

    async def reread_project(self, paths: Collection[Path]) -> Project:
        """Read what was saved at these paths; the rest is as before."""
        self._project = await asyncio.to_thread(read_project, self.config, self.project, paths)
        return self._project

    async def execute(self, call: ToolCall) -> ToolCall:
        """Execute a model's call on the live source of its tool."""
        return await self.project.reader.execute(call)
