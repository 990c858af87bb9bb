"""Names in settings that no file can have are mistakes of the settings, and not ours."""

from pathlib import Path

import pytest

from evaltui.cli.main import run_command
from tests.projects import make_project

SETTINGS = {
    "evals": 'evals = ["{}"]',
    "registry": 'registry = "{}"',
    "output_dir": 'output_dir = "{}"',
    "snapshot": 'snapshot_enabled = true\nsnapshot = "{}"',
    "cwd": 'agent = "a"\n[agents.a]\ntype = "command"\ncommand = "cat"\ncwd = "{}"',
    "files": 'agent = "a"\n[agents.a]\ntype = "command"\ncommand = "cat"\nfiles = ["{}"]',
}


@pytest.mark.parametrize("setting", SETTINGS)
@pytest.mark.parametrize(
    "name", ["x" * 300, "y/" * 3_000, "*/" * 3_000], ids=["name", "path", "glob"]
)
def test_it_is_told_as_a_mistake_in_the_settings(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], setting: str, name: str
) -> None:
    make_project(tmp_path)
    (tmp_path / "evaltui.toml").write_text(SETTINGS[setting].format(name))
    run_command(["run", "--trust", "--fail-on", "never", "-C", str(tmp_path)])
    said = capsys.readouterr()
    assert "bug in evaltui" not in said.err
    assert setting in said.out + said.err or name[:50] in said.out + said.err


def test_so_is_a_folder_of_that_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(["check", "-C", "x" * 300]) == 2
    assert "There is no folder" in capsys.readouterr().err
