"""Folders for the output of runs, which version control ignores from the start."""

import os
from contextlib import suppress
from pathlib import Path

from evaltui.files import leads_out

IGNORE = "# Made by evaltui; take this away to keep the folder in version control.\n*\n"

NAME = ".evaltui"
"""What is remembered of a project, in it."""


def own_folder(root: Path) -> Path:
    """Where evaltui remembers what came of a project's runs, made or not."""
    return root / NAME


def leading_out(root: Path) -> list[Path]:
    """Where `.evaltui` of a project lies, and every link in it leads, that is not in the project.

    What is remembered is nowhere else; whoever put such a link there may mean anything by it.
    """
    own = own_folder(root)
    if place := leads_out(own, root):
        return [Path(place)]
    links = (
        path
        for folder, folders, files in os.walk(own)
        for name in (*folders, *files)
        if (path := Path(folder, name)).is_symlink()
    )
    return [Path(place) for path in links if (place := leads_out(path, root))]


def make_own_folder(folder: Path) -> None:
    """Make it if it is not there, with a `.gitignore` that is written this once. Raises OSError."""
    try:
        folder.mkdir(parents=True)
    except FileExistsError:
        return
    with suppress(OSError):
        (folder / ".gitignore").write_text(IGNORE, encoding="utf-8")
