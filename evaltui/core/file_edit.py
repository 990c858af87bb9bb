"""A change to a file that is shown before it is made."""

from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

_CONTEXT = 3


class TextChange(Struct, frozen=True, gc=False):
    """A text that an edit accepts as it is now."""

    name: str
    """Whose text, e.g. `description of find_order`."""
    before: str | None
    """`None` when nobody knows any more what it was."""
    after: str


class FileEdit(Struct, frozen=True, gc=False):
    """It is made only while the file still holds `before`."""

    file: Path
    before: bytes
    after: bytes
    title: str
    diff: tuple[str, ...]
    """Unified diff, without line ends."""
    text: TextChange | None = None
    """What the edit is about, where the file holds only a fingerprint of it."""
    is_new: bool = False
    """The file does not exist yet; `before` is empty."""
    left_out: tuple[str, ...] = ()
    """What the file cannot hold of that which the edit is made of, a sentence each."""
    still_fails: tuple[str, ...] = ()
    """Why a case fails all the same that it makes right otherwise, a sentence each."""


def file_edit(file: Path, before: bytes | None, after: bytes, title: str) -> FileEdit:
    """An edit with its diff; `before` is `None` for a file to be created."""
    old = [] if before is None else before.decode("utf-8", "replace").splitlines()
    new = after.decode("utf-8", "replace").splitlines()
    diff = tuple(diff_lines(old, new, file.name if before is not None else "/dev/null", file.name))
    return FileEdit(file, before or b"", after, title, diff, is_new=before is None)


def diff_lines(old: Sequence[str], new: Sequence[str], old_name: str, new_name: str) -> list[str]:
    """A unified diff; only what lies between the equal ends is compared, so big files are quick."""
    start = 0
    while start < min(len(old), len(new)) and old[start] == new[start]:
        start += 1
    end = 0
    while end < min(len(old), len(new)) - start and old[-1 - end] == new[-1 - end]:
        end += 1
    first, tail = max(0, start - _CONTEXT), max(0, end - _CONTEXT)
    from difflib import unified_diff  # for previews only

    lines = unified_diff(
        old[first : len(old) - tail],
        new[first : len(new) - tail],
        old_name,
        new_name,
        lineterm="",
        n=_CONTEXT,
    )
    return [_shifted(line, first) if line.startswith("@@ ") else line for line in lines]


def _shifted(hunk: str, by: int) -> str:
    """The hunk's line numbers in the whole file; an empty range names the line before it."""
    _, left, right, _ = hunk.split(" ")
    moved = [_moved(part, by) for part in (left, right)]
    return f"@@ {moved[0]} {moved[1]} @@"


def _moved(part: str, by: int) -> str:
    number, comma, count = part[1:].partition(",")
    return f"{part[0]}{int(number) + by}{comma}{count}"
