"""Muted cases: `.evaltui/mutes.json`, the reason by `suite::case`."""

from collections.abc import Mapping
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


def set_mutes(
    path: Path,
    reasons: Mapping[CaseKey, str],
    report: Report,
    expected: Mapping[CaseKey, str] | None = None,
) -> dict[str, str]:
    """Mute cases, each for its reason, or let the failures of those without one count again: all
    of them or none. Returns all mutes, also those that other processes have written by now.

    Raises ChangedSinceError where the reason of one so far is not the one `expected` (empty: it is
    not muted), UserError for a blank reason, and OSError.
    """
    for key, reason in reasons.items():
        if reason and not reason.strip():
            raise UserError(f"Muting `{key}` needs a reason.", "Say why its failures do not count.")
    with writing_in(path.parent):
        mutes = load_mutes(path, report)
        for key, reason in (expected or {}).items():
            _check(mutes, key, reason)
        changed = mutes | {str(key): reason.strip() for key, reason in reasons.items()}
        after = {name: reason for name, reason in changed.items() if reason}
        return mutes if after == mutes else _save(path, after)


def _check(mutes: dict[str, str], key: CaseKey, expected: str) -> None:
    now = mutes.get(str(key), "")
    if now != expected.strip():
        said = f"muted by now: {now}." if now else "no longer muted."
        raise ChangedSinceError(f"`{key}` is {said}", "Press m on the case to change that.")


def _save(path: Path, mutes: dict[str, str]) -> dict[str, str]:
    from evaltui.disk.atomic import write_atomic  # the first frame only reads

    write_atomic(path, format(encode(dict(sorted(mutes.items()))), indent=2) + b"\n")
    return mutes
