"""Where paths lead in a commit: its links are followed there, and the submodules that are here are
part of it."""

import os
from collections.abc import Sequence
from pathlib import Path

from msgspec.structs import replace

from evaltui.disk.git_objects import (
    Entry,
    Kind,
    commit_of,
    entries_at,
    read_entries,
)
from evaltui.disk.git_process import UNAGREED, Git
from evaltui.disk.git_repository import is_top

_MOST_LINKS = 40
"""On one way: as many as systems follow."""
_LONGEST_TARGET = 4096
"""Bytes: none that is longer can be made on disk, and a small repository can hold a huge one."""


class CommitTree:
    """What a commit holds, by path from the top of its repository, with `/`."""

    def __init__(
        self, top: Path, commit: str, below: Sequence[str] = (), git: Git = UNAGREED
    ) -> None:
        """`below`: only what is in these folders. Raises GitError."""
        self.top = top
        self.git = git
        self.files: dict[str, Entry] = {}
        self.links: dict[str, str] = {}
        """Where each says that it leads."""
        self.not_here: set[str] = set()
        """Submodules whose commit of then cannot be read, as where they are not checked out."""
        self._add("", top, commit, below)

    def _add(self, prefix: str, top: Path, commit: str, below: Sequence[str] = ()) -> None:
        listed = list(entries_at(top, commit, below, self.git))
        links = [one for one in listed if one.kind is Kind.LINK and one.size <= _LONGEST_TARGET]
        for link, target in read_entries(links, self.git):
            self.links[prefix + link.path] = os.fsdecode(target)
        for one in listed:
            path = prefix + one.path
            if one.kind in (Kind.FILE, Kind.PROGRAM):
                self.files[path] = replace(one, path=path)
            elif one.kind is Kind.REPOSITORY:
                there = top / one.path
                if is_top(there) and commit_of(there, one.object, self.git):
                    self._add(f"{path}/", there, one.object)
                else:
                    self.not_here.add(path)

    def place(self, path: str) -> str | None:
        """Where a path leads; `None`: out of the repository, or round in circles."""
        found: list[str] = []
        rest, followed = path.split("/")[::-1], 0
        while rest:
            part = rest.pop()
            if part in ("", "."):
                continue
            if part == "..":
                if not found:
                    return None
                found.pop()
                continue
            found.append(part)
            if (target := self.links.get("/".join(found))) is None:
                continue
            found.pop()
            followed += 1
            if followed > _MOST_LINKS:
                return None
            if Path(target).is_absolute():
                if not Path(target).is_relative_to(self.top):
                    return None
                target, found = Path(target).relative_to(self.top).as_posix(), []
            rest += target.split("/")[::-1]
        return "/".join(found)
