"""Working-tree files that no commit of the repository contains: ignored files, files outside of it
or in `node_modules`, and submodules that cannot be read."""

import os
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

from evaltui.disk.git_objects import ignored
from evaltui.disk.git_repository import is_top
from evaltui.project.commits.commit_tree import CommitTree

_INSTALLED = "node_modules"


def not_committed(tree: CommitTree, files: Mapping[str, Path]) -> list[str]:
    """The names of those of the `files`, absolute paths in real folders, that `tree` has not since
    no commit has. All others that it has not came to be after it. Raises GitError."""
    ways = {name: list(_way(path)) for name, path in files.items()}
    asked: dict[Path, set[Path]] = {}
    for stations in ways.values():
        for station in stations:
            for repository, path in _kept_by(tree.top, station):
                asked.setdefault(repository, set()).add(path)
    kept_out: set[Path] = set()
    for repository, paths in asked.items():
        by_name = {path.relative_to(repository).as_posix(): path for path in paths}
        names = ignored(repository, by_name, tree.git)
        kept_out |= {path for name, path in by_name.items() if name in names}
    return [
        name
        for name, stations in ways.items()
        if any(_is_out(tree, station, kept_out) for station in stations)
    ]


def _way(path: Path) -> Iterator[Path]:
    """The links that lead to a file, and where that is, each in its real folder."""
    here = Path(path.anchor)
    for part in path.parts[1:]:
        step = here / part
        if step.is_symlink():
            yield step
            step = Path(os.path.realpath(step))
        here = step
    yield here


def _kept_by(top: Path, path: Path) -> Iterator[tuple[Path, Path]]:
    """The repositories below `top` that it lies in, each in the one around it, and it in the
    innermost."""
    if not path.is_relative_to(top):
        return
    inner = [one for one in path.parents if one != top and one.is_relative_to(top)]
    around = top
    for folder in reversed(inner):
        if is_top(folder):
            yield around, folder
            around = folder
    yield around, path


def _is_out(tree: CommitTree, path: Path, ignored_ones: Collection[Path]) -> bool:
    if not path.is_relative_to(tree.top):
        return True
    rest = path.relative_to(tree.top)
    if _INSTALLED in rest.parts or not tree.not_here.isdisjoint(
        folder.as_posix() for folder in rest.parents
    ):
        return True
    return any(kept in ignored_ones for _, kept in _kept_by(tree.top, path))
