"""`evaltui traces promote`: the change is shown, and written where somebody agreed."""

import json
from pathlib import Path

import pytest

from evaltui.cli.main import run_command

EVENTS = [
    {"idx": 0, "actor": "user", "type": "message", "input": "Where is SO-1?"},
    {"idx": 1, "actor": "agent", "type": "tool_call", "tool": "find", "input": {"id": 1}},
    {"idx": 2, "actor": "tool", "type": "tool_result", "tool": "find", "output": {"a": 1}},
]


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    path = tmp_path / "s.trace.json"
    cases = [{"case_id": "one", "trace": EVENTS}]
    path.write_text(json.dumps({"dataset_id": "s", "cases": cases}))
    return path


def promote(suite: Path, *more: str, case: str = "one") -> tuple[int, Path]:
    to = suite.with_name("to.json")
    given = ["traces", "promote", "--suite", str(suite), "--case", case, "--to", str(to)]
    return run_command([*given, *more]), to


def test_without_agreement_it_is_shown_and_nothing_is_written(
    suite: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, to = promote(suite)
    told = capsys.readouterr()
    assert (code, to.exists()) == (1, False)
    assert '+        "message": "Where is SO-1?"' in told.out
    assert "--yes" in told.err


def test_what_the_case_cannot_hold_is_told(suite: Path, capsys: pytest.CaptureFixture[str]) -> None:
    more = [
        {"idx": 3, "actor": "agent", "type": "tool_call", "tool": "find", "input": {"id": 2}},
        {"idx": 4, "actor": "tool", "type": "tool_result", "tool": "find", "output": {"b": 2}},
    ]
    cases = [{"case_id": "one", "trace": [*EVENTS, *more]}]
    suite.write_text(json.dumps({"dataset_id": "s", "cases": cases}))
    promote(suite)
    told = 'Left out: the result of call 2 of `find`, {"b": 2}.'
    assert told in capsys.readouterr().out
    assert promote(suite, "--yes", "--json")[0] == 0
    assert json.loads(capsys.readouterr().out)["left_out"][0].startswith(told)


def test_that_the_trace_has_more_messages_is_told(
    suite: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = {"idx": 3, "actor": "user", "type": "message", "input": "And SO-2?"}
    cases = [{"case_id": "one", "trace": [*EVENTS, asked]}]
    suite.write_text(json.dumps({"dataset_id": "s", "cases": cases}))
    promote(suite)
    assert "the first of 2 messages of a user (events 0, 3)" in capsys.readouterr().out
    promote(suite, "--event", "3")
    assert "Left out" not in capsys.readouterr().out


def test_with_it_the_case_joins_those_that_are_there(suite: Path) -> None:
    assert promote(suite, "--yes")[0] == 0
    code, to = promote(suite, "--yes", "--event", "2", "--id", "again")
    assert code == 0
    assert [one["id"] for one in json.loads(to.read_text())["cases"]] == ["one", "again"]


def test_a_case_that_is_there_is_told_and_nothing_is_written(
    suite: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, to = promote(suite, "--yes")
    before = to.read_bytes()
    capsys.readouterr()
    assert promote(suite, "--yes")[0] == 1
    assert (to.read_bytes(), capsys.readouterr().out) == (before, "")
    assert promote(suite, "--yes", "--json")[0] == 1
    error = json.loads(capsys.readouterr().err)["error"]
    assert (
        error["message"]
        == "`to.json` has this case already, as `one`. Nothing needs to be written."
    )


def test_a_program_gets_one_line(suite: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert promote(suite, "--yes", "--json")[0] == 0
    (line,) = capsys.readouterr().out.splitlines()
    assert json.loads(line)["title"] == "Make `one` of the trace `one`"


def test_a_case_that_is_not_there_is_named(suite: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert promote(suite, "--yes", case="onne")[0] == 1
    assert "Did you mean `one`?" in capsys.readouterr().err


def test_nothing_is_written_through_a_link_that_leads_out_of_the_folder(
    suite: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A repository could have one lead anywhere."""
    here = suite.parent / "cloned"
    here.mkdir()
    monkeypatch.chdir(here)
    (here / "to.json").symlink_to(suite.parent / "elsewhere.json")
    given = ["traces", "promote", "--suite", str(suite), "--case", "one", "--yes", "--to"]
    assert run_command([*given, "to.json"]) == 1
    assert "leads out of this folder" in capsys.readouterr().err
    assert not (suite.parent / "elsewhere.json").exists()
    assert run_command([*given, str(suite.parent / "typed.json")]) == 0


def test_the_settings_of_an_agent_that_is_not_asked_are_not_told(
    suite: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root = suite.parent
    evals = root / "evals"
    evals.mkdir()
    suite.rename(evals / suite.name)
    for reporter in ("console", "markdown", "junit"):
        run_command(["run", "-C", str(root), "--reporter", reporter])
        assert "calls a tool from" not in capsys.readouterr().out, reporter
    case = {"id": "a", "input": {"message": "Hi"}, "expect": {"noToolsCalled": True}}
    (evals / "a.golden.json").write_text(json.dumps({"cases": [case]}))
    run_command(["run", "-C", str(root)])
    assert "calls a tool from" in capsys.readouterr().out
