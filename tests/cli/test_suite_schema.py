"""`evaltui schema validate` and `migrate`: documents, exit codes, errors."""

import json
from pathlib import Path
from typing import Any

import pytest

from evaltui.cli.main import run_command

FIXTURES = Path(__file__).parent.parent / "fixtures" / "schema_backcompat"
OLD = str(FIXTURES / "suite_0_1_0.json")


def test_an_old_suite_is_migrated_and_then_valid(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = str(tmp_path / "suites" / "moved.json")
    assert run_command(["schema", "migrate", "--input", OLD, "--output", out]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["target_version"] == "1.0.0"
    assert report["validation"]["passed"]
    check = ["schema", "validate", "--input", out, "--strict", "--require-version", "1.0.0"]
    assert run_command(check) == 0
    shown = capsys.readouterr()
    assert json.loads(shown.out) == {
        "passed": True,
        "errors": [],
        "warnings": [],
        "schema_version": "1.0.0",
        "input": out,
    }
    assert shown.err == ""
    assert shown.out.count("\n") == 1


def test_what_would_not_be_valid_is_not_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.json").write_text('{"cases": [{"input": "no id"}]}')
    out = tmp_path / "b.json"
    flags = ["--input", str(tmp_path / "a.json"), "--output", str(out)]
    assert run_command(["schema", "migrate", *flags]) == 1
    assert not json.loads(capsys.readouterr().out)["validation"]["passed"]
    assert not out.exists()


@pytest.mark.parametrize(
    ("text", "code", "details"),
    [
        (None, "file_not_found", {"exception_type": "FileNotFoundError"}),
        (b"{", "invalid_json", {"line": 1, "column": 2, "position": 1}),
        (b"\xff", "validation_error", {}),
        (b'{"cases": [], "cases": []}', "validation_error", {}),
    ],
)
def test_an_error_is_one_line_of_json(
    text: bytes | None,
    code: str,
    details: dict[str, Any],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = tmp_path / "a.json"
    if text is not None:
        path.write_bytes(text)
    assert run_command(["schema", "validate", "--input", str(path)]) == 1
    shown = capsys.readouterr()
    error = json.loads(shown.err)["error"]
    assert (shown.out, error["code"]) == ("", code)
    assert details.items() <= error["details"].items()
    assert str(path) in error["message"]


def test_on_a_terminal_sentences_are_for_people(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    early = str(FIXTURES / "suite_unversioned.json")
    assert run_command(["schema", "validate", "--input", early]) == 0
    first, second = capsys.readouterr().out.splitlines()
    assert first == f"{early}: valid"
    assert second.startswith("  warning: `metadata.schema_version` is missing")
    assert run_command(["schema", "validate", "--input", "nowhere.json"]) == 1
    assert capsys.readouterr().err.startswith("evaltui: `nowhere.json`: No such file")
    assert run_command(["schema", "validate", "--json", "--input", "nowhere.json"]) == 1
    assert json.loads(capsys.readouterr().err)["error"]["code"] == "file_not_found"


def test_a_flag_that_lacks_is_a_mistake_of_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(["schema", "validate"]) == 2
    assert "--input" in capsys.readouterr().err


def test_every_wrong_type_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    event = {"idx": "0", "actor": 5, "type": "message"}
    bad = {
        "case_id": "x",
        "regex_patterns": [1, "ok", None],
        "policy": {"required_tools": "look", "forbidden_tools": [2]},
        "tool_contracts": {"a b": {"required_args": 3}, "c": {"forbidden_args": [4]}},
        "evaluators": [{"config": 6, "kind": "x"}, 7],
        "trace": [event, 8, {"idx": 1, "actor": "user", "type": "message", "latency_ms": "9"}],
        "metadata": [],
    }
    path = tmp_path / "a.json"
    cases = [bad, {"case_id": [], "trace": "y"}]
    path.write_text(json.dumps({"dataset_id": "d", "metadata": {}, "cases": cases}))
    assert run_command(["schema", "validate", "--input", str(path)]) == 1
    errors = json.loads(capsys.readouterr().out)["errors"]
    keys = [one.partition("`: ")[0].strip("`") for one in errors if "expected" in one]
    assert sorted(keys) == [
        "cases[0].evaluators[0].config",
        "cases[0].evaluators[1]",
        "cases[0].metadata",
        "cases[0].policy.forbidden_tools[0]",
        "cases[0].policy.required_tools",
        "cases[0].regex_patterns[0]",
        "cases[0].regex_patterns[2]",
        "cases[0].tool_contracts.c.forbidden_args[0]",
        'cases[0].tool_contracts["a b"].required_args',
        "cases[0].trace[0].actor",
        "cases[0].trace[0].idx",
        "cases[0].trace[1]",
        "cases[0].trace[2].latency_ms",
        "cases[1].case_id",
        "cases[1].trace",
    ]
    others = [one for one in errors if "expected" not in one and "missing" in one]
    assert "`cases[0].evaluators[0]`: `type` is missing" in others
    assert any("`kind` is not a field of an evaluator" in one for one in errors)
