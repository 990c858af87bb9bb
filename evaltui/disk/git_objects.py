"""What a repository has committed, read without running anything that it may name.

Only commands that read objects are used, as `git_process.py` runs them: no hook, no filter, no
pager and no program of a remote is started, whatever the repository's own settings say.
"""

import os
from collections.abc import Container, Iterable, Iterator, Sequence
from enum import Enum
from io import BytesIO
from pathlib import Path

from msgspec import Struct

from evaltui.disk.git_process import UNAGREED, Git, GitError


class Kind(Enum):
    """What an entry of a commit is, by its mode."""

    FILE = b"100644"
    PROGRAM = b"100755"
    """A file as well."""
    LINK = b"120000"
    REPOSITORY = b"160000"
    """A submodule: of another repository only the name of a commit is held."""


class Entry(Struct, frozen=True, gc=False):
    """A file, a link or another repository in a commit."""

    path: str
    """Below the folder that was asked for, with `/`."""
    kind: Kind
    object: str
    """Its name, as in `Blob`; of a repository that of a commit there."""
    size: int
    """Bytes; 0 for a repository."""
    repository: Path
    """That has the object."""


class Blob(Struct, frozen=True, gc=False):
    """The content of a file, not yet read."""

    object: str
    """Its name, as `contents` takes it."""
    size: int
    """Bytes."""


def commit_of(root: Path, reference: str, git: Git = UNAGREED) -> str | None:
    """The name of the commit that a branch, tag or hash means; `None` when it means none.

    Raises GitError.
    """
    asked = ("rev-parse", "--verify", "--quiet", "--end-of-options", f"{reference}^{{commit}}")
    if "\0" in reference:
        return None
    answer = git.ask(root, asked)
    return answer.decode("ascii", "replace").strip() or None if answer is not None else None


def entries_at(
    top: Path, commit: str, below: Sequence[str] = (), git: Git = UNAGREED
) -> Iterator[Entry]:
    """What a commit holds; `below`: only what is in these folders. Raises GitError."""
    asked = ("ls-tree", "-r", "-z", "--long", "--end-of-options", commit, *below)
    listed = git.ask(top, asked)
    if listed is None:
        raise GitError(_NOT_HERE)
    for line in listed.split(b"\0"):
        head, _, name = line.partition(b"\t")
        words = head.split()
        if len(words) == 4 and (kind := _KINDS.get(words[0])) is not None:
            size = int(words[3]) if words[3].isdigit() else 0
            yield Entry(os.fsdecode(name), kind, words[2].decode("ascii"), size, top)


_KINDS = {kind.value: kind for kind in Kind}
_NOT_HERE = "this clone has not all of its objects; `git fetch` what is missing"


def ignored(repository: Path, paths: Iterable[str], git: Git = UNAGREED) -> Container[str]:
    """Those that its rules keep out of its commits; none may lie in a repository below it, or
    behind a link. Raises GitError."""
    asked = b"\0".join(os.fsencode(path) for path in paths)
    if not asked:
        return frozenset()
    answer = git.ask(repository, ("check-ignore", "-z", "--stdin"), asked, fine=(0, 1))
    if answer is None:
        raise GitError("git does not say which files it ignores")
    return frozenset(os.fsdecode(path) for path in answer.split(b"\0"))


def blobs(root: Path, objects: Sequence[str], git: Git = UNAGREED) -> list[Blob | None]:
    """Of files by name or as `HEAD:./file`; `None` where there is none. Raises GitError."""
    answer = _batch(root, "--batch-check", objects, git)
    found: list[Blob | None] = []
    for line in answer.splitlines():
        words = line.split()
        is_blob = len(words) == 3 and words[1] == b"blob"  # else `HEAD:./new.json missing`
        found.append(Blob(words[0].decode("ascii"), int(words[2])) if is_blob else None)
    return (found + [None] * len(objects))[: len(objects)]


def contents(root: Path, objects: Sequence[str], git: Git = UNAGREED) -> list[bytes | None]:
    """The contents of blobs by name, all of them at once in memory: whoever asks knows their sizes;
    `None` where there is none.

    Raises GitError.
    """
    output = BytesIO(_batch(root, "--batch", objects, git))
    found: list[bytes | None] = []
    for _ in objects:
        words = output.readline().split()
        if len(words) == 3 and words[1] == b"blob":
            found.append(output.read(int(words[2])))
            output.readline()
        else:
            found.append(None)
    return found


def _batch(root: Path, how: str, objects: Sequence[str], git: Git) -> bytes:
    if not objects:
        return b""
    wanted = "".join(f"{one}\n" for one in objects).encode("utf-8", "surrogateescape")
    return git.ask(root, ("cat-file", how), wanted) or b""


def read_entries(entries: Sequence[Entry], git: Git = UNAGREED) -> Iterator[tuple[Entry, bytes]]:
    """With their contents, in no order. Raises GitError."""
    for repository in dict.fromkeys(one.repository for one in entries):
        own = [one for one in entries if one.repository == repository]
        found = contents(repository, [one.object for one in own], git)
        for one, content in zip(own, found, strict=True):
            if content is None:  # it is not fetched, and without it something would seem absent
                raise GitError(_NOT_HERE)
            yield one, content
