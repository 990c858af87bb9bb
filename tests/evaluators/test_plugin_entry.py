"""What an evaluator is made of, by which its verdicts hold or are made again."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from evaltui.evaluators.plugin_entry import PluginEntry
from tests.evaluators.loaded import source, write


def fingerprint(root: Path, written: str | Mapping[str, Any]) -> str:
    entry = PluginEntry(source(written), root)
    assert entry.made_of().files
    return entry.fingerprint(entry.made_of().files)


def project(root: Path, phrase: str = "thanks") -> Path:
    """A project with evaluators of all kinds, whose words stand in a file that they import."""
    write(root, "checks/polite.py", "import phrases\n")
    write(root, "checks/phrases.py", f"WORDS = {phrase!r}\n")
    write(root, "checks/polite.mjs", 'import "./phrases.mjs"\n')
    write(root, "checks/phrases.mjs", f"export default {phrase!r}\n")
    write(root, "checks/polite.sh", f"echo {phrase}\n")
    write(root.parent, "shared.py", f"WORDS = {phrase!r}\n")
    return root


@pytest.mark.parametrize(
    "written",
    [
        "./checks/phrases.py",
        "./checks/polite.mjs",
        "checks.phrases",
        "../shared.py",
        {"command": ["sh", "checks/polite.sh"]},
    ],
)
def test_it_is_the_same_in_a_copy_of_the_project_until_a_file_changes(
    tmp_path: Path, written: str | Mapping[str, Any]
) -> None:
    one = fingerprint(project(tmp_path / "a" / "here"), written)
    assert fingerprint(project(tmp_path / "b" / "there"), written) == one
    assert fingerprint(project(tmp_path / "b" / "there", "please"), written) != one


@pytest.mark.parametrize(
    ("written", "path"),
    [("./a.py", "here/a.py"), ("../a.py", "a.py"), ("/b/a.py", "/b/a.py"), ("a.b", None)],
)
def test_what_begins_with_a_dot_or_a_slash_is_a_path_from_the_settings(
    tmp_path: Path, written: str, path: str | None
) -> None:
    entry = PluginEntry(source(written), tmp_path / "here")
    assert entry.path == (None if path is None else tmp_path / path)


def test_files_that_change_their_names_make_it_another(tmp_path: Path) -> None:
    entry = PluginEntry(source("./a.py"), tmp_path)
    one, other = write(tmp_path, "a.py", "1\n"), write(tmp_path, "b.py", "1\n")
    assert entry.fingerprint([one]) != entry.fingerprint([other])


@pytest.mark.parametrize("written", ["limits.json", "data/limits.json", "evaluators/limits.json"])
def test_a_data_file_that_a_module_names_is_a_part_of_it(tmp_path: Path, written: str) -> None:
    home = tmp_path / "evaluators"
    data = (tmp_path if written.startswith("evaluators") else home) / written
    write(tmp_path, str(data.relative_to(tmp_path)), "3")
    write(tmp_path, "evaluators/helper.py", f'MOST = open("{written}").read()\n')
    write(tmp_path, "evaluators/mine.py", "from helper import MOST\n")
    entry = PluginEntry(source("./evaluators/mine.py"), tmp_path)
    assert data in entry.made_of().files
    before = entry.fingerprint(entry.made_of().files)
    data.write_text("4")
    assert entry.fingerprint(entry.made_of().files) != before


def test_names_of_what_is_not_there_or_lies_outside_are_none_of_its_files(tmp_path: Path) -> None:
    root = tmp_path / "project"
    write(tmp_path, "outside.json", "3")
    write(root, "mine.py", 'A, B = "../outside.json", "gone.json"\n')
    entry = PluginEntry(source("./mine.py"), root)
    assert entry.made_of().files == {root / "mine.py"}
