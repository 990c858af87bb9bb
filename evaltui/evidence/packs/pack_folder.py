"""The folder of a pack: built next to its destination, and moved there when it is complete."""

import glob
import os
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from evaltui.core.errors import UserError
from evaltui.disk.atomic import SWEEP_AFTER_S
from evaltui.disk.file_lock import hold
from evaltui.disk.whole_file import TEMP_SUFFIX
from evaltui.files import leads_out

PARTS = ("manifest.json", "report.json", "run", "judges", "cases", "compare")
"""What a pack is made of; other things in its folder are somebody else's."""

_OLD = "-old"
"""Ends the name of the folder that what is replaced goes to."""


@contextmanager
def new_pack(out: Path, *, may_hold_packs: bool = False) -> Iterator[Path]:
    """A folder to build the pack in, beside `out`, which becomes or replaces it at the end.

    What was in `out` of an older pack goes; other files there stay. When the body raises, `out` is
    as it was. Raises UserError as `refuse_others`.
    """
    out = Path(os.path.abspath(out))  # noqa: PTH100  (links stay as they are named)
    refuse_others(out, may_hold_packs=may_hold_packs)
    out.parent.mkdir(parents=True, exist_ok=True)
    _remove_left(out)
    building, held = _held_folder(out)
    try:
        yield building
        _put(building, out)
    finally:
        shutil.rmtree(building, ignore_errors=True)
        if held is not None:
            os.close(held)


def _held_folder(out: Path) -> tuple[Path, int | None]:
    """A new one beside `out`, and its lock: as long as it is held nobody removes the folder."""
    while True:
        building = out.parent / f".{out.name}.{os.urandom(4).hex()}{TEMP_SUFFIX}"
        building.mkdir()
        try:
            held = hold(building)
        except (FileNotFoundError, BlockingIOError):
            continue  # somebody took it for one that was left
        if held is None or building.is_dir():
            return building, held
        os.close(held)


def inside(pack: Path, place: Path) -> Path:
    """A place in a pack that a command writes to by itself. Raises UserError where a link leads it
    out of the pack: whoever made the pack could have one lead anywhere."""
    if not leads_out(place.parent, pack):
        return place
    what = f"`{place.parent}` leads out of the pack through a link."
    raise UserError(what, "Remove the link, or name a file with --out.")


def refuse_others(out: Path, *, may_hold_packs: bool = False) -> None:
    """Raises UserError for a place that is neither free nor a pack; `may_hold_packs`: nor a folder
    of nothing but packs, such as the parts of a run. Hidden files are no content."""
    if not os.path.lexists(out):
        return
    if not out.is_dir():
        raise UserError(f"`{out}` is not a folder.", "Name another one with --out.")
    if _is_pack(out):
        return
    there = sorted(one.name for one in out.iterdir() if not one.name.startswith("."))
    others = [one for one in there if not (may_hold_packs and _is_pack(out / one))]
    if others:
        what = f"`{out}` is not an evidence pack, but holds `{others[0]}`."
        raise UserError(what, "Name another folder with --out.")


def _is_pack(folder: Path) -> bool:
    return (folder / "manifest.json").is_file() and (folder / "run").is_dir()


def _remove_left(out: Path) -> None:
    """What killed processes began to build here: nobody holds it any more. Where there are no locks
    it counts as left after an hour, since none takes as long between two of its files."""
    limit = time.time() - SWEEP_AFTER_S
    for left in out.parent.glob(f".{glob.escape(out.name)}.{'[0-9a-f]' * 8}{TEMP_SUFFIX}*"):
        with suppress(OSError):
            if left.is_symlink():
                continue
            building = left.with_name(left.name.removesuffix(_OLD))
            held = hold(building if building.exists() else left)
            try:
                if held is not None or left.stat().st_mtime < limit:
                    shutil.rmtree(left, ignore_errors=True)
            finally:
                if held is not None:
                    os.close(held)


def _put(building: Path, out: Path) -> None:
    if not out.exists():
        building.rename(out)
        return
    from evaltui.evidence.packs.kept_files import keep_files  # it knows of what a pack is made

    keep_files(out, building)
    old = building.with_name(f"{building.name}{_OLD}")
    old.mkdir()
    try:
        # The manifest goes first and comes last: without it the rest counts as no pack.
        for name in PARTS:
            with suppress(FileNotFoundError):
                (out / name).rename(old / name)
        for name in reversed(PARTS):
            (building / name).rename(out / name)
    except BaseException:
        _put_back(building, old, out)
        raise
    finally:
        shutil.rmtree(old, ignore_errors=True)


def _put_back(building: Path, old: Path, out: Path) -> None:
    """The older pack into `out`, from wherever its replacement got to."""
    for name in PARTS:
        if not (building / name).exists():
            (out / name).rename(building / name)
        with suppress(FileNotFoundError):
            (old / name).rename(out / name)
