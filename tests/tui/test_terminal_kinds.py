"""Terminals in which nothing can be placed are refused; no size is believed that none can have."""

import shlex
import sys
from pathlib import Path

import pytest

from evaltui.core.config import Config
from evaltui.core.errors import UserError
from evaltui.tui.start import run_dashboard
from tests.sample_project import copy_samples
from tests.terminal import EVALTUI, Terminal
from tests.tui.fake_session import FakeSession

if sys.platform == "win32":
    pytest.skip("its console has no such variables", allow_module_level=True)

from evaltui.tui.terminal.terminal_driver import forget_impossible_size


@pytest.mark.parametrize("kind", ["dumb", "unknown"])
def test_a_terminal_without_a_cursor_is_refused(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", kind)
    monkeypatch.delenv("TEXTUAL_DRIVER", raising=False)
    with pytest.raises(UserError, match=f"`TERM` is `{kind}`.*evaltui run"):
        run_dashboard(FakeSession(config=Config(tmp_path)))


@pytest.mark.parametrize(
    ("told", "left"),
    [
        ({"COLUMNS": "99999999", "LINES": "99999999"}, {}),
        ({"COLUMNS": "70", "LINES": "9" * 5_000}, {"COLUMNS": "70"}),
        ({"COLUMNS": "x", "LINES": "-1"}, {}),
        ({"COLUMNS": "70", "LINES": "20"}, {"COLUMNS": "70", "LINES": "20"}),
    ],
)
def test_no_size_is_larger_than_a_display(told: dict[str, str], left: dict[str, str]) -> None:
    forget_impossible_size(told)
    assert told == left


@pytest.mark.slow
def test_lines_that_no_terminal_has_hold_up_nothing(tmp_path: Path) -> None:
    shown = Terminal(EVALTUI, copy_samples(tmp_path / "s"), environment={"LINES": "99999999"})
    try:
        shown.until(lambda: bool(shown.modes.get(1049)))
        shown.press("q")
        assert shown.ends(30) == 0
    finally:
        shown.close()


@pytest.mark.slow
def test_it_is_seen_while_what_goes_wrong_is_kept_in_a_file(tmp_path: Path) -> None:
    command = " ".join(map(shlex.quote, EVALTUI))
    folder = copy_samples(tmp_path / "s")
    shown = Terminal(["sh", "-c", f"exec {command} 2>kept.txt"], folder)
    try:
        shown.shows("2 Cases", "? help")
        shown.press("q")
        assert shown.ends(30) == 0
        assert not shown.modes[1049]
        assert "\x1b" not in (folder / "kept.txt").read_text()
    finally:
        shown.close()
