"""Judges of others: they run in a child, only where somebody agreed, and pass nothing falsely."""

import os
from pathlib import Path
from typing import Any

import pytest

from evaltui.cli.main import run_command
from evaltui.traces.judges.plugin import plugin_names
from tests.evidence.made_packs import read, says, suite_of

CODE = """
import os, time
class Judge:
    judge_id = "short"
    def __init__(self, config):
        self.config = config
    def evaluate(self, case):
        said = case.trace[-1].output
        open("judged.txt", "a").write(f"{os.getpid()}\\n")
        if said == "raise":
            raise RuntimeError("on purpose")
        if said == "exit":
            os._exit(3)
        if said == "sleep":
            time.sleep(60)
        if said == "text":
            return {"passed": "false"}
        if said == "half":
            return {"passed": True, "reason": "\\ud800", "evidence_refs": {"\\udc80": 1}}
        if said == "wire":
            for place in range(3, 20):
                try:
                    os.write(place, b"[1]\\n")
                except OSError:
                    pass
        if said == "nan":
            return {"passed": True, "score": float("nan")}
        passed = len(said) <= self.config["most"] and case.policy.required_tools == []
        return {"passed": passed, "reason": "length", "evidence_refs": {"length": len(said)},
                "category": "style"}
class Unmade:
    def __init__(self, config):
        raise ValueError("not today")
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own_judges.py").write_text(CODE)
    (tmp_path / "judges.json").write_text(
        '{"own_judges:Judge": {"most": 3, "timeout_seconds": 0.5}}'
    )
    return tmp_path


def run(folder: Path, *outputs: str, judge: str = "own_judges:Judge", trust: bool = True) -> int:
    suite = suite_of(folder / "s.json", *(says(one, one) for one in outputs))
    argv = ["run", "--suite", str(suite), "--out", "pack", "--judge", judge]
    argv += ["--judge-config", "judges.json", *(["--trust"] if trust else [])]
    return run_command(argv)


def results(folder: Path) -> dict[str, Any]:
    return {one["case_id"]: one for one in read(folder / "pack" / "judges" / "short.json")}


@pytest.mark.slow
def test_a_class_judges_in_a_child_and_nothing_it_breaks_passes(folder: Path) -> None:
    assert (
        run(
            folder, "yes", "too long", "raise", "exit", "sleep", "text", "nan", "half", "wire", "ok"
        )
        == 0
    )
    found = results(folder)
    assert [one for one, row in found.items() if row["passed"]] == ["yes", "half", "ok"]
    assert found["yes"]["evidence_refs"] == {"length": 3}
    assert found["too long"]["reason"] == "length"
    assert "on purpose" in found["raise"]["evidence_refs"]["error"]
    assert {one: row.get("category") for one, row in found.items()} == {
        "yes": None,
        "too long": "assertion",
        "raise": "judge_error",
        "exit": "judge_error",
        "sleep": "timeout",
        "text": "judge_error",
        "nan": "judge_error",
        "half": None,
        "wire": "parse_error",
        "ok": None,
    }
    judged_in = set((folder / "judged.txt").read_text().split())
    assert str(os.getpid()) not in judged_in
    assert run_command(["replay", "--run", "pack"]) == 0, "what was agreed to is remembered"


def test_without_trust_no_judge_of_a_folder_is_loaded(
    folder: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("EVALTUI_TRUST", raising=False)
    assert run(folder, "yes", trust=False) == 1
    assert "own_judges:Judge" in capsys.readouterr().err
    assert not (folder / "judged.txt").exists()
    assert not (folder / "pack").exists()


@pytest.mark.parametrize(
    ("judge", "why"),
    [
        ("own_judges:Unmade", "not today"),
        ("own_judges:Nobody", "Nobody"),
        ("nowhere:Judge", "nowhere"),
    ],
)
def test_one_that_cannot_be_loaded_ends_the_run_before_it_begins(
    folder: Path, capsys: Any, judge: str, why: str
) -> None:
    assert run(folder, "yes", judge=judge) == 1
    assert why in capsys.readouterr().err
    assert not (folder / "pack").exists()


@pytest.mark.parametrize("group", ["evaltui.judges", "agent_eval_suite.judges"])
def test_an_entry_point_of_either_group_names_one(
    folder: Path, group: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    packages = folder / "packages"
    place = packages / "own_judges-1.0.dist-info"
    place.mkdir(parents=True)
    (place / "METADATA").write_text("Metadata-Version: 2.1\nName: own_judges\nVersion: 1.0\n")
    (place / "entry_points.txt").write_text(f"[{group}]\nbrief = own_judges:Judge\n")
    (packages / "own_judges.py").write_text(CODE)
    monkeypatch.syspath_prepend(str(packages))
    monkeypatch.setenv("PYTHONPATH", str(packages))
    assert "brief" in plugin_names(folder)
    (folder / "judges.json").write_text('{"brief": {"most": 3}}')
    assert run(folder, "yes", judge="brief") == 0
    assert results(folder)["yes"]["passed"]


ORIGINAL = """
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
@dataclass(slots=True)
class JudgeResult:
    judge_id: str
    case_id: str
    passed: bool
    score: float
    reason: str
    hard_fail: bool = False
    evidence_refs: dict = field(default_factory=dict)
    skipped: bool = False
class BaseJudge(ABC):
    judge_id = "base"
    hard_fail = False
    def __init__(self, config=None):
        self.config = config or {}
    @abstractmethod
    def evaluate(self, case):
        ...
"""
THEIRS = """
from agent_eval_suite_judges import BaseJudge, JudgeResult
class Calls(BaseJudge):
    judge_id = "calls"
    def evaluate(self, case):
        calls = [event.tool for event in case.trace if event.type == "tool_call"]
        wanted = case.policy.required_tools
        missing = [tool for tool in wanted if tool not in calls]
        contracts = {tool: one.required_args for tool, one in case.tool_contracts.items()}
        told = {"missing": missing, "contracts": contracts, "most": self.config.get("most")}
        score = 0.25 if missing else 1.0
        return JudgeResult(
            self.judge_id, case.case_id, not missing, score, "calls", False, evidence_refs=told
        )
"""


def test_a_judge_written_for_the_original_judges_here(folder: Path) -> None:
    """A subclass that returns an object, and reads a case by its attributes."""
    (folder / "agent_eval_suite_judges.py").write_text(ORIGINAL)
    (folder / "theirs.py").write_text(THEIRS)
    (folder / "judges.json").write_text('{"theirs:Calls": {"most": 3}}')
    case = says("a", "yes", policy={"required_tools": ["look"]})
    contracts = {"look": {"required_args": ["q"]}}
    suite = suite_of(folder / "s.json", {**case, "tool_contracts": contracts}, says("b", "yes"))
    argv = ["run", "--suite", str(suite), "--out", "pack", "--judge", "theirs:Calls", "--trust"]
    assert run_command([*argv, "--judge-config", "judges.json"]) == 0
    rows = read(folder / "pack" / "judges" / "calls.json")
    assert [(one["passed"], one["score"], one["hard_fail"]) for one in rows] == [
        (False, 0.25, False),
        (True, 1.0, False),
    ]
    told = {"missing": ["look"], "contracts": {"look": ["q"]}, "most": 3}
    assert rows[0]["evidence_refs"] == told
