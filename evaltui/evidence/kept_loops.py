"""Cases that an interrupted `run-loop` had played: kept beside the pack until that is whole."""

import errno
import os
import stat
from collections.abc import Mapping
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any, BinaryIO

import msgspec

from evaltui.core.case import Case
from evaltui.core.errors import EvaltuiError, UserError
from evaltui.core.same_json import canonical
from evaltui.evidence.packs.pack_documents import read_object
from evaltui.files import RESULTS_LIMIT, is_file, read_file
from evaltui.traces.reading import case_document, read_case, trace_body
from evaltui.traces.repair_loop import LOOP_KEYS, without_loop


class KeptLoops:
    """`asked` is what else a case's outcome depends on: programs, limits, judges.

    Without `resumes` what an earlier run left is dropped. Raises OSError, also for anything but a
    regular file in its place.
    """

    def __init__(self, out: Path, asked: Mapping[str, Any], *, resumes: bool) -> None:
        self._path = _place(out)
        self._asked = canonical(asked)
        self._known: dict[str, Any] = {}
        self._path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = _opened(self._path)
        if resumes and is_file(self._path):
            for line in read_file(self._path, RESULTS_LIMIT).splitlines():
                # Of a process that was killed the last line may be half a one.
                with suppress(ValueError, KeyError, TypeError, RecursionError):
                    row = msgspec.json.decode(line)
                    self._known[row["key"]] = row
        if not self._known:
            os.truncate(descriptor, 0)
        self._file: BinaryIO = os.fdopen(descriptor, "ab")

    def get(self, case: Case) -> Case | None:
        """The case as it was played; `None` where it has to be. Only what was played is taken from
        the file, which anybody may have written: neither what the case asks for nor a verdict."""
        found = self._known.get(self._key(case))
        if found is None:
            return None
        with suppress(EvaltuiError, KeyError, msgspec.ValidationError):
            played = read_case(case.key.suite, found["case"], 0)
            document: Any = msgspec.to_builtins(case_document(without_loop(case)))
            document["trace"] = msgspec.to_builtins(trace_body(played).trace)
            metadata = trace_body(played).metadata
            document["metadata"] |= {key: metadata[key] for key in metadata if key in LOOP_KEYS}
            return read_case(case.key.suite, document, 0)
        return None

    def add(self, case: Case, played: Case) -> None:
        row = {"key": self._key(case), "case": case_document(played)}
        self._file.write(b"\n" + msgspec.json.encode(row))
        self._file.flush()

    def close(self, *, is_whole: bool) -> None:
        """Forget them once the pack is there."""
        self._file.close()
        if is_whole:
            self._path.unlink(missing_ok=True)

    def _key(self, case: Case) -> str:
        text = msgspec.json.encode(case_document(case), order="sorted")
        return sha256(self._asked.encode() + text).hexdigest()


def refuse_finished(out: Path, run_id: str) -> None:
    """Raises UserError where nothing is left to continue: the pack is complete, and of the run of
    this id, if one is asked for."""
    manifest = out / "manifest.json"
    if os.path.lexists(_place(out)) or not is_file(manifest):
        return
    found = read_object(manifest).get("run_id")
    if run_id in ("", found):
        what = f"The run `{found}` in `{out}` is complete, so there is nothing to continue."
        raise UserError(what, "Run without --resume to run it all again.")


def _place(out: Path) -> Path:
    return out.parent / f".{out.name}.loop.jsonl"


def _opened(path: Path) -> int:
    """A descriptor to append to it; a link is not followed, and no pipe waited for."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0)
    flags |= getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    descriptor = os.open(path, flags, 0o666)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, "a pipe or device, not a regular file", str(path))
    return descriptor
