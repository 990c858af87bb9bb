"""Whether a pack is unchanged: its files' hashes compared with its manifest."""

import hashlib
import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from evaltui.core.errors import UserError
from evaltui.core.finite_json import without_surrogates
from evaltui.evidence.packs.pack_folder import PARTS
from evaltui.files import (
    RESULTS_LIMIT,
    is_file,
    is_folder,
    leads_out,
    open_file,
    read_file,
    read_small,
)
from evaltui.traces.reading import decode_json

PLACE = "run/provenance_attestation.json"
"""Of who signed it: written later, and no part of what was."""
_PIECE = 1 << 16
NO_FILE, NO_NAME = "it is not a file", "is a name that no file can have"
IS_NO_FILE = "is no file, and no pack holds such"
GONE, CHANGED = "is gone since its pack was written", "was changed after its pack was written"
LEADS_OUT, UNNAMED = "leads out of the pack", "is not named by the manifest of its pack"
ADDED = "was added after its pack was written"
NO_HASHES = "has no `file_hashes`, or is gone since its pack was written"
MANIFEST = "manifest.json"
MAKE_ANEW = "Make the pack again: what it says cannot be relied on."
CHANGED_SINCE = "the pack was changed after it was written, so what passed is not what is here"
_READ = ("report.json", "run/config.json", "run/summary.json", "run/events.jsonl")
_EVIDENCE = ("cases/", "judges/", "run/summary.json")
_OURS = ("judging_rules", "aggregate_result", "measurements", "asserted")
"""Keys of manifest, report and verdicts that no other program writes."""


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
    """`None` where it is gone, leads out of the pack, or has a name that no file can have."""
    if "\0" in name:
        return None
    path = pack / name
    is_inside = not leads_out(path, pack)
    return file_hash(path) if is_inside and is_file(path) else None


def file_hash(path: Path) -> str:
    """Raises OSError for what is no regular file, as one that was put in its place meanwhile."""
    with open_file(path) as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def recorded_hashes(pack: Path) -> Mapping[str, Any]:
    """Those of the manifest; empty without one, or one that tells none, as other programs'.

    Raises OSError, and SuiteMistake for a manifest that cannot be read.
    """
    path = pack / MANIFEST
    return hashes_of(read_file(path, RESULTS_LIMIT), path) if is_file(path) else {}


def hashes_of(manifest: bytes, path: Path) -> Mapping[str, Any]:
    """As `recorded_hashes`, of the text of a manifest."""
    found = decode_json(manifest, str(path))
    hashes = found.get("file_hashes") if isinstance(found, dict) else None
    return hashes if isinstance(hashes, dict) else {}


def evidence_digest(pack: Path) -> str | None:
    """One of all verdicts and cases, the same for each run that comes to the same under one id;
    `None` for what tells no hashes. Raises as `recorded_hashes`."""
    recorded = recorded_hashes(pack) if is_folder(pack) else {}
    lines = [f"{name} {recorded[name]}" for name in sorted(recorded) if name.startswith(_EVIDENCE)]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest() if lines else None


def refuse_changed(pack: Path) -> None:
    """Raises UserError for a pack that is not as it was written; OSError and SuiteMistake too."""
    if changed := next(changed_files(pack, recorded_hashes(pack)), None):
        raise refusal(pack, *changed)


def refusal(pack: Path, name: str, what: str) -> UserError:
    """What is raised of a file of which nothing that it says can be relied on."""
    return UserError(f"`{pack / name}` {what}.", MAKE_ANEW)


def changed_files(pack: Path, recorded: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Files that are not as the manifest has them, and what became of each; also those of the
    pack's parts that it does not name. What later commands wrote below `compare` is no part of the
    run.

    Without hashes nothing is known of another program's pack; one of ours lost them.
    Raises OSError, and SuiteMistake for what says whose it is and cannot be read.
    """
    if not recorded:
        if is_ours(pack):
            yield MANIFEST, NO_HASHES
        return
    root = os.path.realpath(pack)
    known: dict[str, str] = {root: root}
    for name, written in recorded.items():
        if name.startswith("compare/"):
            continue
        if "\0" in name:
            yield name, NO_NAME
            continue
        folder, _, own = f"{root}/{name}".rpartition("/")
        path = f"{_followed(folder, known)}/{own}"
        current = _quick_hash(path)
        if current is None:
            path = os.path.realpath(path)
        is_inside = path.startswith(root + os.sep)
        if current is None and is_inside and is_file(Path(path)):
            current = file_hash(Path(path))
        if not is_inside:
            yield name, LEADS_OUT
        elif current is None:
            yield name, GONE
        elif current != written:
            yield name, CHANGED
    for name in _standing(root):
        if name not in recorded and name != PLACE:
            yield without_surrogates(name), UNNAMED if name in _READ else ADDED


def written_stamp(pack: Path) -> int:
    """Another number once a file of the pack's parts was written, added or removed: quick to find,
    and no proof of what is in them. What stands below `compare` does not count."""
    root = os.path.realpath(pack)
    found = []
    with suppress(OSError):  # it is replaced at this moment
        for name in _standing(root):
            known = os.lstat(f"{root}/{name}")
            found.append((name, known.st_mtime_ns, known.st_ctime_ns, known.st_size, known.st_ino))
    return hash(tuple(found))


def _standing(root: str) -> Iterator[str]:
    """Files of the pack's parts, but for the manifest and `compare`, and what is no folder either,
    as a link to one. Raises OSError for a folder that cannot be read."""
    parts = [part for part in PARTS if part not in (MANIFEST, "compare")]
    with os.scandir(root) as there:
        found = sorted((one for one in there if one.name in parts), key=lambda one: one.name)
    while found:
        entry = found.pop()
        if entry.is_dir(follow_symlinks=False):
            with os.scandir(entry) as there:
                found += sorted(there, key=lambda one: one.name, reverse=True)
        else:
            yield entry.path[len(root) + 1 :].replace(os.sep, "/")


def is_ours(pack: Path) -> bool:
    """Whether any of its files tells what only packs of this program do."""
    verdicts = next((pack / "cases").glob("*/verdicts.json"), None)
    for path in (pack / MANIFEST, pack / "report.json", verdicts):
        if path is not None and is_file(path):
            found = decode_json(read_file(path, RESULTS_LIMIT), str(path))
            if isinstance(found, dict) and any(key in found for key in _OURS):
                return True
    return False


def _followed(path: str, known: dict[str, str]) -> str:
    """Where a path leads: as `os.path.realpath`, which follows each folder anew for each file."""
    names = []
    while (real := known.get(path)) is None:
        folder, _, name = path.rpartition("/")
        if name in ("", ".", "..") or os.path.islink(path):  # noqa: PTH114
            real = known[path] = os.path.realpath(path)
            break
        names.append((path, name))
        path = folder
    for whole, name in reversed(names):
        real = known[whole] = f"{real}/{name}"
    return real


def _quick_hash(path: str) -> str | None:
    """As `file_hash`, which takes longer to begin than a small file to be read; `None` for what is
    a link, large, or no file: a pack has tens of thousands of others."""
    data = read_small(path, _PIECE)
    return hashlib.sha256(data).hexdigest() if data is not None else None
