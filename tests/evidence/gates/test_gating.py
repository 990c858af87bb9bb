"""The gate: what passes it, and that nothing does by what is not known."""

import copy
import json
from math import inf, nan
from pathlib import Path
from typing import Any

import pytest

from evaltui.cli.main import run_command
from evaltui.core.errors import UserError
from evaltui.evidence.gates.gating import gate, read_thresholds
from tests.evidence.made_packs import GOOD, made_pack

REPORT: dict[str, Any] = {
    "baseline_run_id": "b",
    "candidate_run_id": "c",
    "baseline_reference": {"input": "b", "resolved_path": "/not-there/b"},
    "compatibility": {"passed": True, "checks": [{"name": "judges_match", "passed": True}]},
    "metrics": {
        "pass_rate": {"baseline": 1.0, "candidate": 0.9, "delta": -0.1},
        "hard_fail_rate": {"baseline": 0.0, "candidate": 0.1, "delta": 0.1},
    },
    "case_regressions": [{"case_id": "a", "regressed": True}, {"case_id": "b", "regressed": False}],
    "new_hard_fail_case_ids": ["a"],
    "overview": {"total_baseline_cases": 2, "total_candidate_cases": 2},
    "measurements": {
        name: {"baseline": before, "candidate": after, "baseline_cases": 2, "candidate_cases": 2}
        for name, before, after in (
            ("mean_latency_ms", 100.0, 125.0),
            ("p95_latency_ms", 100.0, 200.0),
            ("mean_cost_usd", 0.01, 0.02),
            ("total_cost_usd", 0.02, 0.04),
        )
    },
}


@pytest.mark.parametrize(
    ("name", "holds", "breaks"),
    [
        ("min_pass_rate", 0.9, 0.91),
        ("max_hard_fail_rate", 0.1, 0.09),
        ("max_pass_rate_drop", 0.1, 0.09),
        ("max_hard_fail_increase", 0.1, 0.09),
        ("max_regressed_cases", 1, 0),
        ("max_new_hard_fail_cases", 1, 0),
        ("max_mean_latency_ms", 125, 124.9),
        ("max_p95_latency_ms", 200, 199),
        ("max_latency_increase", 0.25, 0.24),
        ("max_mean_cost_usd", 0.02, 0.019),
        ("max_total_cost_usd", 0.04, 0.039),
        ("max_cost_increase", 1, 0.99),
    ],
)
def test_a_bound_may_be_reached_and_not_passed(name: str, holds: float, breaks: float) -> None:
    assert gate(REPORT, {name: holds})["failures"] == []
    decision = gate(REPORT, {name: breaks})
    assert (decision["passed"], decision["thresholds"][name]) == (False, breaks)
    assert decision["aggregate_result"]["gate_status"] == "failed"
    assert len(decision["failures"]) == 1 and name in decision["failures"][0]


def test_the_sentence_of_a_failure_is_the_one_that_programs_know() -> None:
    assert gate(REPORT, {"min_pass_rate": 0.95})["failures"] == [
        "candidate pass_rate 0.9000 is below min_pass_rate 0.9500"
    ]


@pytest.mark.parametrize(
    ("name", "metric", "found", "bound", "reason"),
    [
        (
            "max_mean_cost_usd",
            "measurements.mean_cost_usd.candidate",
            0.00834,
            0.00832,
            "mean cost in USD 0.00834 exceeds max_mean_cost_usd 0.00832",
        ),
        (
            "max_mean_latency_ms",
            "measurements.mean_latency_ms.candidate",
            120.04,
            120,
            "mean latency in ms 120.04 exceeds max_mean_latency_ms 120.00",
        ),
        (
            "min_pass_rate",
            "metrics.pass_rate.candidate",
            0.9,
            0.90001,
            "candidate pass_rate 0.90000 is below min_pass_rate 0.90001",
        ),
    ],
)
def test_what_is_beyond_a_bound_never_reads_as_the_bound(
    name: str, metric: str, found: float, bound: float, reason: str
) -> None:
    assert gate(changed(metric, found), {name: bound})["failures"] == [reason]


def changed(path: str, value: Any) -> dict[str, Any]:
    """The report with one value changed, or gone where it is `...`."""
    report = copy.deepcopy(REPORT)
    *outer, last = path.split(".")
    place = report
    for key in outer:
        place = place[key]
    if value is ...:
        del place[last]
    else:
        place[last] = value
    return report


