"""The page of a comparison."""

import os
import re
from pathlib import Path

from evaltui.cli.main import run_command
from evaltui.evidence.markdown import NOT_PROVIDED, markdown
from tests.evidence.packs import BAD, GOOD, made_pack

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


def test_an_empty_comparison_says_what_is_missing() -> None:
    page = markdown({}, title="T")
    assert page.startswith("# T\n")
    assert page.count(NOT_PROVIDED) == page.count("\n## ") == 8


def test_what_traces_say_makes_no_markup() -> None:
    row = {"cluster": "a|b`\n<script>", "baseline_count": 0, "candidate_count": 1, "delta": 1}
    page = markdown({"failure_clusters": {"delta_ranked": [row]}}, title="T")
    assert "| a\\|b' &lt;script> | 0 | 1 | 1 |" in page


def test_what_acts_on_a_terminal_is_spelled_out() -> None:
    page = markdown({"candidate_run_id": "a\x1b[2J\u202e\x00b"}, title="T\x07")
    assert "a\\x1b[2J\\u202e\\x00b" in page
    assert not {*"\x1b\u202e\x00\x07"} & {*page}


def test_a_replay_is_told() -> None:
    replay = {"replay_passed": False, "summary_match": True, "env_mismatches": [{"key": "k"}]}
    page = markdown({}, replay=replay, title="T")
    assert "- Passed: **no**\n- Summary matches: yes\n" in page


def test_a_decision_about_another_comparison_is_not_the_one_of_the_page() -> None:
    runs = {"baseline_run_id": "a", "candidate_run_id": "c"}
    decision = {**runs, "passed": True, "failures": []}
    assert "Passed: **yes**" in markdown(runs, gate=decision, title="T")
    page = markdown({**runs, "baseline_run_id": "b"}, gate=decision, title="T")
    assert "Passed: **not decided**: the decision is about a → c, not about b → c" in page
    assert "**yes**" not in page
