"""What starts evaltui again works as printed, from where it is printed."""

import sys
from pathlib import Path

import pytest

from evaltui.tui.command_line import program


@pytest.mark.parametrize(
    ("is_on_path", "started", "expected"),
    [
        (True, "{bin}/evaltui", "evaltui"),
        (True, "{other}/evaltui", "{other}/evaltui"),
        (True, "-c", "evaltui"),
        (True, "{other}/__main__.py", "evaltui"),
        (False, "{other}/evaltui", "{other}/evaltui"),
        (False, "-c", "evaltui"),
    ],
)
def test_the_program_is_the_one_that_was_started(
    is_on_path: bool, started: str, expected: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    places = {"bin": tmp_path / "bin", "other": tmp_path / "other"}
    for folder in places.values():
        folder.mkdir()
        for name in ("evaltui", "__main__.py"):
            (folder / name).touch(mode=0o755)
    monkeypatch.setenv("PATH", str(places["bin"] if is_on_path else tmp_path))
    monkeypatch.setattr(sys, "argv", [started.format(**places)])
    assert program() == expected.format(**places)
