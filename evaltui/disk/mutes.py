"""Muted cases: `.evaltui/mutes.json`, the reason by `suite::case`."""

from pathlib import Path

from msgspec.json import format

from evaltui.core.case import CaseKey
from evaltui.core.errors import ChangedSinceError, UserError
from evaltui.disk.codec import encode, parse
from evaltui.disk.damage import Report, is_damage, set_aside
from evaltui.disk.file_lock import writing_in
from evaltui.files import read_file

FILE = "mutes.json"


def load_mutes(path: Path, report: Report) -> dict[str, str]:
    """Empty when there is no file, and when it is damaged: then it is set aside.

    Raises UserError for one that must not be read.
    """
    try:
        return reread_mutes(path)
    except (OSError, ValueError, RecursionError) as error:
        if not is_damage(error):
            raise UserError(
                f"The mutes in `{path}` cannot be read: {error}.", "Check its permissions."
            ) from error
        report(set_aside(path, error, "Cases that it muted count again; mute them again."))
        return {}


def reread_mutes(path: Path) -> dict[str, str]:
    """As `load_mutes`, but a damaged file is left alone: somebody may just be editing it.

    Raises OSError, ValueError and RecursionError.
    """
    try:
        value = parse(read_file(path))
    except FileNotFoundError:
        return {}
    if not isinstance(value, dict):
        raise ValueError("it holds no object of reasons by case")
    return {key: str(reason) for key, reason in value.items()}


def mute(
    path: Path, key: CaseKey, reason: str, report: Report, expected: str | None = None
) -> dict[str, str]:
    """Mute one case. Returns all mutes, also those that other processes have written by now.

    Raises UserError without a reason, ChangedSinceError where the reason so far is not the one
    `expected` (empty: it is not muted), and OSError.
    """
    if not reason.strip():
        raise UserError(f"Muting `{key}` needs a reason.", "Say why its failures do not count.")
    with writing_in(path.parent):
        mutes = load_mutes(path, report)
        _check(mutes, key, expected)
        return _save(path, mutes | {str(key): reason.strip()})


def unmute(path: Path, key: CaseKey, report: Report, expected: str | None = None) -> dict[str, str]:
    """Let failures of one case count again; nothing happens when it was not muted.

    Returns all mutes, also those that other processes have written by now. Raises as `mute`.
    """
    with writing_in(path.parent):
        mutes = load_mutes(path, report)
        _check(mutes, key, expected)
        return mutes if mutes.pop(str(key), None) is None else _save(path, mutes)


def _check(mutes: dict[str, str], key: CaseKey, expected: str | None) -> None:
    now = mutes.get(str(key), "")
    if expected is not None and now != expected.strip():
        said = f"muted by now: {now}." if now else "no longer muted."
        raise ChangedSinceError(f"`{key}` is {said}", "Press m on the case to change that.")


def _save(path: Path, mutes: dict[str, str]) -> dict[str, str]:
    from evaltui.disk.atomic import write_atomic  # the first frame only reads

    write_atomic(path, format(encode(dict(sorted(mutes.items()))), indent=2) + b"\n")
    return mutes
