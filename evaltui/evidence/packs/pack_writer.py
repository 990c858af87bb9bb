"""Writing an evidence pack case by case; what was written is never read again."""

import hashlib
import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, TypeAlias

from msgspec.structs import asdict

from evaltui.core.case import Case
from evaltui.core.errors import UserError
from evaltui.disk.atomic import safe_name
from evaltui.evidence.measurements import Measurements
from evaltui.evidence.packs.background_writer import BackgroundWriter, write_whole
from evaltui.evidence.packs.pack_documents import read_object
from evaltui.evidence.packs.shards import ShardNote
from evaltui.files import RESULTS_LIMIT, open_file, read_file
from evaltui.traces.judges import RULES
from evaltui.traces.reading import VERSION, case_document, trace_body
from evaltui.traces.wire import encoded, line, now, pretty

FILES = {
    "report": "report.json",
    "run_config": "run/config.json",
    "run_summary": "run/summary.json",
    "events": "run/events.jsonl",
    "judges_dir": "judges/",
    "cases_dir": "cases/",
    "compare_dir": "compare/",
}


GATHERED = 1 << 16
"""Bytes; there is such a file for each judge."""
NoteMaker: TypeAlias = Callable[[dict[str, list[float]]], ShardNote]
"""Takes what was measured of each case."""


class PackWriter:
    """The files of one pack in `folder`; memory does not grow with the cases but for a hash each.

    Used as a context, which closes what is open.
    """

    def __init__(self, folder: Path, *, run_id: str, dataset_id: str) -> None:
        self._folder, self._place = folder, str(folder)
        self._run_id, self._dataset_id = run_id, dataset_id
        self._hashes: dict[str, str] = {}
        for name in ("run", "judges", "cases", "compare"):
            (folder / name).mkdir()
        self._events = _HashedFile(folder / "run" / "events.jsonl")
        self._cases = _JsonList(folder / "cases.part", start=b'  "cases": [', indent=4)
        self._judges: dict[str, _JsonList] = {}
        self._files = BackgroundWriter()
        self._measured = Measurements()
        self._note: NoteMaker | None = None

    def __enter__(self) -> "PackWriter":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        where: TracebackType | None,
    ) -> None:
        try:
            for one in (self._events, self._cases, *self._judges.values()):
                one.close()
        finally:
            self._files.close()

    def add(self, case: Case, verdicts: Mapping[str, Any]) -> None:
        """One case and what `case_verdicts` made of it. Raises UserError where its folder is that
        of another one."""
        self._measured.add(case)
        name = safe_name(case.id)
        # Paths as texts, here and in `_write`: of tens of thousands a `Path` takes longer to make
        # than its folder.
        folder = f"{self._place}/cases/{name}"
        self._make(name, case.id)
        os.mkdir(f"{folder}/artifacts")  # noqa: PTH102
        # Each result stands in two files, and is encoded once.
        results = [(one["judge_id"], encoded(one)) for one in verdicts["judge_results"]]
        written = pretty({**verdicts, "judge_results": [text for _, text in results]})
        self._write(f"cases/{name}/trajectory.json", pretty(case_document(case)))
        self._write(f"cases/{name}/verdicts.json", written)
        self._cases.add(written)
        for judge_id, text in results:
            self._judge(judge_id).add(pretty(text))
        head = {"run_id": self._run_id, "dataset_id": self._dataset_id, "case_id": case.id}
        events = trace_body(case).trace
        self._events.write(b"".join([line(head | asdict(event)) for event in events]))

    def add_shard(self, pack: Path, note: ShardNote, hashes: Mapping[str, str]) -> Iterator[bytes]:
        """All of a shard's pack, of whose cases each yields its verdicts as they are written: the
        report is made of these. Raises UserError where a file of a case is missing."""
        self._measured.extend(note.values)
        events = pack / FILES["events"]
        for data, _ in pieces(events, 0, events.stat().st_size):
            self._events.write(data)
        for path in sorted((pack / "judges").glob("*.json")):
            items = len(b"["), path.stat().st_size - len(b"\n]\n")
            for data, is_first in pieces(path, *items):
                self._judge(path.stem).add_written(data, is_first)
        for id_ in note.case_ids:
            name = safe_name(id_)
            self._make(name, id_)
            (self._folder / "cases" / name / "artifacts").mkdir()
            for file in ("trajectory.json", "verdicts.json"):
                place = f"cases/{name}/{file}"
                if place not in hashes:
                    raise UserError(f"`{pack}` has no `{place}`.", "Judge that part again.")
                self._hashes[place] = hashes[place]
                link_or_copy(pack / place, self._folder / place)
            written = read_file(pack / "cases" / name / "verdicts.json", RESULTS_LIMIT)
            self._cases.add(written)
            yield written

    def finish_shard(
        self,
        config: Mapping[str, Any],
        summary: Mapping[str, Any],
        note: NoteMaker,
    ) -> None:
        """As `finish`, with the note of the shard, which is made of what only we know."""
        self._note = note
        self.finish(config, summary)

    def finish(self, config: Mapping[str, Any], summary: Mapping[str, Any]) -> None:
        """Write what is known at the end; the manifest is last."""
        self._write("run/config.json", pretty(config))
        self._write("run/summary.json", pretty(summary))
        self._hashes["run/events.jsonl"] = self._events.close()
        for judge, results in self._judges.items():
            self._hashes[f"judges/{safe_name(judge)}.json"] = results.end(b"\n]\n")
        self._hashes["report.json"] = self._write_report(config, summary)
        if self._note is not None:
            self._write("run/shard.json", pretty(self._note(self._measured.values())))
        self._files.settle()
        manifest = {
            "version": VERSION,
            "judging_rules": RULES,
            "generated_at": now(),
            "run_id": self._run_id,
            "dataset_id": self._dataset_id,
            "files": FILES,
            "file_hashes": self._hashes,
        }
        (self._folder / "manifest.json").write_bytes(pretty(manifest))

    def _write_report(self, config: Mapping[str, Any], summary: Mapping[str, Any]) -> str:
        """What stands before the cases, by its name, is known only after them. Returns its hash."""
        self._cases.end(b"\n  ],")
        aggregate = {
            "pass_rate": summary["pass_rate"],
            "hard_fail_rate": summary["hard_fail_rate"],
            "regression_delta": None,
            "gate_status": None,
        }
        head = pretty({"aggregate_result": aggregate}).removesuffix(b"\n}\n")
        measured = self._measured.document()
        tail = pretty({"measurements": measured, "run_config": config, "summary": summary})
        part = self._folder / "cases.part"
        report = _HashedFile(self._folder / "report.json")
        try:
            report.write(head + b",\n")
            with open_file(part) as cases:
                while chunk := cases.read(1 << 20):
                    report.write(chunk)
            report.write(tail.removeprefix(b"{"))
        finally:
            report.close()
        part.unlink()
        return report.close()

    def _judge(self, judge_id: str) -> "_JsonList":
        if judge_id not in self._judges:
            path = self._folder / "judges" / f"{safe_name(judge_id)}.json"
            self._judges[judge_id] = _JsonList(path, start=b"[", indent=2)
        return self._judges[judge_id]

    def _make(self, name: str, case_id: str) -> None:
        """The folder of a case: an id that is no file name is kept by one that may be the id of
        another case, and some systems tell no upper case from lower case."""
        folder = f"{self._place}/cases/{name}"
        try:
            os.mkdir(folder)  # noqa: PTH102
        except FileExistsError:
            self._files.settle()
            other = read_object(Path(folder, "verdicts.json"))["case_id"]
            what = f"The ids `{other}` and `{case_id}` would be kept in one folder, `cases/{name}`."
            raise UserError(what, "Rename one of the two cases.") from None

    def _write(self, name: str, data: bytes) -> None:
        self._hashes[name] = hashlib.sha256(data).hexdigest()
        self._files.write(f"{self._place}/{name}", data)


