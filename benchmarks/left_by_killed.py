"""What a killed run left behind: what it printed, files that are not whole, processes."""

import json
import re
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

from evaltui.disk.whole_file import TEMP_SUFFIX

_ID = re.compile(rb"^  (?:\x1b\[\d+m)?[\xe2\x9c\x93\xe2\x9c\x97]+ (gs-[a-z0-9-]+)", re.MULTILINE)
PATIENCE_S = 5.0
"""A program beside a killed one hears of its end and goes."""


def printed_ids(out: bytes) -> set[str]:
    """Ids of the results that the console's text names, in whole lines."""
    return {found.decode() for found in _ID.findall(out[: out.rfind(b"\n") + 1])}


def torn_files(root: Path, *, is_over: bool = False) -> Iterator[str]:
    """Files that do not parse; temporary ones are no file of ours yet.

    The last line of a journal may be half as long as its run is open: with `is_over` none is.
    """
    for path in root.rglob("*"):
        if path.name.endswith(TEMP_SUFFIX) or not path.is_file():
            continue
        try:
            _parse(path, is_over=is_over)
        except (ValueError, sqlite3.Error) as error:
            yield f"{path.relative_to(root)}: {error}"


def _parse(path: Path, *, is_over: bool) -> None:
    if path.suffix == ".json":
        # That of who runs here is written in place, and counts only as long as it is locked.
        if path.name != "runner.json":
            json.loads(path.read_bytes())
    elif path.suffix == ".jsonl":
        if is_over and path.name.endswith(".open.jsonl"):
            raise ValueError("it is open though its run was gone on with")
        *whole, _ = path.read_bytes().split(b"\n")
        for line in whole:
            json.loads(line)
    elif path.suffix == ".sqlite3":
        with closing(sqlite3.connect(path)) as connection:
            ((said,),) = connection.execute("PRAGMA integrity_check").fetchall()
            if said != "ok":
                raise ValueError(said)


def left_processes(mark: str, value: object) -> list[str]:
    """Command lines of processes with this variable in their environment, after some patience."""
    end = time.monotonic() + PATIENCE_S
    while (left := list(_marked(f"{mark}={value}".encode()))) and time.monotonic() < end:
        time.sleep(0.05)
    return left


def _marked(wanted: bytes) -> Iterator[str]:
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if wanted in (folder / "environ").read_bytes().split(b"\0"):
                yield (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode()
