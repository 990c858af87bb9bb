"""A decision that was written by hand is shown as none that lets a pack pass."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from evaltui.cli.main import run_command
from evaltui.evidence.compared.compare_report import read_report
from evaltui.evidence.compared.shown_reports import ShownDecision, WholeReport
from evaltui.evidence.gates.decision_reading import read_gate
from evaltui.evidence.gates.gate_decision import COMPARISON, DECISION
from evaltui.evidence.markdown import markdown
from tests.evidence.made_packs import made_pack, read, says, suite_of

BOUNDS = {"min_pass_rate": 0.95, "max_new_hard_fail_cases": 0}
FLAGS = [part for name, one in BOUNDS.items() for part in (f"--{name.replace('_', '-')}", str(one))]


@pytest.fixture
def packs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    """A baseline, and a candidate in which a case fails; both in this folder."""
    monkeypatch.chdir(tmp_path)
    for name, said in (("b", "yes"), ("c", "no")):
        made_pack(Path(name), suite_of(Path(f"{name}.json"), says("x", said), says("y", "yes")))
    return Path("b"), Path("c")


def decided(baseline: Path, candidate: Path, *flags: str) -> tuple[bool, bool, str]:
    """Compare and gate; whether it passed, is outdated, and why."""
    sides = ["--baseline", str(baseline), "--candidate", str(candidate)]
    out = candidate / COMPARISON if not flags else Path(flags[-1])
    assert run_command(["compare", *sides, *flags]) == 0
    run_command(["gate", "--compare", str(out), *FLAGS])
    return shown(candidate)


def shown(pack: Path) -> tuple[bool, bool, str]:
    found = read_gate(pack, pack.name)
    assert found is not None
    return found.passed, found.is_outdated, " ".join(found.failures)


def forged(pack: Path, **more: Any) -> None:
    """A decision in which all that people look at fits the comparison."""
    told = read(pack / COMPARISON)
    runs = {name: told[name] for name in ("baseline_run_id", "candidate_run_id")}
    made = {**runs, "compare_generated_at": told["generated_at"], "passed": True, "failures": []}
    (pack / DECISION).write_text(json.dumps({**made, **more}))


def test_what_the_gate_decided_is_shown(packs: tuple[Path, Path]) -> None:
    baseline, candidate = packs
    assert decided(baseline, baseline) == (True, False, "")
    passed, is_outdated, why = decided(baseline, candidate)
    assert (passed, is_outdated) == (False, False)
    assert why.startswith("candidate pass_rate 0.5")


@pytest.mark.parametrize("more", [{}, {"thresholds": BOUNDS}, {"thresholds": {"min_pass_rate": 2}}])
def test_one_by_hand_over_a_comparison_that_does_not_pass_is_none(
    more: dict[str, Any], packs: tuple[Path, Path]
) -> None:
    decided(*packs)
    forged(packs[1], **more)
    passed, is_outdated, why = shown(packs[1])
    assert (passed, is_outdated) == (False, True)
    assert "by the comparison it does not pass" in why
    assert "." not in why.replace("0.", "").replace("1.", ""), "one sentence"
    decision = read_report(packs[1] / DECISION, ShownDecision)
    page = markdown(read_report(packs[1] / COMPARISON, WholeReport), gate=decision, title="T")
    assert "Passed: **not decided**: by the comparison it does not pass" in page


def of_itself(candidate: Path) -> None:
    """The comparison of the baseline with itself, in the place of the one."""
    told = read(candidate / COMPARISON)
    run_command(["compare", "--baseline", "b", "--candidate", "b"])
    better = read(Path("b") / COMPARISON)
    kept = {name: told[name] for name in ("candidate_run_id", "generated_at", "packs")}
    (candidate / COMPARISON).write_text(json.dumps({**better, **kept}))


def without_packs(candidate: Path) -> None:
    of_itself(candidate)
    told = read(candidate / COMPARISON)
    del told["packs"]
    (candidate / COMPARISON).write_text(json.dumps(told))


def another_pack(candidate: Path) -> None:
    of_itself(candidate)
    told = read(candidate / COMPARISON)
    told["packs"] = {"candidate": {"path": "b", "manifest_sha256": "0" * 64}}
    (candidate / COMPARISON).write_text(json.dumps(told))


@pytest.mark.parametrize("change", [of_itself, without_packs, another_pack])
def test_nor_is_one_over_a_comparison_by_hand(
    change: Callable[[Path], None], packs: tuple[Path, Path]
) -> None:
    decided(*packs)
    change(packs[1])
    forged(packs[1], thresholds=BOUNDS)
    passed, is_outdated, why = shown(packs[1])
    assert (passed, is_outdated) == (False, True), why
    assert why


def test_a_comparison_of_another_name_beside_it_counts_too(packs: tuple[Path, Path]) -> None:
    baseline, candidate = packs
    assert decided(baseline, baseline, "--out", "b/compare/d.json") == (True, False, "")
    told = read(baseline / DECISION)
    for name in ("../d.json", "a\0b", "none.json", 5, None):
        (baseline / DECISION).write_text(json.dumps({**told, "compare_report": name}))
        assert shown(baseline)[:2] == (False, True)
    decided(baseline, candidate, "--out", "c/compare/d.json")
    forged_of = {**told, "candidate_run_id": "c"}
    (candidate / DECISION).write_text(json.dumps(forged_of))
    assert shown(candidate)[:2] == (False, True)


def test_a_waived_decision_holds_by_its_waivers(packs: tuple[Path, Path]) -> None:
    who = ["--approved-by", "me", "--reason", "known", "--baseline-name", "main"]
    run_command(["registry", "baseline-set", "--name", "main", "--run", "b"])
    run_command(["registry", "waiver-add", *who, "--case-id", "x"])
    run_command(["compare", "--baseline", "main", "--candidate", "c"])
    waived = ["--apply-waivers", "--baseline-name", "main", "--max-regressed-cases", "0"]
    assert run_command(["gate", "--compare", "c/compare/baseline_delta.json", *waived]) == 0
    assert shown(packs[1]) == (True, False, "")
    told = read(packs[1] / DECISION)
    (packs[1] / DECISION).write_text(json.dumps({**told, "waiver_refs": []}))
    assert shown(packs[1])[:2] == (False, True)


def test_the_same_comparison_made_again_is_still_decided(packs: tuple[Path, Path]) -> None:
    """By a name of the baseline, too; with another result it is another comparison."""
    baseline, candidate = packs
    assert decided(baseline, baseline) == (True, False, "")
    run_command(["registry", "baseline-set", "--name", "main", "--run", str(baseline)])
    assert run_command(["compare", "--baseline", "main", "--candidate", str(baseline)]) == 0
    assert shown(baseline) == (True, False, "")
    decision = read_report(baseline / DECISION, ShownDecision)
    page = markdown(read_report(baseline / COMPARISON, WholeReport), gate=decision, title="T")
    assert "Passed: **yes**" in page
    decided(baseline, candidate)
    made_pack(baseline, suite_of(Path("b.json"), says("x", "no"), says("y", "yes")))
    assert run_command(["compare", "--baseline", "b", "--candidate", "c"]) == 0
    _, is_outdated, why = shown(candidate)
    assert is_outdated
    assert "compared again since" in why
