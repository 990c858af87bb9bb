"""Names longer than any file's may be are complained of wherever they are written, never raised."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from evaltui.cli.main import run_command
from evaltui.tui.themes import load_theme_named
from tests.projects import make_project

LONG = "x" * 5_000
CASE = f"evals/{LONG}.golden.json::gs-1"


def _add_setting(root: Path, text: str) -> None:
    (root / "evaltui.toml").write_text(text)


def _pin(root: Path) -> None:
    run_command(["baseline", "pin", "-C", str(root)])
    for pins in root.rglob("pins.json"):
        pins.write_text(pins.read_text().replace('.golden.json"', f'{LONG}.golden.json"'))


def _journal(root: Path) -> None:
    for history in (root / ".evaltui" / "runs").glob("*.jsonl"):
        history.write_text(history.read_text().replace("find_order.golden", LONG))


PLACES: dict[str, Callable[[Path], object]] = {
    "a mute": lambda root: _add_setting(root, f'\n[mute]\n"{CASE}" = "why"\n'),
    "a registry": lambda root: _add_setting(root, f'\nregistry = "{LONG}.json"\n'),
    "eval files": lambda root: _add_setting(root, f'\nevals = ["{LONG}"]\n'),
    "a theme": lambda root: _add_setting(root, f'\ntheme = "{LONG}"\n'),
    "a mute by key": lambda root: (root / ".evaltui" / "mutes.json").write_text(
        json.dumps({CASE: "why"})
    ),
    "pins": _pin,
    "a journal": _journal,
}


@pytest.mark.parametrize("place", PLACES)
def test_each_command_answers(
    place: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root = make_project(tmp_path)
    assert run_command(["run", "--trust", "-C", str(root)]) in (0, 1)
    PLACES[place](root)
    for command in (["check"], ["run"], ["baseline", "diff"], ["run", "--resume"], ["tools"]):
        assert run_command([*command, "-C", str(root)]) in (0, 1, 2), command
    assert "Traceback" not in capsys.readouterr().err


def test_a_theme_of_such_a_name_is_the_default() -> None:
    assert load_theme_named(LONG) == load_theme_named("dark")
