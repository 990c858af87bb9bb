"""Cases that pass now and then are found; those that always fail are none of them."""

import json
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest

from evaltui.cli.main import run_command
from tests.evidence.made_packs import says, suite_of

ADAPTER = """
import json, pathlib, sys
asked = json.load(sys.stdin)
place = pathlib.Path(asked["case_id"] + ".count")
count = int(place.read_text()) + 1 if place.exists() else 1
place.write_text(str(count))
flaky = asked["case_id"] == "flaky" and count % 2
print(json.dumps({"assistant_output": "no" if flaky or asked["case_id"] == "bad" else "yes"}))
"""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def check(capsys: Any, *flags: str) -> tuple[int, dict[str, Any]]:
    capsys.readouterr()
    code = run_command(["stability-check", "--suite", "s.json", *flags])
    said = capsys.readouterr()
    return code, json.loads(said.out or said.err)


def test_what_is_played_may_come_out_otherwise(capsys: Any) -> None:
    asked = {"input": "hi", "regex_patterns": ["yes"]}
    suite_of(Path("s.json"), *({"case_id": one, **asked} for one in ("bad", "flaky")))
    Path("adapter.py").write_text(ADAPTER)
    command = shlex.join([sys.executable, "adapter.py"])
    mode = ("--execution-mode", "propose_execute_repair", "--propose-command", command)
    code, report = check(capsys, *mode, "--runs", "2", "--max-repairs", "0", "--out", "r.json")
    assert (code, report["flaky_case_ids"]) == (1, ["flaky"])
    assert report["consistently_failing_case_ids"] == ["bad"]
    assert report["quarantine_recommended_case_ids"] == ["flaky"]
    rows = {one["case_id"]: one for one in report["case_stability"]}
    assert (rows["flaky"]["pass_count"], rows["bad"]["pass_rate"]) == (1, 0.0)
    assert rows["flaky"]["confidence_95"]["low"] == pytest.approx(0.0945, abs=0.0005)
    assert report["summary"]["avg_pass_rate"] == report["summary"]["pass_rate_stddev"] == 0.25
    assert json.loads(Path("r.json").read_bytes()) == report


def test_judging_the_same_traces_again_is_stable(capsys: Any) -> None:
    suite_of(Path("s.json"), says("good", "yes"), says("bad", "no"))
    code, report = check(capsys, "--runs", "2")
    assert (code, report["flaky_case_ids"]) == (0, [])
    assert [one["passed_cases"] for one in report["run_results"]] == [1, 1]


@pytest.mark.parametrize(
    ("flags", "ends"),
    [
        (("--runs", "1"), 1),
        (("--execution-mode", "propose_execute_repair"), 2),
        (("--quarantine-min-pass-rate", "2"), 2),
        (("--judge", "nope"), 2),
    ],
)
def test_what_makes_no_sense_is_refused(capsys: Any, flags: tuple[str, ...], ends: int) -> None:
    suite_of(Path("s.json"), says("good", "yes"))
    code, said = check(capsys, *flags)
    assert (code, said["error"]["code"]) == (ends, "validation_error")
