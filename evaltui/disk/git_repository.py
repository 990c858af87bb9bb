"""Which repository a folder lies in, found without git, and whether git reads but that when asked.

Git itself would take any folder that looks like a bare repository for one, as a clone may hold.
"""

import os
from pathlib import Path

from evaltui.files import is_file, is_folder, is_there, read_file

HOW_TO_ASK = "Look at `.git`; once the project is trusted, or with `--trust`, git is asked."
_CONFIG_LIMIT = 1 << 20
_NAMES_FILES = (b"[include", b"excludesfile", b"attributesfile")
"""In settings: sections and keys that name further files to be read, wherever these are."""
_LEADS_ELSEWHERE = ("commondir", "config.worktree", "objects/info/alternates")
"""Files of `.git` by which git reads other folders, or other settings."""
_OWN = (
    *("HEAD", "config", "index", "packed-refs", "shallow", "info", "info/exclude"),
    *("objects", "objects/info", "objects/pack", "refs", "refs/heads", "refs/tags"),
)


def top_of(folder: Path) -> Path | None:
    """The top folder of the repository that the folder lies in, links followed; `None` where it
    lies in none."""
    real = Path(os.path.realpath(folder))
    return next((one for one in (real, *real.parents) if is_top(one)), None)


def is_top(folder: Path) -> bool:
    """Whether its `.git` is a repository, or a file that says where that is. An empty one is none,
    nor is one with a pipe for a HEAD, at which git would wait."""
    git = folder / ".git"
    return is_file(git) or is_file(git / "HEAD") or (is_folder(git) and _is_link(git / "HEAD"))


def why_unasked(folder: Path) -> str:
    """As `why_not_plain`, of the repository that the folder lies in; empty outside of any."""
    top = top_of(folder)
    return why_not_plain(top, folder) if top is not None else ""


def why_not_plain(top: Path, asked: Path) -> str:
    """By what git would read outside of `.git`, or might, when asked from the folder `asked`; in
    words that go on after "as". Empty when it is a folder with all that is its own."""
    git = top / ".git"
    if _is_link(git) or not is_folder(git):
        return "`.git` is a link, or a file that names another folder"
    if _is_foreign(git, asked):
        return f"`{git}` belongs to another user"
    for name in _LEADS_ELSEWHERE:
        if _is_link(git / name) or is_there(git / name):
            return f"`.git/{name}` makes it read other files"
    if linked := next((name for name in _OWN if _is_link(git / name)), ""):
        return f"`.git/{linked}` is a link"
    try:
        settings = read_file(git / "config", _CONFIG_LIMIT).lower()
    except FileNotFoundError:
        return ""
    except OSError:
        return "its settings in `.git/config` cannot be read"
    if any(one in settings for one in _NAMES_FILES):
        return "its settings in `.git/config` include other files"
    return ""


def _is_link(path: Path) -> bool:
    return os.path.islink(path)  # noqa: PTH114


def _is_foreign(git: Path, asked: Path) -> bool:
    """Whether somebody else may have put it above the folder: git, told where it is, no longer
    looks. What belongs to whom the folder belongs to is as good as that, as in a container."""
    if not hasattr(os, "geteuid"):
        return False
    try:
        return git.stat().st_uid not in (os.geteuid(), asked.stat().st_uid)
    except OSError:
        return True
