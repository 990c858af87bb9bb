"""Writing a file whole or not at all, under a name that stays inside its folder."""

import os
import re
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from stat import S_ISREG

from evaltui.core.errors import UserError
from evaltui.disk.own_folder import make_folder
from evaltui.disk.whole_file import TEMP_SUFFIX, replace_whole

LONGEST_NAME = 120
"""Bytes in UTF-8; leaves room for a run id and a suffix below the usual 255."""
SWEEP_AFTER_S = 3600.0
"""No write takes longer, whatever else runs."""
_TEMPORARY = re.compile(rf"\.[0-9a-f]{{16}}{re.escape(TEMP_SUFFIX)}")

_UNSAFE = re.compile(r"[^\w.\-+@ ]|[\x00-\x1f\x7f-\x9f]|\.(?=\.)")
_RESERVED = re.compile(
    r"(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(\..*)?", re.IGNORECASE
)


def write_atomic(
    path: Path, data: bytes | Iterable[bytes], check: Callable[[], None] | None = None
) -> None:
    """`replace_whole`, with its folder made before."""
    make_folder(path.parent)
    replace_whole(path, data, check)


def sweep(folder: Path, *, below: bool = False) -> int:
    """Remove temporary files that killed processes left in `folder`, and with `below` further down.

    None that a link leads to, and nothing that is not called as they are. Returns how many.
    """
    removed = 0
    limit = time.time() - SWEEP_AFTER_S
    if folder.is_symlink():
        return 0
    for place, folders, names in os.walk(folder):
        if not below:
            folders.clear()
        for left in (Path(place, name) for name in names if _TEMPORARY.fullmatch(name)):
            with suppress(OSError):
                known = left.stat(follow_symlinks=False)
                if S_ISREG(known.st_mode) and known.st_mtime < limit:
                    left.unlink()
                    removed += 1
    return removed


def safe_name(text: str) -> str:
    """A file name for any text: one path segment, valid on every system, never empty.

    A text that is not a safe name already gets 8 digits of its hash, so that two different texts
    never share a file.
    """
    name = _UNSAFE.sub("_", text).strip(" .")
    name = name.encode("utf-8", "ignore")[:LONGEST_NAME].decode("utf-8", "ignore").strip(" .")
    if name == text and name and not _RESERVED.fullmatch(name):
        return name
    from hashlib import sha256  # OpenSSL; rare

    digest = sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return f"{name.replace('.', '_') if _RESERVED.fullmatch(name) else name}-{digest}".lstrip("-")


def safe_path(folder: Path, *names: str, suffix: str = "") -> Path:
    """`folder` with safe names below it, the last one with `suffix` as it is.

    Raises UserError when a symbolic link leads out of `folder`.
    """
    *outer, last = map(safe_name, names)
    path = folder.joinpath(*outer, last + suffix)
    if not path.parent.resolve().is_relative_to(folder.resolve()):
        raise UserError(
            f"`{path}` leads out of `{folder}` through a symbolic link.",
            "Remove the link, or choose another folder.",
        )
    return path
