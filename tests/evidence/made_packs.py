"""Packs for tests: made by the command, of suites that are written down."""

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

from evaltui.cli.main import run_command

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
GOOD, BAD = EXAMPLES / "suite_good.json", EXAMPLES / "suite_bad.json"


def made_pack(out: Path, suite: Path = GOOD, *flags: str) -> Path:
    """The pack of a suite; the run is called as the folder."""
    argv = ["run", "--suite", str(suite), "--out", str(out), "--run-id", out.name, *flags]
    assert run_command(argv) == 0
    return out


def suite_of(path: Path, *cases: dict[str, Any]) -> Path:
    """A suite file, written to `path`."""
    suite = {"dataset_id": "d", "metadata": {"schema_version": "1.0.0"}, "cases": cases}
    path.write_text(json.dumps(suite))
    return path


def says(case_id: str, output: str, **more: Any) -> dict[str, Any]:
    """A case whose agent says one thing, which is to hold `yes`."""
    event = {"idx": 0, "actor": "assistant", "type": "message", "output": output}
    return {"case_id": case_id, "regex_patterns": ["yes"], "trace": [event], **more}


def read(path: Path) -> Any:
    return json.loads(path.read_bytes())


def as_other_program(pack: Path) -> Path:
    """Without hashes, and without what only packs of ours tell."""
    report = read(pack / "report.json")
    del report["aggregate_result"], report["measurements"]
    manifest = read(pack / "manifest.json")
    del manifest["file_hashes"], manifest["judging_rules"]
    for path in (pack / "cases").glob("*/verdicts.json"):
        verdicts = read(path)
        del verdicts["asserted"]
        path.write_text(json.dumps(verdicts))
    for row in report["cases"]:
        del row["asserted"]
    (pack / "report.json").write_text(json.dumps(report))
    (pack / "manifest.json").write_text(json.dumps(manifest))
    return pack


def hashed_anew(pack: Path, *names: str) -> None:
    """With the hashes that these files have now; of those that are gone none."""
    manifest = read(pack / "manifest.json")
    for name in names:
        manifest["file_hashes"].pop(name, None)
        if (pack / name).exists():
            manifest["file_hashes"][name] = sha256((pack / name).read_bytes()).hexdigest()
    (pack / "manifest.json").write_text(json.dumps(manifest))
