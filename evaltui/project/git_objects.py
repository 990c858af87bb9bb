"""What a repository has committed, read without running anything that it may name.

Only commands that read objects are used: no hook, no filter, no pager and no program of a remote is
started, whatever the repository's own settings say.
"""

import os
from collections.abc import Iterator, Sequence
from io import BytesIO
from pathlib import Path

from msgspec import Struct

_PATIENCE_S = 20
_LOCAL_ONLY = {"GIT_ALLOW_PROTOCOL": "none", "GIT_NO_LAZY_FETCH": "1", "GIT_OPTIONAL_LOCKS": "0"}
"""A repository may say that missing objects are to be fetched, and with what program."""
_NOTHING_STARTED = ("-c", "core.fsmonitor=false", "-c", f"core.hooksPath={os.devnull}")
_REGULAR_FILES = frozenset({b"100644", b"100755"})
"""Modes; links and other repositories are none."""


class GitError(Exception):
    """There is no git, or it did not answer; in words."""


class CommittedFile(Struct, frozen=True, gc=False):
    """A file of a commit below the folder that was asked for."""

    path: str
    """Below that folder, with `/`."""
    blob: str
    """Its object's name, as `contents` takes it."""
    size: int
    """Bytes."""


def has_repository(root: Path) -> bool:
    """Whether the folder, or one above it, says that it is one."""
    return any((folder / ".git").exists() for folder in (root, *root.parents))


def commit_of(root: Path, reference: str) -> str | None:
    """The name of the commit that a branch, tag or hash means; `None` when it means none.

    Raises GitError.
    """
    asked = ("rev-parse", "--verify", "--quiet", "--end-of-options", f"{reference}^{{commit}}")
    if "\0" in reference:
        return None
    answer = _git(root, asked)
    return answer.decode("ascii", "replace").strip() or None if answer is not None else None


def files_at(root: Path, commit: str) -> Iterator[CommittedFile]:
    """The regular files of a commit below `root`; links are none. Raises GitError."""
    listed = _git(root, ("ls-tree", "-r", "-z", "--long", "--end-of-options", commit))
    for line in (listed or b"").split(b"\0"):
        head, _, name = line.partition(b"\t")
        words = head.split()
        if len(words) == 4 and words[0] in _REGULAR_FILES and words[3].isdigit():
            path = os.fsdecode(name)
            yield CommittedFile(path, words[2].decode("ascii"), int(words[3]))


def contents(root: Path, objects: Sequence[str]) -> list[bytes | None]:
    """The contents of blobs, by name or as `HEAD:./file`; `None` where there is none.

    Raises GitError.
    """
    if not objects:
        return []
    wanted = "".join(f"{one}\n" for one in objects).encode("utf-8", "surrogateescape")
    output = BytesIO(_git(root, ("cat-file", "--batch"), wanted) or b"")
    found: list[bytes | None] = []
    for _ in objects:
        words = output.readline().split()
        if len(words) == 3 and words[1] == b"blob":
            found.append(output.read(int(words[2])))
            output.readline()
        else:  # `HEAD:./new.json missing`
            found.append(None)
    return found


def _git(root: Path, asked: Sequence[str], given: bytes = b"") -> bytes | None:
    """What it prints; `None` when it refuses. Raises GitError when there is no answer."""
    import subprocess

    try:
        answer = subprocess.run(
            ["git", "-C", str(root), *_NOTHING_STARTED, *asked],
            input=given,
            capture_output=True,
            timeout=_PATIENCE_S,
            check=False,
            env={**os.environ, **_LOCAL_ONLY},
        )
    except subprocess.TimeoutExpired as error:
        raise GitError(f"git did not answer within {_PATIENCE_S} seconds") from error
    except (OSError, subprocess.SubprocessError) as error:
        raise GitError("git cannot be started; is it installed?") from error
    return answer.stdout if answer.returncode == 0 else None
