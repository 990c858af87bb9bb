"""Folders for the output of runs, which version control ignores from the start."""

import os
from contextlib import suppress
from pathlib import Path

from evaltui.disk.whole_file import replace_whole
from evaltui.files import leads_out

IGNORE = "# Made by evaltui; empty this file to keep the folder in version control.\n*\n"

RESULTS = "results"
"""The usual name of the folder of results, below that of the evals."""
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


def make_folder(folder: Path) -> None:
    """Make it and its parents; an `.evaltui` among them gets a `.gitignore` if it has none.

    Raises OSError.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for own in (folder, *folder.parents):
        if own.name == NAME:
            _ignore(own)


def make_output_dir(folder: Path) -> None:
    """Make it with a `.gitignore`. One that is there gets it too where it is the usual one or
    empty; any other is the user's and left as it is. Raises OSError."""
    try:
        folder.mkdir(parents=True)
    except FileExistsError:
        if folder.name != RESULTS and any(folder.iterdir()):
            return
    _ignore(folder)


def _ignore(folder: Path) -> None:
    path = folder / ".gitignore"
    # Half of it would read as the user's wish to keep the folder in version control.
    with suppress(OSError):
        if not os.path.lexists(path):
            replace_whole(path, IGNORE.encode())
