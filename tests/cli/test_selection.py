"""Which cases the paths of a command mean, and what is said where there are none."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest

from evaltui.cli.main import run_command
from tests.projects import case, make_project, write_suite

Said: TypeAlias = Callable[..., str]
ORDERS = "evals/find_order.golden.json"
MUSIC = "evals/play_music.golden.json"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return make_project(tmp_path)


@pytest.fixture
def said(project: Path, capsys: pytest.CaptureFixture[str]) -> Said:
    """What a command that has nothing to run says on standard error."""

    def run(*words: str) -> str:
        assert project.is_dir()
        assert run_command([*words]) == 2
        captured = capsys.readouterr()
        assert captured.out == ""
        return captured.err

    return run


def test_a_file_that_is_not_there_is_named_with_those_that_are(said: Said) -> None:
    text = said("run", "evals/nosuch.json")
    assert f"There is no file `evals/nosuch.json`. There are `{ORDERS}`, `{MUSIC}`." in text
    assert "init" not in text
    text = said("run", "evals/find_ordr.golden.json")
    assert "Did you mean `find_order.golden.json`?" in text


def test_of_many_files_some_are_named(said: Said, project: Path) -> None:
    for number in range(9):
        write_suite(project, f"a{number}", [case(f"gs-a{number}-001", "hello", "find_order")])
    assert "`evals/a4.golden.json` and 6 more." in said("run", "evals/nosuch.json")


def test_without_any_file_it_is_said_what_writes_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run_command(["run"]) == 2
    assert "`evaltui init`" in capsys.readouterr().err
    assert run_command(["run", "a.json"]) == 2
    told = capsys.readouterr().err
    assert "There is no file `a.json`. No eval file is in the usual places" in told


@pytest.mark.parametrize("command", [("run",), ("baseline", "pin")])
def test_a_case_that_its_file_does_not_have(said: Said, command: tuple[str, ...]) -> None:
    text = said(*command, f"{ORDERS}::nope")
    assert text == (
        f"evaltui: `{ORDERS}` has no case `nope`. "
        "It has `gs-find-order-001`, `gs-find-order-002`.\n"
    )
    assert "Did you mean `gs-find-order-002`?" in said(*command, f"{ORDERS}::gs-find-order-02")
    text = said(*command, f"{MUSIC}::gs-play-music-001", f"{MUSIC}::gs-find-order-001")
    assert f"`{MUSIC}` has no case `gs-find-order-001`" in text, "another file has it"


@pytest.mark.usefixtures("project")
@pytest.mark.parametrize(
    ("paths", "ran"),
    [
        ([f"{ORDERS}::gs-find-order-002"], ["gs-find-order-002"]),
        ([f"./{ORDERS}::gs-find-order-002"], ["gs-find-order-002"]),
        (["evals::gs-play-music-001"], ["gs-play-music-001"]),
        ([".::gs-play-music-001"], ["gs-play-music-001"]),
        (["evals/*.json::gs-play-music-001"], ["gs-play-music-001"]),
        ([f"{ORDERS}::gs-find-order-001", MUSIC], ["gs-find-order-001", "gs-play-music-001"]),
    ],
)
def test_a_case_is_that_of_its_path(
    paths: list[str], ran: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_command(["run", "--reporter", "jsonl", *paths]) == 0
    events = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [one["result"]["key"][1] for one in events if one["event"] == "CaseFinished"] == ran


def test_a_filter_that_matches_nothing_is_to_be_loosened(said: Said) -> None:
    assert "Loosen --filter" in said("run", "--filter", "no such case")


def test_what_is_no_eval_file_is_a_mistake_that_is_named(said: Said, project: Path) -> None:
    (project / "notes.json").write_text('{"a": 1}')
    text = said("run", "notes.json")
    assert "notes.json:1:1: An object stands where the cases belong" in text
    assert "There is no case to run. Correct the mistakes" in text
    assert "filter" not in text
