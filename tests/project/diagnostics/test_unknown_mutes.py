"""A mute that no case has is told at its line; one of a file that is not read is let be."""

import json
from pathlib import Path

from evaltui.core.errors import Problem
from evaltui.project import project_read_once
from evaltui.project.diagnostics.unknown_mutes import unknown_mutes
from evaltui.settings.load import load_config
from tests.projects import ORDERS, write_suite

SUITE = "evals/find_order.golden.json"
CASE = f"{SUITE}::{ORDERS[0]['id']}"


def found(root: Path, settings: str = "", **by_keys: str) -> list[Problem]:
    path = root / ".evaltui" / "mutes.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(by_keys))
    (root / "evaltui.toml").write_text(settings)
    config = load_config(root, {}).config
    with project_read_once(config) as project:
        return [*unknown_mutes(project)]


def test_a_misspelt_mute_of_the_settings_is_told_at_its_line(tmp_path: Path) -> None:
    write_suite(tmp_path, "find_order", ORDERS)
    right, wrong = f'"{CASE}" = "known"', f'"{CASE}x" = "known"'
    (one,) = found(tmp_path, f"[mute]\n{right}\n{wrong}\n")
    assert (one.file, one.line, one.hint) == ("evaltui.toml", 3, f"Did you mean `{CASE}`?")


def test_a_mute_by_a_key_of_a_case_that_was_renamed_is_told_at_its_line(tmp_path: Path) -> None:
    write_suite(tmp_path, "find_order", ORDERS)
    (one,) = found(tmp_path, **{CASE: "flaky", f"{SUITE}::gone": "flaky"})
    assert (one.file, one.line) == (".evaltui/mutes.json", 1)
    assert f"`{SUITE}::gone`" in one.what and "mute it again" in one.hint


def test_a_mute_of_a_file_that_cannot_be_read_now_is_let_be(tmp_path: Path) -> None:
    write_suite(tmp_path, "find_order", ORDERS)
    (tmp_path / SUITE).write_text("{")
    assert found(tmp_path, f'[mute]\n"{CASE}" = "known"\n', **{CASE: "flaky"}) == []
    (one,) = found(tmp_path, '[mute]\n"evals/gone.golden.json::a" = "known"\n')
    assert "evals/gone.golden.json::a" in one.what
