"""A report of `compare` that was edited passes no gate while its packs tell otherwise."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from evaltui.cli.main import run_command
from tests.evidence.packs import made_pack, says, suite_of

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


EDITS: list[Callable[[Report], None]] = [_without_worse, _better]


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
    assert any("not what comparing its packs tells" in one for one in failures)


def test_of_ours_every_part_that_decides_is_held(report: Path) -> None:
    told = json.loads(report.read_text())
    for name in ("lost_checks", "score_regressions", "judge_metrics", "measurements"):
        changed = [{"case_id": "a", "judges": ["regex"]}] if name == "lost_checks" else None
        other = {**told, name: changed or ({} if isinstance(told[name], dict) else None)}
        if other[name] == told[name]:
            continue
        report.write_text(json.dumps(other))
        code, failures = gated(report)
        assert code == 1, name
        assert any(f"`{name}`" in one for one in failures), failures


def test_another_program_may_tell_less(report: Path) -> None:
    told = json.loads(report.read_text())
    for name in ("packs", "lost_checks", "score_regressions", "paired", "measurements"):
        del told[name]
    report.write_text(json.dumps(told))
    assert gated(report) == (0, [])
