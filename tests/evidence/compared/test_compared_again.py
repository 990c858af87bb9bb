"""A report of `compare` that was edited passes no gate while its packs tell otherwise."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from evaltui.cli.main import run_command
from tests.evidence.made_packs import made_pack, says, suite_of

Report = dict[str, Any]
FILE = "compare/baseline_delta.json"


@pytest.fixture
def report(tmp_path: Path) -> Path:
    """Of two packs: of three cases two are worse."""
    packs = [
        made_pack(
            tmp_path / name,
            suite_of(
                tmp_path / f"{name}.json",
                *(says(case, said) for case, said in zip("abc", texts, strict=True)),
            ),
        )
        for name, texts in (("before", ("yes", "yes", "yes")), ("after", ("no", "yes", "no")))
    ]
    sides = ["--baseline", str(packs[0]), "--candidate", str(packs[1])]
    assert run_command(["compare", *sides]) == 0
    return packs[1] / FILE


def gated(report: Path) -> tuple[int, list[str]]:
    code = run_command(["gate", "--compare", str(report), "--max-regressed-cases", "2"])
    decision = json.loads(report.with_name("gate_decision.json").read_text())
    return code, decision["failures"]


def test_one_that_nobody_edited_passes(report: Path) -> None:
    assert gated(report) == (0, [])


def _without_worse(told: Report) -> None:
    told["case_regressions"] = told["case_regressions"][1:]
    told["overview"]["regressed_cases"] = 1
    told["new_hard_fail_case_ids"] = told["new_hard_fail_case_ids"][1:]
    told["overview"]["new_hard_fail_cases"] = 1


def _better(told: Report) -> None:
    told["metrics"]["pass_rate"] |= {"candidate": 1.0, "delta": 0.0}


def _other_suite(told: Report) -> None:
    told["dataset_id"] = "other"


EDITS: list[Callable[[Report], None]] = [_without_worse, _better, _other_suite]


@pytest.mark.parametrize("edit", EDITS)
@pytest.mark.parametrize("names_packs", [True, False], ids=["ours", "another's"])
def test_one_that_hides_what_is_worse_is_refused(
    report: Path, edit: Callable[[Report], None], names_packs: bool
) -> None:
    told = json.loads(report.read_text())
    edit(told)
    if not names_packs:
        del told["packs"]
    report.write_text(json.dumps(told))
    code, failures = gated(report)
    assert code == 1
    assert any("differs from a comparison of its packs" in one for one in failures)


def test_of_ours_every_part_that_decides_is_held(report: Path) -> None:
    told = json.loads(report.read_text())
    for name in ("lost_checks", "score_regressions", "judge_metrics", "measurements", "dataset_id"):
        changed = [{"case_id": "a", "judges": ["regex"]}] if name == "lost_checks" else None
        other = {**told, name: changed or ({} if isinstance(told[name], dict) else None)}
        if other[name] == told[name]:
            continue
        report.write_text(json.dumps(other))
        code, failures = gated(report)
        assert code == 1, name
        assert any(f"`{name}`" in one for one in failures), failures


SHOWN = {
    "release_impact": {"impact_score": 0.0, "impact_level": "low", "recommendation": "proceed"},
    "triage": {"top_clusters": [], "suggested_fixes_count": 0},
    "failure_clusters": {"baseline": {}, "candidate": {}, "delta_ranked": []},
    "top_regressed_judges": [],
    "paired": {"text": ["nothing changed"]},
    "judges_compared": False,
    "more": 1,
}


@pytest.mark.parametrize("name", SHOWN)
@pytest.mark.parametrize("is_gone", [False, True])
def test_of_ours_what_is_only_shown_is_held_too(name: str, is_gone: bool, report: Path) -> None:
    told = json.loads(report.read_text())
    assert told.pop(name, None) != SHOWN[name]
    report.write_text(json.dumps(told if is_gone else {**told, name: SHOWN[name]}))
    is_as_it_was = is_gone and name == "more"
    code, failures = gated(report)
    assert code == (0 if is_as_it_was else 1)
    assert any(f"`{name}` differs" in one for one in failures) is not is_as_it_was


def test_of_ours_each_fact_of_a_check_is_held(report: Path) -> None:
    told = json.loads(report.read_text())
    checks = told["compatibility"]["checks"]
    assert checks[1].pop("baseline_total_cases") == 3
    report.write_text(json.dumps(told))
    assert any("`compatibility` differs" in one for one in gated(report)[1])


def test_another_program_may_tell_less(report: Path) -> None:
    told = json.loads(report.read_text())
    for name in ("packs", "lost_checks", "score_regressions", "paired", "measurements"):
        del told[name]
    report.write_text(json.dumps(told))
    assert gated(report) == (0, [])


WRITTEN: Report = {
    "compatibility": {"passed": True},
    "metrics": {"pass_rate": {"candidate": 1.0}},
    "case_regressions": [],
}


@pytest.mark.parametrize("name", ["baseline_delta.json", "other.json"])
@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({}, "does not say what was compared"),
        ({"baseline_reference": {"resolved_path": "/not-there"}}, "`metrics` differs"),
        ({"baseline_reference": {"resolved_path": "before"}}, "`metrics` differs"),
        ({"packs": {"baseline": {"path": "/not-there"}}}, "`metrics` differs"),
    ],
)
def test_one_that_was_written_by_hand_passes_no_candidate(
    name: str, more: Report, why: str, report: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(report.parent.parent.parent)
    place = report.with_name(name)
    place.write_text(json.dumps({**WRITTEN, **more}))
    code, failures = gated(place)
    assert code == 1
    assert any(why in one for one in failures), failures


def _other_total(told: Report) -> None:
    told["overview"]["total_candidate_cases"] = 4


def _other_run(told: Report) -> None:
    told["candidate_run_id"] = "x"


def _no_case(told: Report) -> None:
    told["case_regressions"][0] |= {"candidate_passed": True, "regressed": False}


@pytest.mark.parametrize("edit", [None, _better, _other_suite, _other_total, _other_run, _no_case])
def test_without_the_baseline_what_is_told_of_the_candidate_is_held(
    report: Path, edit: Callable[[Report], None] | None
) -> None:
    shutil.rmtree(report.parent.parent.with_name("before"))
    told = json.loads(report.read_text())
    if edit is not None:
        edit(told)
        report.write_text(json.dumps(told))
    code, failures = gated(report)
    assert code == (0 if edit is None else 1)
    assert any("differs from a comparison of its packs" in one for one in failures) is bool(edit)


def test_a_baseline_that_is_a_file_is_compared_again_too(report: Path) -> None:
    pack = report.parent.parent
    sides = ["--baseline", str(pack.with_name("before") / "report.json"), "--candidate", str(pack)]
    assert run_command(["compare", *sides]) == 0
    assert gated(report) == (0, [])
    told = json.loads(report.read_text())
    _without_worse(told)
    report.write_text(json.dumps(told))
    assert gated(report)[0] == 1
