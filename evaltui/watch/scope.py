"""Which folders the system must watch for a set of files, and what its notifications mean."""

import os
import re
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path, PurePath

from evaltui.files import is_file, is_folder

_EDITOR_FILES = re.compile(
    r"""
    \#.*\#              # Emacs, autosave
    | .*~               # backups of Emacs, Vim, Kate, gedit
    | .*\.sw[a-z]       # Vim, swap
    | 4913 | 4914 | 4915  # Vim, trying whether it may write
    | .*\.(tmp|temp|bak|orig|part|crswap|kate-swp)(\.\d+)?
    | .*\.tmp\.[\w.-]+  # atomic writers: name.json.tmp.<pid>
    | .*___jb_(tmp|old)___
    | sed[A-Za-z0-9]{6}
    | Thumbs\.db
    """,
    re.VERBOSE,
)
"""Files that come and go while somebody edits, and are nobody's business."""


class Scope:
    """Watched files and folders at one moment.

    The system watches real folders, not below them, so that links and big trees cost nothing;
    news about a real path are translated back to every path that leads to it.
    """

    def __init__(self, root: Path, wanted: Iterable[Path]) -> None:
        self._root = root
        self.wanted = frozenset(wanted)
        folders = {path for path in self.wanted if is_folder(path)}
        self._files = self.wanted - folders
        for path in self.wanted:
            folders |= _ancestors(path, root)
        self._folders = folders
        self._by_real: dict[str, set[Path]] = defaultdict(set)
        self._folders_by_real: dict[str, set[Path]] = defaultdict(set)
        for path in self.wanted:
            self._by_real[os.path.realpath(path)].add(path)
        for folder in folders:
            self._folders_by_real[os.path.realpath(folder)].add(folder)
        # A link is followed to the folder of its target: a save there moves nothing here. What the
        # root itself lies in is nobody's business.
        reals = self._by_real.keys() - {os.path.realpath(root)}
        targets = {os.path.dirname(real) for real in reals}  # noqa: PTH120
        self.real_folders = frozenset(
            folder for folder in targets | self._folders_by_real.keys() if is_folder(Path(folder))
        )

    def translate(self, real: str) -> set[Path]:
        """The paths, as the project knows them, that news about a real path are about."""
        found = set(self._by_real.get(real, ()))
        folder, name = os.path.split(real)
        for known in self._folders_by_real.get(folder, ()):
            path = known / name
            if path in self.wanted or not is_noise(path, self._root):
                found.add(path)
        return found

    def is_folder(self, real: str) -> bool:
        """Whether a folder that is, or should be, watched stands at a real path."""
        return real in self._folders_by_real or real in self.real_folders

    def below(self, real: str) -> set[Path]:
        """Watched paths in a real folder, and whatever else stands directly in it now."""
        found: set[Path] = set()
        for folder in self._folders_by_real.get(real, ()):
            found |= {path for path in self._files if folder in path.parents}
            try:
                entries = list(folder.iterdir())
            except OSError:
                continue
            found |= {path for path in entries if not is_noise(path, self._root)}
        found |= {
            path
            for target, paths in self._by_real.items()
            if target.startswith(real + os.sep)
            for path in paths & self._files
        }
        return found

    def changed_within(self, seconds: float, now: float) -> set[Path]:
        """Files, watched or new in a watched folder, whose time of change is that recent."""
        found: set[Path] = set()
        new = {path for real in self._folders_by_real for path in self.below(real)}
        for path in self._files | {path for path in new if is_file(path)}:
            try:
                if path.stat().st_mtime >= now - seconds:
                    found.add(path)
            except OSError:
                continue
        return found


def _ancestors(path: Path, root: Path) -> set[Path]:
    """Folders above a path: up to the root, or the next one for a path outside of it.

    They are watched so that a folder that is deleted and made again is noticed.
    """
    if path == root:
        return {root}
    if root not in path.parents:
        missing = {path.parent}
        nearest = path.parent
        while not is_folder(nearest) and nearest != nearest.parent:
            nearest = nearest.parent
            missing.add(nearest)
        return missing
    return {parent for parent in path.parents if parent == root or root in parent.parents}


def is_noise(path: PurePath, root: Path) -> bool:
    """Editors' temporary files, and everything in or under a hidden name (`.git`, `.evaltui`)."""
    try:
        parts = path.relative_to(root).parts
    except ValueError:
        parts = (path.name,)
    if any(part.startswith(".") and part not in (".", "..") for part in parts):
        return True
    return _EDITOR_FILES.fullmatch(path.name) is not None
