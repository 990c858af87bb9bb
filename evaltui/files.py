"""Reading files that may be anything: a named pipe, a device, a link to an endless one.

Every file of a user and of ours is read through here, so that none can hang us or fill memory.
"""

import os
import stat
from errno import EAGAIN, EFBIG, EINVAL, EISDIR
from io import BufferedReader
from pathlib import Path
from typing import BinaryIO

RESULTS_LIMIT = 2 << 30
"""Bytes of a file of results: 20,000 long answers are some hundred MB."""
TEXT_LIMIT = 64 << 20
"""Bytes of any other file that a person or we have written."""
Stamp = tuple[int, int]
"""When a file or folder was last written, in nanoseconds, and its number in the file system."""
_WRITTEN = frozenset(
    (
        *(".csv", ".jsonl", ".lock", ".log", ".ndjson", ".out", ".pid", ".svg", ".tsv", ".xml"),
        *(".bak", ".orig", ".swp", ".temp", ".tmp"),
    )
)
"""How the names of files end that programs write: logs, reports, data, copies of what is edited."""


def is_written_by_programs(path: Path) -> bool:
    """Whether its name says that it is no source."""
    return path.suffix.lower() in _WRITTEN or path.name.endswith("~")


def open_file(path: Path, limit: int = RESULTS_LIMIT) -> BufferedReader:
    """Open a regular file, or a link to one, for reading.

    Raises OSError for anything else, and when it has more than `limit` bytes.
    """
    _refuse_others(path, path.stat(), limit)
    # Should it have become a pipe meanwhile, opening it must not wait for a writer.
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    file = os.fdopen(os.open(path, flags | getattr(os, "O_CLOEXEC", 0)), "rb")
    try:
        _refuse_others(path, os.fstat(file.fileno()), limit)
    except OSError:
        file.close()
        raise
    return file


def read_file(path: Path, limit: int = TEXT_LIMIT) -> bytes:
    """All bytes of a regular file. Raises OSError, also when it has more than `limit`."""
    with open_file(path, limit) as file:
        data = file.read(os.fstat(file.fileno()).st_size + 1)
        if data is None:  # one of the system's, of which nothing can be read yet
            raise OSError(EAGAIN, "nothing in it can be read now", str(path))
        # It is growing, or one of /proc, which say that they are empty.
        while len(data) <= limit and (more := file.read(1 << 20)):
            data += more
    if len(data) > limit:
        raise _too_large(path, limit)
    return data


def read_small(path: str, most: int) -> bytes | None:
    """All of a regular file of less than `most` bytes; `None` for a larger one, an empty one, a
    link, and what is no file or cannot be read. Takes a third of the time that `read_file` takes to
    begin, for whoever reads tens of thousands."""
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    try:
        file = os.open(path, flags | getattr(os, "O_BINARY", 0))
    except OSError:
        return None
    try:
        data = os.read(file, most) if stat.S_ISREG(os.fstat(file).st_mode) else b""
        return data if 0 < len(data) < most else None
    except OSError:
        return None
    finally:
        os.close(file)


def open_to_change(path: Path) -> BinaryIO:
    """Open a regular file for reading and writing in its place; made where there is none.

    Raises OSError for anything else.
    """
    flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    descriptor = os.open(path, flags | getattr(os, "O_CLOEXEC", 0), 0o644)
    file = os.fdopen(descriptor, "r+b", buffering=0)
    try:
        _refuse_others(path, os.fstat(descriptor), RESULTS_LIMIT)
    except OSError:
        file.close()
        raise
    return file


def read_text(path: Path, limit: int = TEXT_LIMIT) -> str:
    """UTF-8, with or without its mark. Raises OSError and UnicodeDecodeError."""
    return read_file(path, limit).decode("utf-8-sig")


def is_there(path: Path) -> bool:
    """As `Path.exists`, never raising: names stand in settings, where anything may stand.

    `False` for one that no file can have, and for one that may not be looked at.
    """
    return os.path.exists(path)  # noqa: PTH110


def is_file(path: Path) -> bool:
    """As `Path.is_file`, never raising."""
    return os.path.isfile(path)  # noqa: PTH113


def is_absent(path: Path) -> bool:
    """Whether nothing at all stands there, never raising: what cannot be read, as a pipe, a folder
    or a link that leads nowhere, is there, and so is what a folder that is such a link would hold.
    """
    try:
        path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        links = (one for one in path.parents if os.path.islink(one))  # noqa: PTH114
        return all(is_there(one) for one in links)
    except (OSError, ValueError):
        return False
    return False


def is_folder(path: Path) -> bool:
    """As `Path.is_dir`, never raising."""
    return os.path.isdir(path)  # noqa: PTH112


def stamp(path: Path) -> Stamp:
    """Another one once a file was written anew, or something in a folder was; zeros without it."""
    try:
        found = path.stat()
    except OSError:
        return 0, 0
    return found.st_mtime_ns, found.st_ino


def leads_out(path: Path, root: Path) -> str:
    """Where a path leads, with all links followed, when that is not in the folder; else empty."""
    place = os.path.realpath(path)
    return "" if Path(place).is_relative_to(os.path.realpath(root)) else place


def outside(root: Path, name: str | Path) -> str:
    """Where a file or glob lies that is not, or leads by a link, out of the folder; else empty."""
    fixed = str(name)
    for mark in "*?[{":
        fixed = fixed.partition(mark)[0]
    if fixed != str(name):
        fixed = fixed.rpartition("/")[0] or ("/" if fixed.startswith("/") else "")
    place = os.path.realpath(root / fixed)
    rest = Path(str(name)[len(fixed) :]).parts
    if ".." in rest:
        return os.path.normpath(root / str(name))
    is_inside = Path(place).is_relative_to(os.path.realpath(root))
    return "" if is_inside else place + str(name)[len(fixed) :]


def _refuse_others(path: Path, found: os.stat_result, limit: int) -> None:
    if stat.S_ISDIR(found.st_mode):
        raise IsADirectoryError(EISDIR, "a folder, not a file", str(path))
    if not stat.S_ISREG(found.st_mode):
        raise OSError(EINVAL, "a pipe or device, not a regular file", str(path))
    if found.st_size > limit:
        raise _too_large(path, limit)


def _too_large(path: Path, limit: int) -> OSError:
    return OSError(EFBIG, f"larger than {limit / 1e6:,.0f} MB", str(path))


class Places:
    """Folders in which may be read, followed through links."""

    def __init__(self, *folders: Path) -> None:
        self._real = tuple(os.path.realpath(folder) for folder in folders)
        self._known: dict[str, str] = {}
        """Real folders, since many files lie in one."""

    def hold(self, path: Path | str) -> bool:
        """Whether a file lies in one of them, and leads by no link out of them."""
        folder, name = os.path.split(os.path.normpath(path))
        if folder not in self._known:
            self._known[folder] = os.path.realpath(folder)
        whole = os.path.join(self._known[folder], name)  # noqa: PTH118
        if os.path.islink(whole):  # noqa: PTH114
            whole = os.path.realpath(whole)
        return any(Path(whole).is_relative_to(one) for one in self._real)
