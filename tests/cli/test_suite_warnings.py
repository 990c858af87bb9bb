"""What a command that judges a suite warns of: `check` says the same, and the exit code stays."""

import json
from pathlib import Path

import pytest

from evaltui.cli.main import run_command
from tests.evidence.made_packs import says, suite_of

COMMANDS = ("run", "run-loop --propose-command cat", "stability-check")


def judge(command: str, suite: Path, *flags: str) -> int:
    out = [] if command == "stability-check" else ["--out", str(suite.parent / "pack")]
    return run_command([*command.split(), "--suite", str(suite), *out, *flags])


@pytest.mark.parametrize("command", COMMANDS)
def test_misspelt_expectations_are_told_in_the_words_of_check(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    command: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    wrong = says("b", "yes", policy={"require_tools": ["g"]}, tool_contract={})
    suite = suite_of(tmp_path / "s.trace.json", says("a", "yes"), wrong)
    run_command(["check", str(suite)])
    said = capsys.readouterr().out.splitlines()
    told = [line.split("  ", 1)[1].strip() for line in said if "is not a field" in line]
    assert len(told) == 2
    assert judge(command, suite) == 0
    shown = capsys.readouterr()
    assert shown.err.splitlines() == [f"warning: {one}" for one in told]
    assert json.loads(shown.out)["warnings"] == told
    assert judge(command, suite, "--json") == 0
    shown = capsys.readouterr()
    assert (json.loads(shown.out)["warnings"], shown.err) == (told, "")


def test_a_misspelt_key_of_the_suite_is_told_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    suite = suite_of(tmp_path / "s.trace.json", says("a", "yes"))
    suite.write_text(suite.read_text().replace('"metadata"', '"metadat"'))
    assert judge("run", suite) == 0
    assert "`metadat` is not a field of a suite" in capsys.readouterr().err


@pytest.mark.parametrize("command", COMMANDS)
def test_settings_of_a_judge_that_is_not_applied_are_told_with_the_flags_that_apply_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    suite = suite_of(tmp_path / "s.json", says("a", "yes"))
    limits = {"latency_slo": {"max_total_latency_ms": 10}, "loop_guard": {}, "regex": {}}
    (tmp_path / "slo.json").write_text(json.dumps(limits))
    given = ("--judge-config", str(tmp_path / "slo.json"))
    assert judge(command, suite, *given, "--judge", "regex") == 0
    what = "The settings of `latency_slo` are not used: no such judge is applied."
    told = f"{what} Apply it: `--judge regex --judge latency_slo`."
    shown = capsys.readouterr()
    assert (shown.err, json.loads(shown.out)["warnings"]) == (f"warning: {told}\n", [told])
    assert judge(command, suite, *given) == 0
    by_default = "--judge policy --judge trajectory_step --judge regex --judge json_schema"
    assert f"{by_default} --judge expected_output --judge latency_slo`" in capsys.readouterr().err
    assert judge(command, suite, *given, "--judge", "latency_slo", "--judge", "regex") in (0, 1)
    shown = capsys.readouterr()
    assert shown.err == ""
    assert "warnings" not in json.loads(shown.out)


def test_a_run_of_eval_files_tells_those_of_the_files_that_it_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("s", "other"):
        wrong = says("a", "yes", policy={"require_tools": ["g"]})
        suite_of(tmp_path / f"{name}.trace.json", wrong)
    assert run_command(["run", "s.trace.json"]) == 0
    (told,) = capsys.readouterr().err.splitlines()
    assert told.startswith("warning: s.trace.json:1:")
    assert told.endswith("is not a field of a policy. Did you mean `required_tools`?")
    assert run_command(["run", "s.trace.json", "--json"]) == 0
    shown = capsys.readouterr()
    assert (shown.err, "unknown-key" in shown.out) == ("", True)
