"""The files of the project that an agent is made of: when one changes it is another agent."""

import hashlib
import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from evaltui.child.python_files import imported_files
from evaltui.core.errors import UserError
from evaltui.core.tool import short_hash
from evaltui.files import read_file


def named_files(patterns: Iterable[str], root: Path) -> frozenset[Path]:
    """The files of the option `files`. Raises UserError for what is no glob below the project."""
    found: set[Path] = set()
    for pattern in patterns:
        try:
            found |= {path for path in root.glob(pattern) if path.is_file()}
        except (OSError, ValueError, NotImplementedError, RecursionError):
            raise UserError(
                f"`files` holds `{pattern}`.", "Globs start at the project root."
            ) from None
    return frozenset(found)


def scripts_of(argv: Iterable[str], cwd: Path, root: Path) -> frozenset[Path]:
    """Files below the project that the words of a command name, and what they import in Python."""
    found: set[Path] = set()
    for word in argv:
        path = Path(os.path.normpath(cwd / word))
        try:
            if root in path.parents and path.is_file():
                found |= imported_files(path, root) if path.suffix == ".py" else {path}
        except (OSError, ValueError):
            continue  # no path, whatever else it may be
    return frozenset(found)


def digests(files: Iterable[Path], root: Path) -> Iterator[str]:
    """Path and content of each file, sorted."""
    for path in sorted(files):
        try:
            digest = hashlib.sha256(read_file(path)).hexdigest()
        except OSError:
            digest = "missing"
        yield f"{path.relative_to(root).as_posix()} {digest}"


def content_of(files: Iterable[Path], root: Path) -> str:
    """12 hex digits of what stands in these files; of none too."""
    return short_hash("\n".join(digests(files, root)))
