"""Folders that hold what came of runs: version control passes over them from the start."""

from contextlib import suppress
from pathlib import Path

IGNORE = "# Made by evaltui; take this away to keep the folder in version control.\n*\n"


def make_own_folder(folder: Path) -> None:
    """Make it if it is not there, with a `.gitignore` that is written this once. Raises OSError."""
    try:
        folder.mkdir(parents=True)
    except FileExistsError:
        return
    with suppress(OSError):
        (folder / ".gitignore").write_text(IGNORE, encoding="utf-8")
