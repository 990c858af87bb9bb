"""`lean`: what the program says counts, and whatever is wrong with it fails the case."""

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from evaltui.cli.main import run_command
from evaltui.core.verdict import Verdict, VerdictStatus
from evaltui.traces.judges import stage_of
from evaltui.traces.reading import read_case
from evaltui.traces.scoring import score
from tests.evidence.made_packs import made_pack, read, says, suite_of


def lean(code: str, **config: Any) -> Verdict:
    """The verdict by a program of this code."""
    case = read_case("d", {"case_id": "c", "metadata": {"lean_payload": {"n": 3}}}, 0)
    settings = {"command": [sys.executable, "-c", code], **config}
    return asyncio.run(score(case, stage_of(("lean",), {"lean": settings})))[1]


def test_the_program_is_given_the_payload_and_decides() -> None:
    code = "import json, sys; n = json.load(sys.stdin)['n']; print(json.dumps({'passed': n == %d}))"
    assert lean(code % 3).status is VerdictStatus.PASSED
    wrong = lean(code % 4)
    assert (wrong.status, wrong.category, wrong.reason) == (
        VerdictStatus.FAILED,
        "assertion",
        "lean result",
    )
    assert wrong.evidence == {"lean_result": {"passed": False}}


@pytest.mark.parametrize(
    ("code", "config", "category"),
    [
        ('print(\'{"passed": "false"}\')', {}, "parse_error"),
        ("print('{\"passed\": 1}')", {}, "parse_error"),
        ("print('true')", {}, "parse_error"),
        ("import sys; print('{\"passed\": true}'); sys.exit(3)", {}, "judge_error"),
        ("import time; time.sleep(60)", {"timeout_seconds": 0.2}, "timeout"),
        ("", {"command": "true"}, "judge_error"),
        ("", {"command": None}, "judge_error"),
        ("", {"command": ["/nowhere/lean"]}, "judge_error"),
    ],
)
def test_nothing_passes_by_a_fault_of_the_program(
    code: str, config: dict[str, Any], category: str
) -> None:
    found = lean(code, **config)
    assert (found.status, found.category) == (VerdictStatus.FAILED, category)
    assert found.reason == "lean check failed"
    assert "error" in found.evidence


def test_a_case_without_a_payload_is_not_asked() -> None:
    case = read_case("d", {"case_id": "c"}, 0)
    found = asyncio.run(score(case, stage_of(("lean",), {})))
    assert found[1].status is VerdictStatus.SKIPPED


def test_a_pack_from_elsewhere_runs_nothing_unless_somebody_agrees(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.delenv("EVALTUI_TRUST", raising=False)
    ran = tmp_path / "ran"
    code = f"open({str(ran)!r}, 'a').write('x'); print('{{\"passed\": true}}')"
    judges = tmp_path / "judges.json"
    judges.write_text(json.dumps({"lean": {"command": [sys.executable, "-c", code]}}))
    suite = suite_of(tmp_path / "s", says("a", "yes", metadata={"lean_payload": 1}))
    pack = made_pack(
        tmp_path / "p", suite, "--judge", "lean", "--judge-config", str(judges), "--trust"
    )
    assert run_command(["replay", "--run", str(pack)]) == 0, "what was typed here is agreed to"
    assert ran.read_text() == "xx"
    other = tmp_path / "from-elsewhere"
    pack.rename(other)
    capsys.readouterr()
    assert run_command(["replay", "--run", str(other)]) == 1
    assert "--trust" in json.loads(capsys.readouterr().err)["error"]["message"]
    assert ran.read_text() == "xx"
    assert run_command(["replay", "--run", str(other), "--trust"]) == 0
    assert read(other / "compare" / "replay_report.json")["replay_passed"]
