"""The hashes of a pack's files, held against those that its manifest names."""

import hashlib
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from evaltui.evidence.pack_folder import PARTS
from evaltui.files import is_file

PLACE = "run/provenance_attestation.json"
"""Of who signed it: written later, and no part of what was."""
NO_FILE = "it is no file"
_SHOWN = ("trajectory.json", "verdicts.json")


def hashes(pack: Path, apart: Path | None = None) -> Iterator[tuple[str, str]]:
    """Of every file of the pack's parts, but for the manifest, the attestation, or where it stands
    `apart` that one too, and `compare`.

    What is neither a file nor a folder, as a link, has one that no file has: no pack holds such.
    """
    for part in PARTS:
        place = pack / part
        paths = [place]
        if place.is_dir() and not place.is_symlink():
            paths = sorted(place.rglob("*"))
        for path in paths if part not in ("compare", "manifest.json") else ():
            name = path.relative_to(pack).as_posix()
            is_folder = path.is_dir() and not path.is_symlink()
            if name == PLACE or path == apart or is_folder or not os.path.lexists(path):
                continue
            yield name, NO_FILE if path.is_symlink() or not is_file(path) else file_hash(path)


def current_hash(pack: Path, name: str) -> str | None:
    """`None` where it is gone, or leads out of the pack."""
    path = pack / name
    is_inside = path.resolve().is_relative_to(pack.resolve())
    return file_hash(path) if is_inside and is_file(path) else None


def file_hash(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def changed_files(pack: Path, recorded: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Files that are not as the manifest has them, and what became of each; of cases also those
    that it does not name. Raises OSError."""
    for name, written in recorded.items():
        current = current_hash(pack, name)
        if current is None:
            yield name, "is gone since its pack was written"
        elif current != written:
            yield name, "was changed after its pack was written"
    for path in sorted((pack / "cases").glob("*/*.json")) if recorded else ():
        name = path.relative_to(pack).as_posix()
        if path.name in _SHOWN and name not in recorded:
            yield name, "was added after its pack was written"