class _HashedFile:
    """A file that knows the SHA-256 of what was written to it.

    What is written is gathered here: a file would gather it too, and a hash takes as long to begin
    as to take some kilobytes.
    """

    def __init__(self, path: Path) -> None:
        self._file = path.open("wb", buffering=0)
        self._hash = hashlib.sha256()
        self._gathered: list[bytes] = []
        self._size = 0

    def write(self, data: bytes) -> None:
        self._gathered.append(data)
        self._size += len(data)
        if self._size >= GATHERED:
            self._flush()

    def close(self) -> str:
        if not self._file.closed:
            try:
                self._flush()
            finally:
                self._file.close()
        return self._hash.hexdigest()

    def _flush(self) -> None:
        data = b"".join(self._gathered)
        self._gathered.clear()
        self._size = 0
        self._hash.update(data)
        write_whole(self._file.fileno(), data)


class _JsonList(_HashedFile):
    """A list of JSON that is written item by item, `indent` spaces deep."""

    def __init__(self, path: Path, *, start: bytes, indent: int) -> None:
        super().__init__(path)
        self._margin = b"\n" + b" " * indent
        self._separator = b""
        self.write(start)

    def add(self, item: bytes) -> None:
        """A whole file's text, as `pretty` makes it."""
        self.write(self._separator + self._margin + item[:-1].replace(b"\n", self._margin))
        self._separator = b","

    def add_written(self, data: bytes, is_first: bool) -> None:
        """A piece of the items of another such list; `is_first`: they begin with it."""
        self.write(self._separator + data if is_first else data)
        self._separator = b","

    def end(self, tail: bytes) -> str:
        """Closes a list without items as `json.dumps` does, on its line."""
        self.write(tail if self._separator else tail.lstrip(b"\n "))
        return self.close()


def pieces(path: Path, first: int, end: int) -> Iterator[tuple[bytes, bool]]:
    """The bytes from `first` to before `end`, piece by piece, each with whether it is the first."""
    with open_file(path) as file:
        file.seek(first)
        left = end - first
        while left > 0 and (data := file.read(min(left, 1 << 20))):
            yield data, left == end - first
            left -= len(data)


def link_or_copy(source: Path, place: Path) -> None:
    """Files of a pack are never changed in their place, so that one may have two names. Raises
    OSError for what is no regular file."""
    with open_file(source) as file:
        try:
            os.link(source, place)
        except OSError:
            with place.open("wb") as copy:
                shutil.copyfileobj(file, copy)