ALL = {
    "min_pass_rate": 0.0,
    "max_hard_fail_rate": 1,
    "max_pass_rate_drop": 1,
    "max_hard_fail_increase": 1,
    "max_regressed_cases": 9,
    "max_new_hard_fail_cases": 9,
    "max_p95_latency_ms": 999,
    "max_latency_increase": 9,
    "max_total_cost_usd": 9,
    "max_cost_increase": 9,
}


@pytest.mark.parametrize(
    "report",
    [
        {},
        None,
        [],
        changed("compatibility", ...),
        changed("compatibility.passed", False),
        changed("metrics", ...),
        changed("metrics.pass_rate.candidate", None),
        changed("metrics.pass_rate.candidate", nan),
        changed("metrics.pass_rate.candidate", True),
        changed("metrics.pass_rate.candidate", 90),
        changed("metrics.pass_rate.baseline", "1"),
        changed("metrics.hard_fail_rate", ...),
        changed("case_regressions", ...),
        changed("new_hard_fail_case_ids", None),
        changed("cases_compared", False),
        changed("overview", {"total_candidate_cases": 0}),
        changed("overview.total_baseline_cases", 3),
        changed("overview", ...),
        changed("measurements", ...),
        changed("measurements.p95_latency_ms.candidate", None),
        changed("measurements.mean_latency_ms.baseline_cases", 1),
        changed("measurements.mean_latency_ms.baseline", 0),
        changed("measurements.total_cost_usd.candidate", inf),
        changed("measurements.mean_cost_usd.baseline", "0.01"),
        REPORT | {"judge_metrics": {"a": {"name": "a", "baseline": 1.0, "candidate": None}}},
        REPORT | {"judge_metrics": {"a": {"name": "a", "baseline": 0.0, "candidate": None}}},
    ],
)
def test_what_is_not_known_does_not_pass(report: Any) -> None:
    assert gate(REPORT, ALL)["passed"]
    decision = gate(report, ALL)
    assert not decision["passed"] and decision["failures"]


def test_a_change_that_does_not_say_whether_it_is_worse_is() -> None:
    report = changed("case_regressions", [{"case_id": "a"}])
    assert gate(report, {"max_regressed_cases": 1})["passed"]
    assert not gate(report, {"max_regressed_cases": 0})["passed"]


@pytest.mark.parametrize("bound", [nan, inf, -0.1, True, "0.9", None])
def test_a_threshold_is_a_number(bound: Any) -> None:
    with pytest.raises(UserError, match="min_pass_rate"):
        gate(REPORT, {"min_pass_rate": bound})


