"""A commit's scripts and lists, written to a folder in which they are read as in a working tree."""

import os
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path, PurePosixPath

from msgspec import Struct

from evaltui.core.errors import UserError
from evaltui.disk.git_objects import Entry, read_entries
from evaltui.disk.git_process import Git
from evaltui.files import is_there, read_file
from evaltui.project.commits.commit_tree import CommitTree
from evaltui.project.commits.not_committed import not_committed
from evaltui.project.project import Project
from evaltui.project.reach import reach
from evaltui.project.trust import places_outside
from evaltui.registries.discovery import SCRIPTS, SKIPPED

_READ = (*SCRIPTS, ".json", ".yaml", ".yml")
"""How files end that definitions are read from, or that say where their imports are."""
_MOST_FILES = 20_000
_MOST_BYTES = 64 << 20


class CommitCopy(Struct, frozen=True):
    """What was written."""

    root: Path
    """The project's folder there."""
    outside: tuple[Path, ...]
    """The folders out of it in which may be read."""
    as_now: tuple[str, ...]
    """Files that the tools of now are read from and no commit has: they were taken along, named
    as the registry names them."""


def copy_commit(project: Project, top: Path, commit: str, folder: Path, git: Git) -> CommitCopy:
    """Write to `folder`, a real one, what a commit has of the project, in a repository below `top`.

    Each file stands there as deep as it does on disk, so that paths out of the project lead to
    each other too. Raises UserError, GitError and OSError.
    """
    root = Path(os.path.realpath(project.root))
    outside = [Path(os.path.realpath(place)) for place in places_outside(project.config)]
    inside = [place for place in (root, *outside) if place.is_relative_to(top)]
    below = [place.relative_to(top).as_posix() for place in inside]
    tree = CommitTree(top, commit, below, git)
    committed: set[str] = set()
    others: dict[str, Path] = {}
    reached = reach(project.config)
    for name in sorted(project.registry.all_files):
        path = Path(os.path.normpath(root / name))
        place = tree.place(path.relative_to(top).as_posix()) if path.is_relative_to(top) else None
        if place in tree.files:
            committed.add(place)
        elif is_there(path) and reached.hold(path):
            others[name] = path
    as_now = not_committed(tree, others)
    wanted = _wanted(tree, committed)
    for one, content in read_entries(wanted, git):
        _write(_inside(folder, top / one.path), content)
    # Scripts import texts and pictures too: that these are there is all that is asked of them.
    for other in tree.files.keys() - {one.path for one in wanted}:
        if _is_safe(other) and not other.endswith(_READ):
            with suppress(FileExistsError):  # where upper and lower case are the same
                _write(_inside(folder, top / other), b"")
    for name in as_now:
        with suppress(FileExistsError):
            _write(_inside(folder, others[name]), read_file(others[name]))
    # At last, so that nothing is written through one.
    for link in filter(_is_safe, tree.links):
        _link(folder, top, link, tree.place(link))
    places = tuple(_inside(folder, place) for place in outside)
    return CommitCopy(_inside(folder, root), places, tuple(as_now))


def _wanted(tree: CommitTree, looked_at: Collection[str]) -> list[Entry]:
    """Those that definitions can be read from. Raises UserError when they are too many."""
    linked = {place for link in tree.links if link.endswith(_READ) and (place := tree.place(link))}
    safe = [one for one in tree.files.values() if _is_safe(one.path)]
    found = [
        one
        for one in safe
        if one.path.endswith(_READ) or one.path in linked or one.path in looked_at
    ]
    if _is_too_much(found):
        found = [
            one
            for one in found
            if one.path in looked_at or SKIPPED.isdisjoint(one.path.split("/")[:-1])
        ]
    if _is_too_much(found):
        size = sum(one.size for one in found)
        raise UserError(
            f"The commit has {len(found):,} scripts and lists of {size / 1e6:,.0f} MB, more than "
            "are read.",
            "Start in the folder of the package that has the tools (--root).",
        )
    return found


def _is_too_much(files: Collection[Entry]) -> bool:
    return len(files) > _MOST_FILES or sum(one.size for one in files) > _MOST_BYTES


def _is_safe(name: str) -> bool:
    """Whether it is a name below the folder, whatever a repository was made to hold."""
    path = PurePosixPath(name)
    is_below = not path.is_absolute() and ".." not in path.parts and "\\" not in name
    return is_below and ":" not in name


def _inside(folder: Path, path: Path) -> Path:
    return folder / path.relative_to(path.anchor)


def _write(place: Path, content: bytes) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    with place.open("xb") as made:
        made.write(content)


def _link(folder: Path, top: Path, link: str, place: str | None) -> None:
    """To where it leads in the end, which is no link."""
    target = None if place is None else _inside(folder, top / place)
    if target is not None and is_there(target):
        made = _inside(folder, top / link)
        made.parent.mkdir(parents=True, exist_ok=True)
        with suppress(FileExistsError):
            made.symlink_to(target, target_is_directory=target.is_dir())
