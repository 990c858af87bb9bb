"""The settings of one session: those of the last good reading, and what is wrong with them."""

import asyncio
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path

from evaltui.core.agent_name import JUDGE
from evaltui.core.config import Config
from evaltui.core.errors import UNREADABLE, Problem, Severity
from evaltui.settings.load import load_config
from evaltui.settings.source import SETTINGS_FILES

_LIMITS = ("max_cost_usd", "maxCostUsd")


class SettingsInForce:
    """Read again by `reread` only."""

    def __init__(
        self, config: Config, overrides: Mapping[str, object], problems: Collection[Problem]
    ) -> None:
        self.config = config
        self.problems = tuple(problems)
        self._overrides = overrides

    async def reread(self, paths: Collection[Path]) -> bool:
        """Whether settings, or what is wrong with them, differ from those that were in force."""
        names = (self.config.file,) if self.config.file else SETTINGS_FILES
        names = (*names, *self.config.read_along)
        if not any(self.config.root / name in paths for name in names):
            return False
        read = await asyncio.to_thread(load_config, self.config.root, self._overrides, self.config)
        if (read.config, read.problems) == (self.config, self.problems):
            return False
        self.config, self.problems = read.config, read.problems
        return True


def unusable(problems: Iterable[Problem]) -> str:
    """Where the settings stand that leave it open which agent is meant, who judges, or what may be
    spent; empty where none of the problems is about those."""
    for problem in problems:
        first, *_, last = 2 * problem.key.split(".")
        leaves_open = first in ("agent", JUDGE) or last in _LIMITS or problem.code in UNREADABLE
        if leaves_open and problem.severity is Severity.ERROR:
            return problem.place or "settings"
    return ""
