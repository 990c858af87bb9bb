"""Making an edit and taking it back, never over somebody else's change."""

from pathlib import Path

from evaltui.core.errors import ChangedSinceError, UserError
from evaltui.core.file_edit import FileEdit
from evaltui.disk.atomic import sweep, write_atomic
from evaltui.files import read_file


def apply_edit(edit: FileEdit) -> None:
    """Write the file whole or not at all, if it still is what was read.

    The target of a symbolic link is written, permission bits are kept. Raises ChangedSinceError
    when the file did, UserError when it cannot be written.
    """
    _swap(edit.file, None if edit.is_new else edit.before, edit.after)


def revert_edit(edit: FileEdit) -> None:
    """Take an edit back, if nothing was changed since. Raises as `apply_edit`."""
    _swap(edit.file, edit.after, None if edit.is_new else edit.before)


def unwritable(file: Path | str, error: OSError) -> UserError:
    """What to say where a file of the user's could not be read or written."""
    what = f"`{file}` cannot be written: {error.strerror or type(error).__name__}."
    return UserError(what, "Check its folder and permissions, and whether the disk is full.")


def _swap(file: Path, expected: bytes | None, wanted: bytes | None) -> None:
    target = file.resolve()

    def check() -> None:
        if _current(target) != expected:
            what = f"`{file}` changed since it was read."
            raise ChangedSinceError(what, "Look at the change again, then repeat this.")

    try:
        sweep(target.parent)
        check()
        if wanted is None:
            target.unlink()
        else:
            write_atomic(target, wanted, check)
    except OSError as error:
        raise unwritable(file, error) from error


def _current(file: Path) -> bytes | None:
    """`None` where there is none."""
    try:
        return read_file(file)
    except FileNotFoundError:
        return None
