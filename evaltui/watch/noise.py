"""Files that come and go while somebody edits, and are nobody's business."""

import re
from pathlib import Path, PurePath

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


def is_noise(path: PurePath, root: Path) -> bool:
    """Editors' temporary files, and everything in or under a hidden name (`.git`, `.evaltui`)."""
    try:
        parts = path.relative_to(root).parts
    except ValueError:
        parts = (path.name,)
    if any(part.startswith(".") and part not in (".", "..") for part in parts):
        return True
    return _EDITOR_FILES.fullmatch(path.name) is not None
