"""`evaltui schema`: what editors are given."""

import json

import pytest

from evaltui.cli.main import run_command


def test_a_schema_is_printed_as_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(["schema", "show", "settings"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["properties"]["concurrency"]["maximum"] == 10_000


def test_without_a_name_they_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(["schema", "show"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert any(line.startswith("evals ") for line in lines)
    assert run_command(["schema", "show", "--json"]) == 0
    assert [line.split()[0] for line in lines] == list(json.loads(capsys.readouterr().out))


def test_the_bare_command_lists_them_and_says_how_to_print_one(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run_command(["schema", "show"]) == 0
    listed = capsys.readouterr().out
    assert run_command(["schema"]) == 0
    captured = capsys.readouterr()
    assert captured.out == listed
    assert captured.err == "`evaltui schema show NAME` prints one.\n"


def test_an_unknown_name_is_a_mistake_with_a_hint(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(["schema", "show", "setings"]) == 2
    assert "Did you mean `settings`?" in capsys.readouterr().err
