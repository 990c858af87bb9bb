"""Commands on suites of traces and packs take the evaluators of the settings, where agreed to."""

import json
from pathlib import Path
from typing import Any

import pytest

from evaltui.cli.main import run_command
from tests.evaluators.loaded import evaluator, write
from tests.evidence.made_packs import read, says, suite_of

LENGTH = "response-length"
BODY = """
import pathlib
pathlib.Path("ran").touch()
return passed("it says yes") if "yes" in ctx.last_response else failed("it does not")
"""
MINE = {"evaluators": [{"type": "mine"}]}


@pytest.fixture
def suite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    write(tmp_path, "mine.py", evaluator(BODY, "mine"))
    write(tmp_path, "evaltui.toml", 'evaluators = ["./mine.py"]\n')
    cases = says("a", "yes", **MINE), says("b", "yeah", regex_patterns=["y"], **MINE)
    return str(suite_of(Path("suite.json"), *cases))


def run(*argv: str) -> int:
    return run_command([*argv])


def test_they_judge_a_suite_and_its_pack_again(suite: str) -> None:
    assert run("run", "--suite", suite, "--out", "pack", "--run-id", "1") == 0
    (row,) = [
        one
        for one in read(Path("pack/cases/b/verdicts.json"))["judge_results"]
        if one["judge_id"] == "evaluator/mine"
    ]
    assert (row["passed"], row["reason"]) == (False, "it does not")
    summary = read(Path("pack/run/summary.json"))
    assert summary["judge_pass_rates"]["evaluator/mine"] == 0.5
    assert run("replay", "--run", "pack") == 0
    write(Path(), "mine.py", evaluator(BODY.replace('"yes"', '"y"'), "mine"))
    assert run("replay", "--run", "pack") == 1, "it says something else now"


def test_a_metric_that_raises_is_skipped(suite: str) -> None:
    write(Path(), "mine.py", evaluator("raise ValueError('boom')", "mine", kind="metric"))
    assert run("run", "--suite", suite, "--out", "pack", "--run-id", "1") == 0
    (path,) = Path("pack/judges").glob("evaluator_mine*")
    rows = read(path)
    told = {(one["skipped"], one["passed"], one["reason"]) for one in rows}
    assert told == {(True, True, "Evaluator error: boom")}


def test_they_judge_what_is_played(suite: str) -> None:
    write(Path(), "says.py", 'print(\'{"assistant_output": "yes"}\')')
    loop = ("--propose-command", "python3 says.py")
    assert run("run-loop", "--suite", suite, "--out", "pack", *loop) == 0
    assert read(Path("pack/run/summary.json"))["judge_pass_rates"]["evaluator/mine"] == 1.0
    assert run("replay-exec", "--run", "pack") == 0
    assert run("stability-check", "--suite", suite, "--runs", "2") == 0


def test_nothing_of_them_runs_before_somebody_agreed(
    suite: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: Any
) -> None:
    assert run("run", "--suite", suite, "--out", "pack") == 0
    Path("ran").unlink()
    monkeypatch.delenv("EVALTUI_TRUST")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    capsys.readouterr()
    for argv in (("run", "--suite", suite, "--out", "other"), ("replay", "--run", "pack")):
        assert run(*argv) == 1
        said = json.loads(capsys.readouterr().err)["error"]
        assert "nobody agreed" in said["message"]
        assert not Path("ran").exists()
    assert not Path("other").exists()
    assert run("--trust", "run", "--suite", suite, "--out", "other") == 0
    assert Path("ran").exists()


def test_without_need_of_them_no_settings_are_read(suite: str, capsys: Any) -> None:
    write(Path(), "evaltui.toml", "evaluators = 5")
    known = suite_of(Path("known.json"), says("a", "yes", evaluators=[{"type": LENGTH}]))
    assert run("run", "--suite", str(known), "--out", "pack") == 0
    assert run("replay", "--run", "pack") == 0
    capsys.readouterr()
    assert run("run", "--suite", suite, "--out", "other") == 1
    assert "settings have mistakes" in capsys.readouterr().err


def test_one_that_nobody_has_is_named(suite: str, capsys: Any) -> None:
    Path("evaltui.toml").unlink()
    assert run("run", "--suite", suite, "--out", "pack") == 1
    assert "the evaluator `mine`" in capsys.readouterr().err
