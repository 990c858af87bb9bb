"""`evaltui run --suite`: what it answers, and with which exit code."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

import pytest

from evaltui.cli.main import run_command
from evaltui.cli.run import add
from evaltui.cli.suite_flags import OF_EVAL_FILES, OF_SUITES
from tests.evidence.made_packs import BAD, GOOD, read, says, suite_of


def run(*flags: object) -> int:
    return run_command(["run", *map(str, flags)])


def test_failed_cases_end_with_0_unless_they_are_to_fail_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    flags = ("--suite", BAD, "--out", tmp_path / "p", "--run-id", "candidate-1")
    assert run(*flags) == 0
    shown = capsys.readouterr()
    answer = json.loads(shown.out)
    assert (answer["run_id"], shown.err, shown.out.count("\n")) == ("candidate-1", "", 1)
    assert answer["summary"] == {
        "dataset_id": "sample-suite",
        "failed_cases": 1,
        "hard_fail_cases": 1,
        "hard_fail_rate": 1.0,
        "judge_pass_rates": {
            "json_schema": 0.0,
            "policy": 0.0,
            "regex": 0.0,
            "replay_contract": 1.0,
            "tool_contract": 0.0,
            "trajectory_step": 1.0,
        },
        "pass_rate": 0.0,
        "passed_cases": 0,
        "run_id": "candidate-1",
        "schema_version": "1.0.0",
        "total_cases": 1,
    }
    assert run(*flags, "--fail-on", "failures") == 1
    assert run("--suite", GOOD, "--out", tmp_path / "p", "--fail-on", "failures") == 0
    assert run(*flags, "--fail-on", "never") == 0


@pytest.mark.parametrize("gate", ["regressions", "proven", "changed", "stale"])
def test_a_gate_on_what_a_suite_is_not_compared_with_is_refused(
    tmp_path: Path, gate: str, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "p"
    assert run("--suite", GOOD, "--out", out, "--fail-on", "failures", "--fail-on", gate) == 2
    assert "`evaltui gate`" in capsys.readouterr().err
    assert not out.exists()


def test_flags_may_be_written_as_far_as_they_are_clear(tmp_path: Path) -> None:
    assert run("--sui", GOOD, "--out", tmp_path / "p", "--run-i", "short") == 0
    assert read(tmp_path / "p" / "manifest.json")["run_id"] == "short"


def test_what_nobody_thought_of_is_an_internal_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(_: Path) -> None:
        raise ZeroDivisionError("on purpose")

    monkeypatch.setattr("evaltui.cli.run_suite.read_named_suite", fails)
    assert run("--suite", GOOD, "--out", tmp_path / "p") == 1
    error = json.loads(capsys.readouterr().err)["error"]
    assert error["code"] == "internal_error"
    assert error["details"]["exception_type"] == "ZeroDivisionError"


def test_a_gate_proves_nothing_of_a_suite_without_cases(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    suite = suite_of(tmp_path / "s.json")
    assert run("--suite", suite, "--out", tmp_path / "p", "--fail-on", "failures") == 1
    assert "it has no case" in json.loads(capsys.readouterr().err)["error"]["message"]
    assert not (tmp_path / "p").exists()
    assert run("--suite", suite, "--out", tmp_path / "p") == 0


@pytest.mark.parametrize(
    "command",
    ["run", "run-loop --propose-command true", "stability-check"],
)
@pytest.mark.parametrize("is_list", [True, False])
def test_eval_files_of_another_kind_are_refused_with_the_command_for_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str, is_list: bool
) -> None:
    cases = [{"id": "a", "input": {"message": "Hello."}, "expect": {"response_contains": ["Hi"]}}]
    path = tmp_path / "greet.golden.json"
    path.write_text(json.dumps(cases if is_list else {"metadata": {}, "cases": cases}))
    out = [] if command == "stability-check" else ["--out", str(tmp_path / "p")]
    assert run_command([*command.split(), "--suite", str(path), *out]) == 1
    assert f"`evaltui run {path}`" in capsys.readouterr().err
    assert not (tmp_path / "p").exists()


def test_the_summary_is_also_written_where_it_is_wanted(tmp_path: Path) -> None:
    path = tmp_path / "out" / "summary.json"
    run("--suite", GOOD, "--out", tmp_path / "p", "--summary-json", path)
    assert read(path) == read(tmp_path / "p" / "run" / "summary.json")


def test_an_expected_output_that_nothing_else_speaks_of_is_held_against_the_answer(
    tmp_path: Path,
) -> None:
    wrong = says("a", "WRONG", regex_patterns=[], expected_output="RIGHT")
    pack = tmp_path / "p"
    run("--suite", suite_of(tmp_path / "s", wrong, says("b", "yes")), "--out", pack)
    assert read(pack / "run" / "summary.json")["pass_rate"] == 0.5
    assert read(pack / "run" / "config.json")["judges"][-1] == "expected_output"
    told = read(pack / "cases" / "b" / "verdicts.json")["judge_results"]
    assert "expected_output" not in [one["judge_id"] for one in told]
    run("--suite", suite_of(tmp_path / "s", says("b", "yes")), "--out", pack)
    assert "expected_output" not in read(pack / "run" / "config.json")["judges"]


def test_judges_and_their_settings_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    number = says("a", "10", expected_output=11)
    suite = suite_of(tmp_path / "s", number)
    (tmp_path / "j.json").write_text('{"expected_numeric": {"tolerance": 1}}')
    flags = ("--suite", suite, "--out", tmp_path / "p", "--judge", "expected_numeric")
    run(*flags)
    run(*flags, "--judge-config", tmp_path / "j.json")
    rates = [
        json.loads(line)["summary"]["judge_pass_rates"]["expected_numeric"]
        for line in capsys.readouterr().out.splitlines()
    ]
    assert rates == [0.0, 1.0]
    assert read(tmp_path / "p" / "run" / "config.json")["judge_configs"] == {
        "expected_numeric": {"tolerance": 1}
    }


@pytest.mark.parametrize(
    ("flags", "said", "code"),
    [
        (("--judge", "polcy"), "Did you mean `policy`?", 2),
        (("--seed", "x"), "is not a seed", 2),
        (("evals",), "--suite names one suite", 2),
        (("--fail-on", "regressions"), "--suite is compared with nothing", 2),
        (("--fail-on", "failures", "--fail-on", "never"), "`never` contradicts", 2),
        (("--shard", "3/2", "--run-id", "r"), "is not part of a run", 2),
        (("--shard", "1/2"), "--shard needs --run-id", 2),
        (("--shard", "1/2", "--run-id", "r", "--cluster", "dask://x:1"), "Leave --shard out", 2),
    ],
)
def test_wrong_flags_are_said_as_json(
    flags: tuple[str, ...], said: str, code: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("--suite", GOOD, "--out", tmp_path / "p", *flags) == code
    error: Any = json.loads(capsys.readouterr().err)["error"]
    assert error["code"] == "validation_error"
    assert said in error["message"]
    assert not (tmp_path / "p").exists()


def test_a_suite_without_a_folder_for_its_pack_is_a_mistake_in_the_flags(capsys: Any) -> None:
    assert run("--suite", GOOD) == 2
    assert "--suite needs --out" in json.loads(capsys.readouterr().err)["error"]["message"]


def test_the_same_id_twice_in_a_second_is_made_up_twice(tmp_path: Path) -> None:
    ids = set()
    for name in "ab":
        run("--suite", GOOD, "--out", tmp_path / name)
        ids.add(read(tmp_path / name / "run" / "config.json")["run_id"])
    assert len(ids) == 2


PARSER = ArgumentParser(add_help=False)
add(lambda *_, **__: PARSER)
FLAGS = {one.dest: one for one in PARSER._actions}


OF_BOTH = {"json", "otel", "fail_on", "root", "config", "seed", "trust"}
"""Those that say something of a suite of traces and of eval files."""


def test_each_flag_of_run_is_of_suites_or_of_eval_files_or_of_both() -> None:
    assert sorted([*OF_SUITES, *OF_EVAL_FILES, *OF_BOTH]) == sorted(FLAGS)


def written(name: str) -> list[str]:
    action = FLAGS[name]
    value = next(iter(action.choices or ("1",)))
    return [*action.option_strings[-1:], *([] if action.nargs == 0 else [value])]


@pytest.mark.parametrize("name", sorted(OF_SUITES - {"suite"}))
def test_what_needs_a_suite_does_not_silently_nothing(name: str, capsys: Any) -> None:
    assert run_command(["run", *written(name)]) == 2
    assert f"`{FLAGS[name].option_strings[0]}` needs --suite" in capsys.readouterr().err


@pytest.mark.parametrize("name", OF_EVAL_FILES)
def test_what_a_suite_has_no_use_for_is_refused(name: str, tmp_path: Path, capsys: Any) -> None:
    assert run("--suite", GOOD, "--out", tmp_path / "p", *written(name)) == 2
    said = json.loads(capsys.readouterr().err)["error"]["message"]
    assert "--suite names one suite" in said
    assert OF_EVAL_FILES[name] in said
    assert not (tmp_path / "p").exists()


def test_a_judge_that_is_set_twice_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = tmp_path / "j.json"
    settings.write_text('{"regex": {"timeout_seconds": 1},\n "regex": {"timeout_seconds": 9}}')
    flags = ["--out", str(tmp_path / "p"), "--judge-config", str(settings)]
    assert run_command(["run", "--suite", str(GOOD), *flags]) == 1
    assert f"{settings}:2:2: `regex`: `regex` is written twice" in capsys.readouterr().err
