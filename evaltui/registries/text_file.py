"""A text file as bytes, text and hash, or the problem that kept it from being read."""

from hashlib import sha256
from pathlib import Path

from msgspec import Struct

from evaltui.core.errors import Problem, Severity
from evaltui.files import Places, is_there, open_file

JSON_LIMIT = 20 * 1024 * 1024
"""Bytes; a registry of 10,000 long tools has about 10 MiB."""
SCRIPT_LIMIT = 2 * 1024 * 1024
"""Bytes; above this it is a bundle, not a file that somebody writes."""

NOT_FOUND = "not-found"
"""Code of the problem of a source that is not where the settings say."""
IMPORT_MISSING = "import-missing"
"""The same of an import of a file that is not there."""
OUTSIDE = "outside"
"""The same of a file in which may not be read."""
TOO_LARGE = "too-large"
"""The same of a file that is larger than one may be."""
PASSED_OVER = "registry-unread"
"""Code of what lint says of a file that a source finds and does not read."""


class TextFile(Struct, frozen=True):
    shown: str
    """Path as problems name it."""
    text: str
    digest: str
    """SHA-256 of the bytes."""


class Unreadable(Exception):
    """The file cannot be read as text; `problem` says why and what to do."""

    def __init__(self, problem: Problem, digest: str = "") -> None:
        super().__init__(str(problem))
        self.problem = problem
        self.digest = digest


def not_found(shown: str) -> Problem:
    """A source of tools, or a file that one names, is not there."""
    return Problem(shown, "file not found", "Correct the path.", code=NOT_FOUND)


def unusable(shown: str, language: str, error: Exception) -> Problem:
    """A value in a file that is well written otherwise, e.g. a number of 5,000 digits."""
    why = str(error).partition(";")[0]
    return Problem(
        shown,
        f"not usable {language} ({why[:1].lower()}{why[1:]})",
        "Correct or shorten the value.",
        code=f"{language.lower()}-syntax",
    )


def read_text_file(path: Path, shown: str, limit: int, places: Places | None) -> TextFile:
    """The text of `path`: UTF-8 or, with its mark, UTF-16; a byte order mark is dropped.

    Raises `Unreadable` for a missing, oversized, binary or wrongly encoded file, and for one that
    is in none of `places`.
    """
    try:
        if places is not None and is_there(path) and not places.hold(path):
            raise Unreadable(_outside(shown))
        with open_file(path) as file:
            data = file.read(limit + 1)
    except FileNotFoundError:
        raise Unreadable(not_found(shown)) from None
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise Unreadable(
            Problem(
                shown, f"cannot be read ({reason})", "Check the permissions.", code="unreadable"
            )
        ) from None
    if len(data) > limit:
        raise Unreadable(
            Problem(
                shown,
                f"larger than the {limit // (1024 * 1024)} MiB that a registry file may have",
                "Point the registry at the file that defines the tools, or split it.",
                code=TOO_LARGE,
            )
        )
    return TextFile(shown, _decode(data, shown), sha256(data).hexdigest())


def _outside(shown: str) -> Problem:
    what = "lies outside of the project, or is a link out of it, and is not read"
    hint = f'If it is yours, name its folder: `outside = ["{Path(shown).parent.as_posix()}"]`.'
    return Problem(shown, what, hint, severity=Severity.WARNING, code=OUTSIDE)


def _decode(data: bytes, shown: str) -> str:
    encoding = "utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        raise Unreadable(
            Problem(
                shown,
                f"not {'UTF-16' if encoding == 'utf-16' else 'UTF-8'} text",
                "Save the file as UTF-8, or point the registry at the right one.",
                line=data.count(b"\n", 0, error.start) + 1,
                code="encoding",
            )
        ) from None
    if "\0" in text:
        raise Unreadable(
            Problem(
                shown,
                "a binary file, not text",
                "Point the registry at the file that defines the tools.",
                code="binary",
            )
        )
    return text
