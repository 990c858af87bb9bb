"""What the first frame needs of the settings, on disk."""

import os
from pathlib import Path

import pytest

from evaltui.core.config import AgentProfile, Config
from evaltui.disk.last_screen import (
    FILE,
    LIMIT,
    LastScreen,
    read_last_screen,
    write_last_screen,
)


def test_what_is_written_is_read(tmp_path: Path) -> None:
    config = Config(
        tmp_path,
        agents=(AgentProfile("shop", "http", {"url": "http://user:secret@shop"}),),
        theme="light",
        keys={"run.all": "Q"},
        keys_preset="vitest",
        output_dir="out",
    )
    write_last_screen(tmp_path / ".evaltui", LastScreen.of(config))
    assert b"secret" not in (tmp_path / ".evaltui" / FILE).read_bytes()
    read = read_last_screen(tmp_path / ".evaltui").config(tmp_path)
    assert read == Config(
        tmp_path,
        agents=(AgentProfile("shop"),),
        theme="light",
        keys={"run.all": "Q"},
        keys_preset="vitest",
        output_dir="out",
    )


def test_without_a_file_the_defaults_hold(tmp_path: Path) -> None:
    assert read_last_screen(tmp_path).config(tmp_path) == Config(tmp_path)


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"theme": 3}', '{"keys": {"a": 1}}', "[" * 5000, " " * (LIMIT + 1)]
)
def test_a_damaged_file_is_ignored(tmp_path: Path, text: str) -> None:
    (tmp_path / FILE).write_text(text)
    assert read_last_screen(tmp_path) == LastScreen()


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / FILE)
    assert read_last_screen(tmp_path) == LastScreen()


def test_a_folder_that_cannot_be_written_to_costs_nothing_more(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    write_last_screen(tmp_path / "file", LastScreen())
