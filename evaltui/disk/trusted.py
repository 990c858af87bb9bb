"""What a person agreed to, by project folder: files of the user's own, outside of every project."""

import os
import time
from collections.abc import Collection
from hashlib import sha256
from pathlib import Path

from msgspec import Struct

from evaltui.core.permit import Grant
from evaltui.disk.atomic import write_atomic
from evaltui.disk.codec import decode, encode
from evaltui.disk.damage import Report, is_damage, set_aside
from evaltui.files import read_file


class Agreement(Struct, frozen=True):
    """For one project, by the path of its folder without links."""

    root: str
    at: float
    """Seconds since the epoch."""
    grants: tuple[Grant, ...]


def read_agreement(root: Path, report: Report | None = None) -> frozenset[str]:
    """Digests of what was agreed to; none where there is no agreement that can be read.

    A damaged one is set aside where somebody hears of it.
    """
    path = _path(root)
    if path is None:
        return frozenset()
    try:
        found = decode(Agreement, read_file(path))
    except (OSError, ValueError, RecursionError) as error:
        if report is not None and is_damage(error):
            hint = "Look through what the project would run and agree again: `evaltui trust`."
            report(set_aside(path, error, hint))
        return frozenset()
    if found.root != os.path.realpath(root):
        return frozenset()
    return frozenset(one.digest for one in found.grants)


def write_agreement(root: Path, grants: Collection[Grant]) -> Path:
    """Agree to these, and to nothing else. Raises OSError."""
    path = _path(root)
    if path is None:
        raise OSError(0, "the folder of your settings lies in the project itself", str(root))
    write_atomic(path, encode(Agreement(os.path.realpath(root), time.time(), tuple(grants))))
    return path


def remove_agreement(root: Path) -> bool:
    """Whether there was one. Raises OSError."""
    path = _path(root)
    if path is None or not path.exists():
        return False
    path.unlink()
    return True


def _path(root: Path) -> Path | None:
    """`None` where it would lie in the project: what came with that is nobody's agreement."""
    home = os.environ.get("XDG_CONFIG_HOME") or str(Path.home() / ".config")
    real = os.path.realpath(root)
    name = sha256(os.fsencode(real)).hexdigest()[:24]
    path = Path(home, "evaltui", "trusted", f"{name}.json")
    is_inside = Path(os.path.realpath(path)).is_relative_to(real)
    return None if is_inside else path
