"""The hashes of a pack's files, held against those that its manifest names."""

import hashlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from evaltui.evidence.pack_folder import PARTS
from evaltui.files import is_file

PLACE = "run/provenance_attestation.json"
"""Of who signed it: written later, and no part of what was."""
_SHOWN = ("trajectory.json", "verdicts.json")


def hashes(pack: Path) -> Iterator[tuple[str, str]]:
    """Of every file of the pack's parts, but for the manifest, attestations and `compare`."""
    for part in PARTS:
        place = pack / part
        paths = sorted(place.rglob("*")) if place.is_dir() else [place]
        for path in paths if part not in ("compare", "manifest.json") else ():
            name = path.relative_to(pack).as_posix()
            if is_file(path) and not name.startswith(PLACE.removesuffix(".json")):
                yield name, file_hash(path)


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
