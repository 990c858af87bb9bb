"""The command line: every command adds its own flags, and all of them take the project's folder."""

import argparse
import re
from importlib import import_module
from pathlib import Path

import pytest

from evaltui.cli import parser as command_line
from evaltui.cli.parser import COMMANDS, make_parser, parse

WITH_A_PROJECT = (
    *("run", "tools", "check", "baseline list", "baseline pin", "init", "trust"),
    *("evaluators list", "evaluators check", "evaluators new x"),
    *("judge calibrate", "scenario validate", "scenario run x"),
    *("runs list", "runs show x", "serve", "ab HEAD"),
)
WITHOUT = (
    *("import-trace --input a --out b", "import-framework --input a --out b"),
    *("demo", "schema show", "completion bash", "registry dataset-list"),
    *("compare --baseline a --candidate b", "gate --compare a"),
    *("replay --run a", "replay-exec --run a"),
    "run-loop --suite a --out b --propose-command c",
    *("attest --run a", "verify-attestation --run a", "stability-check --suite a"),
    "report markdown --compare a --out b",
    *("adapter-conformance", "contracts-check", "export-otel --run a --out b"),
    *("traces promote --suite a --case b --to c", "merge a --out b"),
)
"""They read no project."""


@pytest.mark.parametrize("command", WITH_A_PROJECT)
def test_the_folder_may_be_given_before_the_command_or_after_it(command: str) -> None:
    words = command.split()
    assert parse(["-C", "there", *words]).root == Path("there")
    assert parse([*words, "-C", "there"]).root == Path("there")
    assert parse(["-C", "here", *words, "--root", "there"]).root == Path("there")
    assert not hasattr(parse(words), "root"), "where nothing is given the settings decide"


def test_the_dashboard_takes_the_folder_too() -> None:
    flags = parse(["-C", "there", "--theme", "dark"])
    assert (flags.command, flags.root, flags.theme) == (None, Path("there"), "dark")


def test_each_command_is_known_here() -> None:
    assert {command.split()[0] for command in (*WITH_A_PROJECT, *WITHOUT)} == set(COMMANDS)
    for command in (*WITH_A_PROJECT, *WITHOUT):
        assert parse(command.split()).command == command.split()[0]


def test_init_writes_into_the_folder_given_before_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere, there = tmp_path / "elsewhere", tmp_path / "there"
    elsewhere.mkdir()
    there.mkdir()
    monkeypatch.chdir(elsewhere)
    flags = parse(["-C", str(there), "init"])
    assert import_module("evaltui.cli.init").run(flags) == 0
    assert (there / "evaltui.toml").is_file()
    assert not list(elsewhere.iterdir())


@pytest.mark.parametrize("argv", [["-h"], ["--help"], ["--help", "run"]])
def test_help_lists_every_command(argv: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        parse(argv)
    assert stop.value.code == 0
    shown = capsys.readouterr().out
    assert all(re.search(rf"\n    {name}\s", shown) for name in COMMANDS)


def test_help_of_a_command_has_its_flags(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        parse(["run", "--help"])
    shown = capsys.readouterr().out
    assert "--fail-on" in shown
    assert "--agent" in shown


@pytest.mark.parametrize("argv", [["rnu"], ["--no-such-flag"], ["-C"], ["run", "--tier", "gold"]])
def test_what_is_not_understood_is_a_mistake_of_usage(
    argv: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stop:
        parse(argv)
    assert stop.value.code == 2
    assert "error:" in capsys.readouterr().err


def test_a_misspelled_command_is_told_what_there_is(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        parse(["rnu"])
    said = capsys.readouterr().err
    assert all(name in said for name in COMMANDS)


def test_only_commands_that_are_named_are_built(monkeypatch: pytest.MonkeyPatch) -> None:
    built: list[tuple[str, ...]] = []

    def noting(names: tuple[str, ...]) -> argparse.ArgumentParser:
        built.append(tuple(names))
        return make_parser(names)

    monkeypatch.setattr(command_line, "make_parser", noting)
    parse(["check"])
    parse(["-C", "there", "check"])
    parse(["--ascii"])
    parse([])
    assert built == [("check",), ("check",), (), ()]


@pytest.mark.parametrize("command", ["ab other", "baseline diff", "run"])
def test_paths_may_stand_behind_the_flags(command: str) -> None:
    words = [*command.split(), "--agent", "mock", "--json", "evals/a.json", "evals/b.json"]
    assert parse(words).paths == ["evals/a.json", "evals/b.json"]
    assert parse(words).agent == ["mock"]


@pytest.mark.parametrize("words", ["ab other --nonsense evals/a.json", "demo evals/a.json"])
def test_what_is_no_path_is_refused(words: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        parse(words.split())
    assert "unrecognized arguments" in capsys.readouterr().err
