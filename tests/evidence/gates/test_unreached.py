"""A judge that a case did not come to: its evals did not change, and another one ended the case."""

import json
from pathlib import Path
from typing import Any

import pytest

from evaltui.cli.main import run_command
from tests.evidence.made_packs import read

DELTA = "c/compare/baseline_delta.json"
CASE = "evals/a.labeled.json::r1"
ROOM = {"toolsCalled": ["find_room"], "responseNonEmpty": True}


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the candidate the tool of `r1` is another, so that `toolsCalled` ends the case."""
    monkeypatch.chdir(tmp_path)
    run_into("b", "find_room", ROOM)


def run_into(place: str, name: str, expect: dict[str, Any]) -> None:
    tools = [
        {"name": name, "description": "Find a free hotel room in a city", "inputSchema": {}},
        {"name": "cancel", "description": "Cancel a booking by its number", "inputSchema": {}},
    ]
    Path("tools").mkdir(exist_ok=True)
    Path("tools/all.json").write_text(json.dumps(tools))
    message = {"message": "Find a free hotel room in Rome"}
    room = {"id": "r1", "input": message, "stubs": {"find_room": 1}, "expect": expect}
    booking = {
        "id": "r2",
        "input": {"message": "Cancel the booking 12"},
        "expect": {"toolsCalled": ["cancel"]},
    }
    Path("evals").mkdir(exist_ok=True)
    Path("evals/a.labeled.json").write_text(json.dumps({"cases": [room, booking]}))
    flags = ("--registry", "tools", "--fail-on", "never", "--reporter", f"evidence={place}")
    assert run_command(["run", *flags]) == 0


def compared_with(place: str) -> None:
    assert run_command(["compare", "--baseline", "b", "--candidate", place]) == 0


def gate(most: int, *flags: str) -> list[str]:
    bound = ("--max-regressed-cases", str(most))
    code = run_command(["gate", "--compare", DELTA, *bound, *flags])
    decision = read(Path("c/compare/gate_decision.json"))
    assert code == int(not decision["passed"])
    found: list[str] = decision["failures"]
    return found


def test_a_judge_that_was_not_reached_is_no_weaker_eval() -> None:
    run_into("c", "zebra", ROOM)
    compared_with("c")
    assert read(Path(DELTA))["unreached_checks"] == [
        {"case_id": CASE, "judges": ["responseNonEmpty"]}
    ]
    assert gate(1) == []
    assert gate(0) == ["regressed cases 1 exceeds max_regressed_cases 0"]


def test_one_that_was_taken_away_is_missed_though_the_case_failed_before() -> None:
    run_into("c", "zebra", {"toolsCalled": ["find_room"]})
    assert run_command(["compare", "--baseline", "b", "--candidate", "c"]) == 1
    flags = ("--baseline", "b", "--candidate", "c", "--allow-incompatible")
    assert run_command(["compare", *flags]) == 0
    assert read(Path(DELTA))["unreached_checks"] == []
    assert "judges of the baseline judged nothing: responseNonEmpty" in gate(1)


def test_a_report_cannot_claim_that_a_judge_was_not_reached() -> None:
    run_into("c", "find_room", ROOM)
    compared_with("c")
    place = Path(DELTA)
    report = read(place)
    report["unreached_checks"] = [{"case_id": CASE, "judges": ["responseNonEmpty"]}]
    place.write_text(json.dumps(report))
    assert [one.split(" ")[0] for one in gate(1)] == ["`unreached_checks`"]
    del report["packs"]
    place.write_text(json.dumps(report))
    assert [one.split(" ")[0] for one in gate(1)] == ["`unreached_checks`"]


def test_a_waiver_for_the_judge_that_ended_the_case_is_enough() -> None:
    registry = ("registry", "baseline-set", "--name", "main", "--run", "b")
    assert run_command([*registry]) == 0
    run_into("c", "zebra", ROOM)
    compared_with("c")
    who = ("--baseline-name", "main", "--approved-by", "me", "--reason", "known")
    scope = ("--case-id", CASE, "--judge-id", "toolsCalled")
    assert run_command(["registry", "waiver-add", *who, *scope]) == 0
    assert gate(0, "--apply-waivers", "--baseline-name", "main") == []


def test_a_short_id_is_that_of_the_only_case_that_is_called_so(capsys: Any) -> None:
    run_command(["registry", "baseline-set", "--name", "main", "--run", "b"])
    who = ("--baseline-name", "main", "--approved-by", "me", "--reason", "known")
    for scope in (("--case-id", "r1"), ("--regression-key", "case regressed: r1")):
        capsys.readouterr()
        assert run_command(["registry", "waiver-add", *who, *scope]) == 0
        told = json.loads(capsys.readouterr().out)
        assert "warnings" not in told
        assert told["waiver"]["case_id"] in (CASE, None)
    run_into("c", "zebra", ROOM)
    compared_with("c")
    assert gate(0, "--apply-waivers", "--baseline-name", "main") == []
    assert read(Path("c/compare/gate_decision.json"))["warnings"] == []


def test_what_the_embedded_agent_costs_is_known() -> None:
    run_into("c", "find_room", ROOM)
    compared_with("c")
    assert gate(0, "--max-cost-increase", "0.1", "--max-total-cost-usd", "0") == []
