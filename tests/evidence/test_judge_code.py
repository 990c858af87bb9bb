"""Changed code of an own evaluator or judge is said: it refuses nothing, and no figure tells it."""

import json
from pathlib import Path
from typing import Any

import pytest

from evaltui.cli.main import run_command
from evaltui.core.inputs import Inputs
from evaltui.core.result import CaseStatus
from evaltui.evidence.judge_code import changed_code, code_of_results, code_warnings
from tests.evaluators.loaded import evaluator, write
from tests.evidence.made_packs import made_pack, read, says, suite_of
from tests.reporters.scene import result, suite

JUDGE = """
import limits
class Short:
    judge_id = "short"
    def __init__(self, config):
        pass
    def evaluate(self, case):
        return {"passed": len(case.trace[-1].output) < limits.MOST}
"""
EVALUATOR = 'return passed("it does") if len(ctx.last_response) < 9 else failed("it does not")'
SAID = "was changed since the baseline"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write(tmp_path, "my_judges.py", JUDGE)
    write(tmp_path, "limits.py", "MOST = 9\n")
    write(tmp_path, "mine.py", evaluator(EVALUATOR, "mine"))
    write(tmp_path, "evaltui.toml", 'evaluators = ["./mine.py"]\n')
    return tmp_path


def gated(capsys: Any) -> tuple[int, str]:
    """The gate's exit code, and all that it, the comparison and the page say."""
    capsys.readouterr()
    report, decision = "c/compare/baseline_delta.json", "c/compare/gate_decision.json"
    assert run_command(["compare", "--baseline", "b", "--candidate", "c"]) == 0
    code = run_command(["gate", "--compare", report, "--min-pass-rate", "1"])
    page = ["report", "markdown", "--compare", report, "--gate", decision, "--out", "page.md"]
    assert run_command(page) == 0
    return code, capsys.readouterr().out + Path("page.md").read_text()


@pytest.mark.parametrize(
    ("file", "names"),
    [("limits.py", ["my_judges:Short"]), ("mine.py", ["mine"]), ("other.py", [])],
)
def test_each_of_compare_gate_and_page_names_whose_code_changed(
    file: str, names: list[str], folder: Path, capsys: Any
) -> None:
    cases = suite_of(Path("s.json"), says("a", "yes", evaluators=[{"type": "mine"}]))
    flags = ("--judge", "my_judges:Short", "--judge", "regex", "--trust")
    made_pack(Path("b"), cases, *flags)
    assert len(read(Path("b/run/config.json"))["judge_code"]) == 2
    with (folder / file).open("a") as edited:
        edited.write("\n# edited\n")
    made_pack(Path("c"), cases, *flags)
    code, said = gated(capsys)
    assert code == 0
    assert read(Path("c/compare/baseline_delta.json"))["changed_code"] == names
    assert said.count(SAID) == (3 if names else 0)
    assert all(f"`{name}`" in said for name in names)
    warnings = code_warnings(names)
    assert read(Path("c/compare/gate_decision.json"))["warnings"] == warnings
    if names:
        report = read(Path("c/compare/baseline_delta.json"))
        doctored = json.dumps({**report, "changed_code": []})
        Path("c/compare/baseline_delta.json").write_text(doctored)
        gate = ["gate", "--compare", "c/compare/baseline_delta.json", "--min-pass-rate", "1"]
        assert run_command(gate) == 1, "the report was edited"


def test_a_pack_without_own_code_is_as_it_was(tmp_path: Path) -> None:
    assert "judge_code" not in read(made_pack(tmp_path / "p") / "run/config.json")


def test_results_tell_the_code_they_were_judged_by() -> None:
    one = suite("a", ["x", "y"])

    def code(*prints: str) -> dict[str, Any]:
        rows = [
            result(one, id_, CaseStatus.PASSED, inputs=Inputs(checks={"evaluator mine": made}))
            for id_, made in zip("xy", prints, strict=True)
        ]
        return {"judge_code": code_of_results(rows)}

    assert code("1", "1") == {"judge_code": {"mine": ["1"]}}
    assert [*changed_code(code("1", "1"), code("1", "1"))] == []
    assert [*changed_code(code("1", "1"), code("1", "2"))] == ["mine"]
    assert [*changed_code({}, code("1", "1"))] == [], "it is not known"
    assert code("", "") == {"judge_code": {}}, "one that comes along"
