"""Writing an evidence pack case by case; what was written is never read again."""

import hashlib
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO

from evaltui.core.case import Case
from evaltui.disk.atomic import safe_name
from evaltui.evidence.measurements import Measurements
from evaltui.evidence.run_config import now
from evaltui.traces.judges import RULES
from evaltui.traces.reading import VERSION, case_document, trace_body
from evaltui.traces.wire import line, pretty

FILES = {
    "report": "report.json",
    "run_config": "run/config.json",
    "run_summary": "run/summary.json",
    "events": "run/events.jsonl",
    "judges_dir": "judges/",
    "cases_dir": "cases/",
    "compare_dir": "compare/",
}


class PackWriter:
    """The files of one pack in `folder`; memory does not grow with the cases but for a hash each.

    Used as a context, which closes what is open.
    """

    def __init__(self, folder: Path, *, run_id: str, dataset_id: str) -> None:
        self._folder = folder
        self._run_id, self._dataset_id = run_id, dataset_id
        self._hashes: dict[str, str] = {}
        for name in ("run", "judges", "cases", "compare"):
            (folder / name).mkdir()
        self._events = _HashedFile(folder / "run" / "events.jsonl")
        self._cases = _JsonList(folder / "cases.part", start=b'  "cases": [', indent=4)
        self._judges: dict[str, _JsonList] = {}
        self._measured = Measurements()

    def __enter__(self) -> "PackWriter":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        where: TracebackType | None,
    ) -> None:
        for one in (self._events, self._cases, *self._judges.values()):
            one.close()

    def add(self, case: Case, verdicts: Mapping[str, Any]) -> None:
        """One case and what `case_verdicts` made of it."""
        self._measured.add(case)
        name = safe_name(case.id)
        folder = self._folder / "cases" / name
        folder.mkdir()
        (folder / "artifacts").mkdir()
        written = pretty(verdicts)
        self._write(f"cases/{name}/trajectory.json", pretty(case_document(case)))
        self._write(f"cases/{name}/verdicts.json", written)
        self._cases.add(written)
        for result in verdicts["judge_results"]:
            self._judge(result["judge_id"]).add(pretty(result))
        head = {"run_id": self._run_id, "dataset_id": self._dataset_id, "case_id": case.id}
        for event in trace_body(case).trace:
            fields = {one: getattr(event, one) for one in event.__struct_fields__}
            self._events.write(line(head | fields))

    def finish(self, config: Mapping[str, Any], summary: Mapping[str, Any]) -> None:
        """Write what is known at the end; the manifest is last."""
        self._write("run/config.json", pretty(config))
        self._write("run/summary.json", pretty(summary))
        self._hashes["run/events.jsonl"] = self._events.close()
        for judge, results in self._judges.items():
            self._hashes[f"judges/{safe_name(judge)}.json"] = results.end(b"\n]\n")
        self._hashes["report.json"] = self._write_report(config, summary)
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
        """What stands before the cases, by its name, is known only after them."""
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
            with part.open("rb") as cases:
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

    def _write(self, name: str, data: bytes) -> None:
        self._hashes[name] = hashlib.sha256(data).hexdigest()
        (self._folder / name).write_bytes(data)


class _HashedFile:
    """A file that knows the SHA-256 of what was written to it."""

    def __init__(self, path: Path) -> None:
        self._file: BinaryIO = path.open("wb")
        self._hash = hashlib.sha256()

    def write(self, data: bytes) -> None:
        self._hash.update(data)
        self._file.write(data)

    def close(self) -> str:
        self._file.close()
        return self._hash.hexdigest()


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

    def end(self, tail: bytes) -> str:
        """Closes a list without items as `json.dumps` does, on its line."""
        self.write(tail if self._separator else tail.lstrip(b"\n "))
        return self.close()
