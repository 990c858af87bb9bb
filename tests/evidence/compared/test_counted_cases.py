"""What a summary tells follows from the cases, whoever wrote it."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from evaltui.cli.main import run_command
from evaltui.core.errors import UserError
from evaltui.core.verdict import Kind
from evaltui.evidence.case_row import CaseRow
from evaltui.evidence.compared.counted_cases import as_counted
from evaltui.evidence.compared.side import read_side
from evaltui.traces.judge_row import JudgeRow
from tests.evidence.made_packs import (
    as_other_program,
    hashed_anew,
    made_pack,
    read,
    says,
    suite_of,
)

PASSES = {"passed_cases": 4, "failed_cases": 0, "hard_fail_cases": 0}
FORGED: dict[str, dict[str, Any]] = {
    "pass_rate": {"pass_rate": 1.0},
    "hard_fail_rate": {"hard_fail_rate": 0.0},
    "judge_pass_rates": {"judge_pass_rates": {"regex": 1.0}},
    "judge that judged nothing": {"judge_pass_rates": {"policy": 1.0}},
    "total_cases": {"total_cases": 8, "pass_rate": None, "hard_fail_rate": None},
    "passed_cases": {"passed_cases": 4},
    "failed_cases": {"failed_cases": 0},
    "hard_fail_cases": {"hard_fail_cases": 0},
    "all": {**PASSES, "pass_rate": 1.0, "hard_fail_rate": 0.0},
    "all but the total": {"total_cases": None, "pass_rate": 1.0, "hard_fail_rate": 0.0},
}


@pytest.fixture
def bad(tmp_path: Path) -> Path:
    """Two of four fail, all of them hard."""
    said = ("yes", "no", "yes", "no")
    cases = (says(f"c{n}", one) for n, one in enumerate(said))
    return made_pack(tmp_path / "bad", suite_of(tmp_path / "bad.json", *cases))


def changed(summary: dict[str, Any], how: dict[str, Any]) -> dict[str, Any]:
    """`None`: without it."""
    return {key: one for key, one in {**summary, **how}.items() if one is not None}


def of_other_program(pack: Path, how: dict[str, Any]) -> Path:
    place = as_other_program(pack) / "run" / "summary.json"
    place.write_text(json.dumps(changed(read(place), how)))
    return pack


def hashed(pack: Path, how: dict[str, Any]) -> Path:
    place = pack / "run" / "summary.json"
    place.write_text(json.dumps(changed(read(place), how)))
    hashed_anew(pack, "run/summary.json")
    return pack


def report_alone(pack: Path, how: dict[str, Any]) -> Path:
    found = read(pack / "report.json")
    place = pack.parent / "report.json"
    place.write_text(json.dumps({**found, "summary": changed(found["summary"], how)}))
    return place


def without_report(pack: Path, how: dict[str, Any]) -> Path:
    of_other_program(pack, how)
    (pack / "report.json").unlink()
    return pack


WAYS = (of_other_program, hashed, report_alone, without_report)


@pytest.mark.parametrize("name", FORGED)
@pytest.mark.parametrize("way", WAYS)
def test_a_summary_that_tells_other_than_its_cases_is_refused(
    way: Callable[[Path, dict[str, Any]], Path], name: str, bad: Path
) -> None:
    with pytest.raises(UserError, match=r"come to|no case was judged by it") as caught:
        read_side(way(bad, FORGED[name]))
    assert name.split()[0] in str(caught.value) or name.startswith(("all", "judge"))


@pytest.mark.parametrize("way", WAYS)
def test_what_a_summary_leaves_out_is_counted(
    way: Callable[[Path, dict[str, Any]], Path], bad: Path
) -> None:
    whole = read_side(bad).summary
    names = [one for one in whole if one not in ("run_id", "dataset_id", "schema_version")]
    assert len(names) == 7
    assert read_side(way(bad, dict.fromkeys(names))).summary == whole


def test_the_gate_passes_no_candidate_by_an_edited_summary(
    bad: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    of_other_program(bad, FORGED["all but the total"])
    argv = ["compare", "--baseline", str(bad), "--candidate", str(bad)]
    assert run_command([*argv, "--out", str(tmp_path / "c.json")]) == 1
    assert "`pass_rate` is 1.0, and its cases come to 0.5" in capsys.readouterr().err
    assert not (tmp_path / "c.json").exists()


def test_only_what_was_judged_counts_for_a_judge() -> None:
    told = [
        JudgeRow("a", passed=True),
        JudgeRow("b", passed=True, skipped=True),
        JudgeRow("c", passed=True, kind=Kind.METRIC),
    ]
    rows = [
        CaseRow("1", passed=True, judge_results=tuple(told)),
        CaseRow("2", passed=False, judge_results=(JudgeRow("a", passed=False),)),
    ]
    assert as_counted({}, rows, "f")["judge_pass_rates"] == {"a": 0.5}
    for judge in ("b", "c"):
        with pytest.raises(UserError, match=f"{judge}` is 1.0, though no case"):
            as_counted({"judge_pass_rates": {judge: 1.0}}, rows, "f")


def test_rates_of_judges_stand_where_no_case_tells_its_judges() -> None:
    """As in reports that tell only whether cases passed."""
    rates = {"judge_pass_rates": {"a": 0.25}}
    assert as_counted(rates, [CaseRow("1", passed=True)], "f")["judge_pass_rates"] == {"a": 0.25}


def test_what_is_off_by_rounding_alone_is_the_same() -> None:
    rows = [CaseRow(str(n), passed=n < 1) for n in range(3)]
    assert as_counted({"pass_rate": 0.3333333333}, rows, "f")["pass_rate"] == 1 / 3
    with pytest.raises(UserError, match="pass_rate"):
        as_counted({"pass_rate": 0.33333}, rows, "f")
