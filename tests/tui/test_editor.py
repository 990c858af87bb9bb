"""Opening an editor at a line."""

import subprocess
import threading
from pathlib import Path
from typing import Any

import pytest
from textual.app import App

from evaltui.tui.editor import editor_of, launch, open_in_editor

FILE = Path("/p/a b.json")


@pytest.mark.parametrize(
    ("editor", "argv", "is_terminal"),
    [
        ("vim", ("vim", "+12", "/p/a b.json"), True),
        ("/usr/bin/nvim -p", ("/usr/bin/nvim", "-p", "+12", "/p/a b.json"), True),
        ("hx", ("hx", "/p/a b.json:12"), True),
        ("code --wait", ("code", "--goto", "/p/a b.json:12"), False),
        ("subl", ("subl", "/p/a b.json:12"), False),
        ("pycharm", ("pycharm", "--line", "12", "/p/a b.json"), False),
        ("vim -g", ("vim", "-g", "+12", "/p/a b.json"), False),
        ("emacsclient -nw", ("emacsclient", "-nw", "+12", "/p/a b.json"), True),
        ("my-editor", ("my-editor", "/p/a b.json"), True),
    ],
)
def test_editors(editor: str, argv: tuple[str, ...], is_terminal: bool) -> None:
    start = launch(editor, FILE, 12)
    assert (start.argv, start.is_terminal) == (argv, is_terminal)


@pytest.mark.parametrize(
    ("editor", "argv"),
    [
        ("vim", ("vim", "/p/a b.json")),
        ("code", ("code", "/p/a b.json")),
        ("pycharm", ("pycharm", "/p/a b.json")),
        ("hx", ("hx", "/p/a b.json")),
    ],
)
def test_without_a_line(editor: str, argv: tuple[str, ...]) -> None:
    assert launch(editor, FILE, 0).argv == argv


def test_visual_comes_before_editor() -> None:
    assert editor_of({"VISUAL": "code", "EDITOR": "vi"}) == "code"
    assert editor_of({"VISUAL": " ", "EDITOR": "vi"}) == "vi"
    assert editor_of({}) == ""


def test_what_cannot_be_split_is_a_value_error() -> None:
    with pytest.raises(ValueError, match="closing quotation"):
        launch('vim "', FILE, 1)
    with pytest.raises(ValueError, match="no editor"):
        launch("", FILE, 1)


def test_an_editor_with_a_window_is_not_left_as_a_zombie(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[subprocess.Popen[bytes]] = []

    class Noted(subprocess.Popen[bytes]):
        def __init__(self, *args: Any, **options: Any) -> None:
            super().__init__(*args, **options)
            opened.append(self)

    (tmp_path / "a.json").touch()
    editor_file = tmp_path / "code"
    editor_file.write_text("#!/bin/sh\n")
    editor_file.chmod(0o755)
    monkeypatch.setenv("VISUAL", str(editor_file))
    monkeypatch.setattr(subprocess, "Popen", Noted)
    assert open_in_editor(App[None](), tmp_path / "a.json", 1) == ""
    for thread in threading.enumerate():
        if thread.name == "evaltui-editor":
            thread.join(10)
    (editor,) = opened
    assert editor.returncode == 0
