"""Latency and cost of a run: told by its report, compared, gated, and held by a replay."""

from pathlib import Path
from typing import Any

import pytest

from evaltui.cli.main import run_command
from tests.evidence.made_packs import made_pack, read, says, suite_of


def timed(case_id: str, ms: float | None, usd: float | None) -> dict[str, Any]:
    case = says(case_id, "yes")
    case["trace"][0] |= {"latency_ms": ms}
    return {**case, "metadata": {"token_usage": {"cost_usd": usd}}}


def test_a_report_tells_what_its_cases_took(tmp_path: Path) -> None:
    rows = [timed(str(n), 10.0 * n, 0.5) for n in range(1, 21)]
    pack = made_pack(tmp_path / "p", suite_of(tmp_path / "s.json", *rows, timed("x", None, None)))
    assert read(pack / "report.json")["measurements"] == {
        "latency_ms": {"cases": 20, "mean": 105, "p50": 100, "p95": 190, "p99": 200, "max": 200},
        "cost_usd": {"cases": 20, "mean": 0.5, "total": 10},
    }


def test_a_slower_and_dearer_candidate_is_kept_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    made_pack(Path("b"), suite_of(Path("b.json"), timed("a", 100, 0.1)))
    made_pack(Path("c"), suite_of(Path("c.json"), timed("a", 130, 0.3)))
    assert run_command(["compare", "--baseline", "b", "--candidate", "c"]) == 0
    delta = "c/compare/baseline_delta.json"
    for flag, holds, breaks in (
        ("--max-latency-increase", "0.3", "0.2"),
        ("--max-mean-latency-ms", "130", "129"),
        ("--max-p95-latency-ms", "130", "129"),
        ("--max-cost-increase", "2", "1.9"),
        ("--max-total-cost-usd", "0.3", "0.2"),
        ("--max-mean-cost-usd", "0.3", "0.2"),
    ):
        assert run_command(["gate", "--compare", delta, flag, holds]) == 0, flag
        assert run_command(["gate", "--compare", delta, flag, breaks]) == 1, flag
    capsys.readouterr()


def test_a_run_of_which_a_case_tells_nothing_passes_no_bound(tmp_path: Path) -> None:
    for name in ("b", "c"):
        rows = (timed("a", 1, None), timed("z", None, None))
        made_pack(tmp_path / name, suite_of(tmp_path / "s.json", *rows))
    run_command(["compare", "--baseline", str(tmp_path / "b"), "--candidate", str(tmp_path / "c")])
    delta = tmp_path / "c" / "compare" / "baseline_delta.json"
    assert run_command(["gate", "--compare", str(delta), "--max-mean-latency-ms", "99"]) == 1
    (why,) = read(delta.with_name("gate_decision.json"))["failures"]
    assert "1 of the candidate's 2 cases report" in why


def test_a_replay_holds_what_the_report_tells_of_them(tmp_path: Path) -> None:
    pack = made_pack(tmp_path / "p", suite_of(tmp_path / "s.json", timed("a", 100, 0.1)))
    assert run_command(["replay", "--run", str(pack)]) == 0
    report = pack / "report.json"
    report.write_text(report.read_text().replace('"mean": 100.0', '"mean": 50.0'))
    assert run_command(["replay", "--run", str(pack)]) == 1
    told = read(pack / "compare" / "replay_report.json")["file_mismatches"]
    assert {"path": "report.json", "problem": "tells something else than the cases"} in told
