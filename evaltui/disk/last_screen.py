"""The settings that the dashboard's first frame needs, as the last session had them.

Reading the settings takes longer than painting that frame; they follow right after it.
"""

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from msgspec import Struct
from msgspec.structs import asdict

from evaltui.core.config import AgentProfile, Config
from evaltui.disk.damage import Report, is_damage, set_aside
from evaltui.files import read_file

FILE = "screen.json"
LIMIT = 64 << 10
"""Bytes; a table with a key for every command has a tenth of it."""


class LastScreen(Struct, frozen=True):
    """`.evaltui/screen.json`: nothing in it is secret, or true of one machine only."""

    theme: str = "dark"
    keys_preset: str = "default"
    keys: Mapping[str, str] = {}
    agent: str = AgentProfile().name
    """The first one, by its name in the settings."""
    output_dir: str = "evals/results"

    @classmethod
    def of(cls, config: Config) -> "LastScreen":
        agent = config.agents[0].name if config.agents else ""
        return cls(config.theme, config.keys_preset, config.keys, agent, config.output_dir)

    def config(self, root: Path) -> Config:
        """Settings that hold until those of the project are read."""
        known = asdict(self)
        return Config(root, agents=(AgentProfile(known.pop("agent")),), **known)


def read_last_screen(folder: Path, report: Report | None = None) -> LastScreen:
    """The defaults when the file is missing or damaged: the next session writes it again. A damaged
    one is set aside where somebody hears of it."""
    from evaltui.disk.codec import decode

    path = folder / FILE
    try:
        return decode(LastScreen, read_file(path, LIMIT))
    except (OSError, ValueError, RecursionError) as error:
        if report is not None and is_damage(error):
            report(set_aside(path, error, "Only the look of the first frame was in it."))
        return LastScreen()


def write_last_screen(folder: Path, screen: LastScreen) -> None:
    """A folder that cannot be written to costs only the look of the next first frame."""
    from evaltui.disk.atomic import write_atomic
    from evaltui.disk.codec import encode

    with suppress(OSError):
        write_atomic(folder / FILE, encode(screen))
