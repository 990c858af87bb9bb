"""A pack in the layout of Agent Eval Suite 0.1.1, kept as it is: replayed, compared, gated."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from evaltui.cli.main import run_command
from evaltui.evidence.compared.side import read_side
from tests.evidence.made_packs import made_pack, read

KEPT = Path(__file__).parent / "golden" / "other_pack"


@pytest.fixture
def other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    shutil.copytree(KEPT, tmp_path / "other")
    return Path("other")


def suite_of_its_cases(*, is_broken: bool = False) -> Path:
    cases = [read(path) for path in sorted((KEPT / "cases").glob("*/trajectory.json"))]
    if is_broken:
        cases[1]["trace"][-1]["output"] = '{"answer": "cold"}'
    path = Path("s.json")
    path.write_text(json.dumps({"dataset_id": "sample-suite", "cases": cases}))
    return path


def test_it_is_read(other: Path) -> None:
    side = read_side(other)
    assert (side.run_id, side.dataset_id) == ("baseline-1", "sample-suite")
    assert side.cases is not None and [*side.cases] == ["bad", "good"]


def test_it_is_judged_again_with_the_same_outcome(other: Path, capsys: Any) -> None:
    run_command(["replay", "--run", str(other)])
    told = json.loads(capsys.readouterr().out)
    assert told["summary_match"]
    found = {name: told[name] for name in told if name.endswith("_mismatches")}
    del found["env_mismatches"]  # it was judged on another machine
    assert found == {"case_mismatches": [], "verdict_mismatches": [], "file_mismatches": []}


@pytest.mark.parametrize(("is_broken", "worse"), [(False, []), (True, ["good"])])
def test_a_pack_of_ours_is_compared_with_it_and_gated(
    other: Path, is_broken: bool, worse: list[str]
) -> None:
    made_pack(Path("ours"), suite_of_its_cases(is_broken=is_broken))
    assert run_command(["compare", "--baseline", str(other), "--candidate", "ours"]) == 0
    report = Path("ours/compare/baseline_delta.json")
    rows = read(report)["case_regressions"]
    assert [one["case_id"] for one in rows if one["regressed"]] == worse
    gated = run_command(["gate", "--compare", str(report), "--max-regressed-cases", "0"])
    assert gated == bool(worse)


def test_a_pack_of_ours_can_be_the_baseline_of_it(other: Path) -> None:
    made_pack(Path("ours"), suite_of_its_cases())
    assert run_command(["compare", "--baseline", "ours", "--candidate", str(other)]) == 0
    report = read(other / "compare" / "baseline_delta.json")
    assert (report["regressions"], report["compatibility"]["failures"]) == ([], [])
