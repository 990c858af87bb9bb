"""Muted cases: `.evaltui/mutes.json`, the reason by `suite::case`."""

import json
from collections.abc import Mapping
from pathlib import Path

from evaltui.core.case import CaseKey
from evaltui.core.errors import UserError
from evaltui.disk.atomic import write_atomic
from evaltui.disk.codec import parse
from evaltui.files import read_file

FILE = "mutes.json"


def load_mutes(path: Path) -> dict[str, str]:
    """Empty when there is no file. Raises UserError when it cannot be read."""
    try:
        value = parse(read_file(path))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, RecursionError) as error:
        raise UserError(
            f"The mutes in `{path}` cannot be read: {error}.", "Correct the file or remove it."
        ) from error
    if not isinstance(value, dict):
        raise UserError(
            f"`{path}` holds no object of reasons by case.", "Correct the file or remove it."
        )
    return {str(key): str(reason) for key, reason in value.items()}


def save_mutes(path: Path, mutes: Mapping[str, str]) -> None:
    """Raises OSError."""
    text = json.dumps(dict(sorted(mutes.items())), indent=2, ensure_ascii=False)
    write_atomic(path, text.encode("utf-8", "replace") + b"\n")


def mute(path: Path, key: CaseKey, reason: str) -> None:
    """Mute one case. Raises UserError without a reason, or when the file cannot be read."""
    if not reason.strip():
        raise UserError(f"Muting `{key}` needs a reason.", "Say why its failures do not count.")
    save_mutes(path, load_mutes(path) | {str(key): reason.strip()})


def unmute(path: Path, key: CaseKey) -> None:
    """Let failures of one case count again; nothing happens when it was not muted."""
    mutes = load_mutes(path)
    if mutes.pop(str(key), None) is not None:
        save_mutes(path, mutes)
