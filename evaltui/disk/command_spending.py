"""What a command spent within its limit, for the one that resumes it: `.evaltui/spent/ID.jsonl`.

It is no part of the journals, which are of one run each and not all kept. A line is added before
each request, so that a killed process leaves none out. The file is locked as long as its command
is on: the lock is the system's, and goes with the process.
"""

import os
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from stat import S_ISREG
from typing import BinaryIO

from msgspec import Struct, field
from msgspec.structs import replace

from evaltui.core.errors import UserError
from evaltui.core.run_id import new_run_id
from evaltui.core.spent import Spent
from evaltui.disk.atomic import safe_path
from evaltui.disk.codec import decode, encode
from evaltui.disk.file_lock import lock
from evaltui.disk.own_folder import make_folder
from evaltui.files import read_file

_SUFFIX = ".jsonl"
_KEPT = 200
"""Files of more commands are not kept."""


class _Line(Struct):
    spent: Mapping[str, Spent] = field(default_factory=dict)
    """By agent, all that it spent in the command; replaces what lines before say of it."""
    took: tuple[str, ...] = ()
    """Commands whose spending this file tells from here on."""


class CommandSpending:
    """Of the command that runs in this process. `close` comes last."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / "spent"
        self.id = new_run_id()
        self._files: list[BinaryIO] = []
        """All locked; the first one is written to."""
        self._has_written = False
        self._noted: dict[str, Spent] = {}

    def go_on(self, ids: Iterable[str]) -> Mapping[str, Mapping[str, Spent]]:
        """Be the rest of these commands: what each spent, by agent; those are left out of which
        nothing is known.

        Raises UserError where another process goes on with one of them.
        """
        wanted = list(dict.fromkeys(ids))
        lines_of = {one: self._read(one) for one in wanted if self._hold(one)}
        self.id = wanted[0] if wanted else self.id
        elsewhere = {one for lines in lines_of.values() for line in lines for one in line.took}
        return {
            one: {}
            if one in elsewhere
            else dict(item for line in lines for item in line.spent.items())
            for one, lines in lines_of.items()
            if lines or one in elsewhere
        }

    def begin(self, spent: Mapping[str, Spent], took: Iterable[str] = ()) -> None:
        """So much was spent before, by these commands among others."""
        others = tuple(one for one in took if one != self.id)
        if spent or others:
            self._write(_Line(spent, others))

    def note(self, agent: str, spent: Spent) -> None:
        """So much the agent spent in all of the command."""
        if self._noted.get(agent, Spent()) != spent:
            self._noted[agent] = spent
            self._write(_Line({agent: spent}))

    def close(self) -> None:
        for file in self._files:
            file.close()
        self._files.clear()

    def _hold(self, id_: str) -> bool:
        """Lock its file, which is made if it is not there; whether that could be."""
        try:
            make_folder(self._folder)
            path = self._path(id_)
            if os.path.lexists(path) and not S_ISREG(path.lstat().st_mode):
                return False  # a link could lead anywhere, a pipe would keep us waiting
            file = path.open("a+b", buffering=0)
        except OSError:
            return False  # nothing can be written: whoever writes the journal says so
        self._files.append(file)
        if not lock(file):
            raise UserError(
                "Another process is working on this run, or already continuing it.",
                "Wait until it has ended, or run without --resume.",
            )
        return True

    def _read(self, id_: str) -> list[_Line]:
        found: list[_Line] = []
        is_torn = False
        with suppress(OSError):
            for line in read_file(self._path(id_)).splitlines():
                try:
                    found.append(decode(_Line, line))
                    is_torn = False
                except (ValueError, RecursionError):
                    is_torn |= bool(line.strip())
        if is_torn and found:  # as its process was killed: some request was about to be sent
            found.append(_Line(_with_one_more(found)))
        return found

    def _write(self, line: _Line) -> None:
        if not self._files and self._hold(self.id):
            self._tidy()
        for file in self._files[:1]:
            with suppress(OSError):
                begin = b"" if self._has_written or _ends_whole(file) else b"\n"
                file.write(begin + encode(line) + b"\n")
                self._has_written = True

    def _tidy(self) -> None:
        with suppress(OSError):
            files = self._folder.glob(f"*{_SUFFIX}")
            by_age = sorted(files, key=lambda one: one.stat().st_mtime_ns, reverse=True)
            for old in by_age[_KEPT:]:
                old.unlink()

    def _path(self, id_: str) -> Path:
        return safe_path(self._folder, id_, suffix=_SUFFIX)


def _ends_whole(file: BinaryIO) -> bool:
    """Whether its last line is whole; not so where the process that wrote it was killed."""
    if not file.seek(0, os.SEEK_END):
        return True
    file.seek(-1, os.SEEK_END)
    return file.read(1) == b"\n"


def _with_one_more(lines: Sequence[_Line]) -> dict[str, Spent]:
    """What each spent, were one more request sent that costs as much as the dearest before."""
    by_agent: dict[str, list[Spent]] = {}
    for line in lines:
        for agent, spent in line.spent.items():
            by_agent.setdefault(agent, []).append(spent)
    return {
        agent: replace(all_[-1], usd=all_[-1].usd + _highest_usd(all_))
        for agent, all_ in by_agent.items()
    }


def _highest_usd(spent: Sequence[Spent]) -> float:
    """The most that was reserved for a request, or that an answer did cost."""
    reserved = [after.usd - before.usd for before, after in pairwise(spent)]
    return max(*reserved, *spent[-1].dearest_usd.values(), 0.0, 0.0) or spent[0].usd
