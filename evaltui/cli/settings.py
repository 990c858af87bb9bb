"""From flags to settings."""

from argparse import Namespace
from pathlib import Path

from msgspec import Struct

from evaltui.core.config import Config
from evaltui.core.errors import Problem, Severity, UserError
from evaltui.files import is_folder

FLAGS = (
    "config",
    "agent",
    "registry",
    "seed",
    "output_dir",
    "baseline",
    "snapshot",
    "concurrency",
    "timeout_ms",
    "call_at",
    "trials",
    "cassettes",
    "theme",
    "trust",
)


def given(flags: Namespace) -> dict[str, object]:
    """The flags that were given; those left out leave the settings file in force."""
    values = {name: getattr(flags, name, None) for name in FLAGS}
    return {name: value for name, value in values.items() if value is not None}


def start_folder(flags: Namespace) -> Path:
    """Where the project is looked for. Raises UserError when there is no such folder."""
    root: Path = getattr(flags, "root", Path())
    if not is_folder(root):
        raise UserError(f"There is no folder `{root}`.", "Give an existing one with -C.")
    return root.resolve()


class Settings(Struct, frozen=True):
    """What a command works with; `overrides` is kept for reading the file again."""

    config: Config
    problems: tuple[Problem, ...]
    overrides: dict[str, object]


def read_settings(
    flags: Namespace, *, paths: tuple[str, ...] = (), lenient: bool = False
) -> Settings:
    """Settings of the project at `--root`.

    Raises UserError for mistakes in file or flags; with `lenient` they are left to who shows them
    with everything else: the screen, or `check`.
    """
    from evaltui.settings.load import load_config  # the first frame waits for no settings

    start = start_folder(flags)
    overrides = given(flags)
    if paths:
        overrides["evals"] = paths
    read = load_config(start, overrides)
    errors = [problem for problem in read.problems if problem.severity is Severity.ERROR]
    if errors and not lenient:
        raise UserError("The settings have mistakes.", "Correct them and try again.", errors)
    return Settings(read.config, read.problems, overrides)
