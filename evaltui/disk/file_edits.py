"""Making an edit and taking it back, never over somebody else's change."""

from pathlib import Path

from evaltui.core.errors import ChangedSinceError
from evaltui.core.file_edit import FileEdit
from evaltui.disk.atomic import sweep, write_atomic
from evaltui.files import read_file


def apply_edit(edit: FileEdit) -> None:
    """Write the file whole or not at all, if it still is what was read.

    The target of a symbolic link is written, permission bits are kept. Raises ChangedSinceError
    when the file did, OSError when it cannot be written.
    """
    _swap(edit.file, None if edit.is_new else edit.before, edit.after)


def revert_edit(edit: FileEdit) -> None:
    """Take an edit back, if nothing was changed since. Raises as `apply_edit`."""
    _swap(edit.file, edit.after, None if edit.is_new else edit.before)


def _swap(file: Path, expected: bytes | None, wanted: bytes | None) -> None:
    target = file.resolve()

    def check() -> None:
        if _current(target) != expected:
            what = f"`{file}` changed since it was read."
            raise ChangedSinceError(what, "Look at the change again, then repeat this.")

    sweep(target.parent)
    check()
    if wanted is None:
        target.unlink()
    else:
        write_atomic(target, wanted, check)


def _current(file: Path) -> bytes | None:
    """`None` where there is none."""
    try:
        return read_file(file)
    except FileNotFoundError:
        return None
