"""What happens to a file of ours that cannot be read: set aside, reported, and made anew."""

from collections.abc import Callable, Iterable
from errno import EFBIG, EINVAL, EISDIR, ELOOP
from pathlib import Path
from typing import TypeAlias

from evaltui.core.errors import Problem, Severity

Report: TypeAlias = Callable[[Problem], None]
"""Takes a problem from whichever thread found it."""
SET_ASIDE = "set-aside"
"""Code of the problem that this happened."""
_KEPT = 9
"""Damaged files of one name that are kept; then the last one is replaced."""


def ignore(problem: Problem) -> None:
    """A `Report` for those who only want to read."""


def is_damage(error: BaseException) -> bool:
    """Whether the file itself is at fault, and not the permission to read it or the disk."""
    return not isinstance(error, OSError) or error.errno in (EINVAL, EISDIR, EFBIG, ELOOP)


def set_aside(path: Path, why: object, hint: str, *, with_suffixes: Iterable[str] = ()) -> Problem:
    """Rename a damaged file so that a new one can take its place; nothing of it is lost.

    `why` ends `… cannot be read: {why}`; files named like it with these suffixes go with it. When
    it cannot be renamed it stays, and the problem says so.
    """
    aside = next(
        place
        for number in range(1, _KEPT + 1)
        if not (place := path.with_name(_aside(path.name, number))).exists() or number == _KEPT
    )
    reason = (why.strerror or type(why).__name__) if isinstance(why, OSError) else str(why)
    what = f"`{path.name}` is damaged and cannot be read: {reason}"
    try:
        path.replace(aside)
        for suffix in with_suffixes:
            beside = path.with_name(path.name + suffix)
            if beside.exists():
                beside.replace(aside.with_name(aside.name + suffix))
    except OSError as error:
        hint = f"It could not be set aside ({error.strerror}): remove it. {hint}"
    else:
        hint = f"It was set aside as `{aside.name}`. {hint}"
    return Problem(str(path), what, hint, severity=Severity.WARNING, code=SET_ASIDE)


def _aside(name: str, number: int) -> str:
    return f"{name}.damaged" + (f"-{number}" if number > 1 else "")
