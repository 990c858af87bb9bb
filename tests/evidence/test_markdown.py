"""The page of a comparison."""

import json
import os
import re
from pathlib import Path

import pytest
from msgspec import convert

from evaltui.cli.main import run_command
from evaltui.evidence.compared.compare_report import Compatibility
from evaltui.evidence.compared.shown_reports import ReplayReport, ShownDecision, WholeReport
from evaltui.evidence.markdown import NOT_PROVIDED, markdown
from tests.evidence.made_packs import BAD, GOOD, made_pack

GOLDEN = Path(__file__).parent / "golden" / "report.md"


def test_the_page_is_the_one_that_is_kept(tmp_path: Path) -> None:
    before, after = made_pack(tmp_path / "baseline-1", GOOD), made_pack(tmp_path / "c-1", BAD)
    delta, decision = (
        after / "compare" / "baseline_delta.json",
        after / "compare" / "gate_decision.json",
    )
    run_command(["compare", "--baseline", str(before), "--candidate", str(after)])
    run_command(["gate", "--compare", str(delta), "--min-pass-rate", "0.95"])
    out = tmp_path / "report.md"
    flags = ["--compare", str(delta), "--gate", str(decision), "--out", str(out)]
    assert run_command(["report", "markdown", *flags, "--title", "Release"]) == 0
    found = re.sub(r"_Generated: [^_]+_", "_Generated: then_", out.read_text())
    if os.environ.get("EVALTUI_UPDATE_GOLDEN"):
        GOLDEN.write_text(found)
    assert found == GOLDEN.read_text()


def test_a_decision_comes_before_what_is_recommended_by_other_figures() -> None:
    impact = {"impact_level": "low", "recommendation": "proceed"}
    report = convert({"release_impact": impact}, WholeReport)
    page = markdown(report, gate=ShownDecision(False, ("too slow",)), title="T")
    assert page.index("Passed: **no**") < page.index("Overview") < page.index("`proceed` (by the")
    assert page.count("## Gate Decision") == 1


def test_an_empty_comparison_says_what_is_missing() -> None:
    page = markdown(WholeReport(), title="T")
    assert page.startswith("# T\n")
    assert page.count(NOT_PROVIDED) == page.count("\n## ") == 8


def test_what_traces_say_makes_no_markup() -> None:
    row = {"cluster": "a|b`\n<script>", "baseline_count": 0, "candidate_count": 1, "delta": 1}
    report = convert({"failure_clusters": {"delta_ranked": [row]}}, WholeReport)
    page = markdown(report, title="T")
    assert "| a\\|b' &lt;script> | 0 | 1 | 1 |" in page


def test_what_acts_on_a_terminal_is_spelled_out() -> None:
    report = WholeReport(candidate_run_id="a\x1b[2J\u202e\x00b")
    page = markdown(report, title="T\x07")
    assert "a\\x1b[2J\\u202e\\x00b" in page
    assert not {*"\x1b\u202e\x00\x07"} & {*page}


def test_a_replay_is_told() -> None:
    replay = {"replay_passed": False, "summary_match": True, "env_mismatches": [{"key": "k"}]}
    page = markdown(WholeReport(), replay=convert(replay, ReplayReport), title="T")
    assert "- Passed: **no**\n- Summary matches: yes\n" in page
    executed = ReplayReport(execution_replay_passed=True)
    assert "- Passed: **yes**" in markdown(WholeReport(), replay=executed, title="T")


@pytest.mark.parametrize(
    ("flag", "text", "key"),
    [
        ("--compare", '{"overview": {"regressed_cases": "1"}}', "overview.regressed_cases"),
        ("--compare", '{"triage": 5}', "triage"),
        ("--compare", "[]", None),
        ("--gate", '{"passed": "yes"}', "passed"),
        ("--gate", '{"failures": []}', None),
        ("--replay", '{"env_mismatches": [5]}', "env_mismatches[0]"),
    ],
)
def test_a_damaged_report_is_named_with_its_field(
    flag: str, text: str, key: str | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good, bad, out = tmp_path / "good.json", tmp_path / "bad.json", tmp_path / "page.md"
    good.write_text("{}")
    bad.write_text(text)
    compare = [] if flag == "--compare" else ["--compare", str(good)]
    command = ["report", "markdown", *compare, flag, str(bad), "--out", str(out)]
    assert run_command(command) == 1
    error = json.loads(capsys.readouterr().err)["error"]
    assert (error["code"], error["details"].get("key")) == ("validation_error", key)
    assert error["details"]["file"] == str(bad)
    assert not out.exists()


def test_a_decision_about_another_comparison_is_not_the_one_of_the_page() -> None:
    bounds = {"max_regressed_cases": 0}
    decision = ShownDecision(True, (), "a", "c", thresholds=bounds)
    alike = Compatibility(passed=True)
    same = WholeReport("a", "c", compatibility=alike, case_regressions=())
    assert "Passed: **yes**" in markdown(same, gate=decision, title="T")
    other = WholeReport(baseline_run_id="b", candidate_run_id="c")
    page = markdown(other, gate=decision, title="T")
    assert "Passed: **not decided**: the decision is about a → c, not about b → c" in page
    assert "**yes**" not in page