@pytest.mark.parametrize("name", ["max_regressed_cases", "max_new_hard_fail_cases"])
def test_how_many_cases_is_a_whole_number_in_a_file_and_on_the_command_line(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report, file = tmp_path / "delta.json", tmp_path / "gate.json"
    report.write_text(json.dumps(REPORT))
    flag = f"--{name.replace('_', '-')}"
    for bound in (2.5, 1e9, 2.0, 2):
        file.write_text(json.dumps({name: bound}))
        for given in ([flag, str(bound)], ["--config", str(file)]):
            capsys.readouterr()
            code = run_command(["gate", "--compare", str(report), *given])
            if bound == 2.5:
                assert code and "2.5 is no whole number" in capsys.readouterr().err
            else:
                assert code == 0
                decision = (tmp_path / "gate_decision.json").read_text()
                assert f'"{name}": {int(bound)},' in decision


def test_without_a_threshold_nothing_passes() -> None:
    with pytest.raises(UserError, match="no threshold"):
        gate(REPORT, {})


def test_thresholds_of_a_file_are_checked(tmp_path: Path) -> None:
    path = tmp_path / "gate.json"
    path.write_text('{"min_pass_rate": 0.5, "max_pass_rate_drop": null}')
    assert read_thresholds(path) == {"min_pass_rate": 0.5}
    path.write_text('{"min_pas_rate": 0.5}')
    with pytest.raises(UserError, match="Did you mean `min_pass_rate`"):
        read_thresholds(path)
    path.write_text('{"min_pass_rate": 0.95, "min_pass_rate": 0}')
    with pytest.raises(UserError, match="`min_pass_rate` is written twice"):
        read_thresholds(path)


def test_the_command_ends_with_its_decision(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("delta.json").write_text(json.dumps(REPORT))
    assert run_command(["gate", "--compare", "delta.json"]) == 1
    assert "no threshold" in json.loads(capsys.readouterr().err)["error"]["message"]
    wrongs = (["--min-pass-rate", "nan"], ["--min-pass-rate", "2"], ["--max-regressed-cases", "-1"])
    for wrong in wrongs:
        assert run_command(["gate", "--compare", "delta.json", *wrong]) == 2
        assert json.loads(capsys.readouterr().err)["error"]["code"] == "validation_error"
    assert run_command(["gate", "--compare", "delta.json", "--min-pass-rate", "0.9"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told == {"gate_decision": "gate_decision.json", "passed": True}
    Path("config").mkdir()
    Path("config/gate.json").write_text('{"min_pass_rate": 0.95}')
    assert run_command(["gate", "--compare", "delta.json"]) == 1
    assert not json.loads(Path("gate_decision.json").read_bytes())["passed"]
    assert run_command(["gate", "--compare", "delta.json", "--min-pass-rate", "0.5"]) == 0


@pytest.mark.parametrize(
    ("path", "value", "field"),
    [
        ("compatibility.checks", 5, "compatibility.checks"),
        ("compatibility.passed", "yes", "compatibility.passed"),
        ("measurements.mean_latency_ms.candidate", 10**400, "measurements[...].candidate"),
        ("metrics.pass_rate.candidate", True, "metrics[...].candidate"),
        ("case_regressions", [5], "case_regressions[0]"),
        ("new_hard_fail_case_ids", "a", "new_hard_fail_case_ids"),
        ("overview", [], "overview"),
    ],
    ids=lambda one: str(one)[:30],
)
def test_a_damaged_report_is_named_with_its_field_and_decides_against(
    path: str, value: Any, field: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    decision = gate(changed(path, value), {"min_pass_rate": 0.0})
    assert (decision["passed"], f"`{field}`" in decision["failures"][0]) == (False, True)
    report, out = tmp_path / "delta.json", tmp_path / "gate_decision.json"
    report.write_text(json.dumps(REPORT))
    command = ["gate", "--compare", str(report), "--min-pass-rate", "0.0"]
    assert run_command(command) == 0
    report.write_text(json.dumps(changed(path, value)))
    capsys.readouterr()
    assert run_command(command) == 1
    error = json.loads(capsys.readouterr().err)["error"]
    assert (error["code"], error["details"]["key"]) == ("validation_error", field)
    assert error["details"]["file"] == str(report)
    kept = json.loads(out.read_bytes())
    assert not kept["passed"] and kept["failures"] == [error["message"]]


@pytest.mark.parametrize("text", [None, b"{", b"[]", b"\xff"])
def test_an_older_decision_does_not_stand_for_what_cannot_be_read(
    text: bytes | None, tmp_path: Path
) -> None:
    report, out = tmp_path / "delta.json", tmp_path / "gate_decision.json"
    out.write_text('{"passed": true}')
    if text is not None:
        report.write_bytes(text)
    assert run_command(["gate", "--compare", str(report), "--min-pass-rate", "0.0"]) == 1
    assert not json.loads(out.read_bytes())["passed"]


def test_nor_for_thresholds_that_are_none(tmp_path: Path) -> None:
    report, out = tmp_path / "delta.json", tmp_path / "gate_decision.json"
    report.write_text(json.dumps(REPORT))
    out.write_text('{"passed": true}')
    assert run_command(["gate", "--compare", str(report), "--min-pass-rate", "nan"]) == 2
    assert not json.loads(out.read_bytes())["passed"]


RATES = ("min_pass_rate", "max_hard_fail_rate", "max_pass_rate_drop", "max_hard_fail_increase")


@pytest.mark.parametrize("name", RATES)
def test_a_rate_above_1_is_no_threshold(name: str) -> None:
    with pytest.raises(UserError, match=f"`{name}` is a rate"):
        gate(REPORT, {name: 2})
    assert gate(REPORT, {name: 1})["thresholds"][name] == 1


@pytest.mark.parametrize("name", ["cases/case-1/trajectory.json", "run/events.jsonl"])
def test_a_pack_that_was_changed_since_it_was_compared_does_not_pass(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pack = made_pack(tmp_path / "p", GOOD)
    assert run_command(["compare", "--baseline", str(pack), "--candidate", str(pack)]) == 0
    monkeypatch.chdir(pack / "compare")
    command = ["gate", "--compare", "baseline_delta.json", "--min-pass-rate", "1"]
    assert run_command(command) == 0
    (pack / name).write_bytes(b"{}")
    assert run_command(command) == 1
    (why,) = json.loads(Path("gate_decision.json").read_bytes())["failures"]
    assert "changed after it was written" in why
    assert name in why
