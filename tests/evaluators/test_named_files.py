"""Which files belong to an evaluator since their names stand in its code."""

from pathlib import Path

import pytest

from evaltui.evaluators.named_files import named_files
from evaltui.evaluators.plugin_entry import PluginEntry
from tests.evaluators.loaded import source, write


def named(root: Path, module: str) -> set[str]:
    found = named_files([root / module], root)
    return {path.relative_to(root).as_posix() for path in found.files}


@pytest.mark.parametrize(
    ("code", "data"),
    [
        ('(Path(__file__).parent / "data" / "limit.txt").read_text()', "checks/data/limit.txt"),
        ('(HERE.parent / "data" / "deep" / "limit.txt")', "data/deep/limit.txt"),
        ('(Path(__file__).parents[1] / "data/limit.txt")', "data/limit.txt"),
        ('(ROOT / "data" / "deep/limit.txt")', "data/deep/limit.txt"),
        (
            'import words\n(importlib.resources.files(words) / "limit.txt")',
            "checks/words/limit.txt",
        ),
        ('importlib.resources.read_text("checks.words", "limit.txt")', "checks/words/limit.txt"),
        ('open("../data/limit.txt")', "data/limit.txt"),
        ('x = "it\'s"; open("limit.txt")', "checks/limit.txt"),
        ("open(`limit.txt`)", "checks/limit.txt"),
        ('open("größe.txt")', "checks/größe.txt"),
        ('open("the limits.txt")', "checks/the limits.txt"),
        ('open(".limits")', "checks/.limits"),
        ('open("LIMITS")', "LIMITS"),
    ],
)
def test_a_name_is_looked_for_above_and_in_folders_that_are_named_too(
    tmp_path: Path, code: str, data: str
) -> None:
    write(tmp_path, "checks/mine.py", code)
    write(tmp_path, data, "3")
    for other in ("other/limit.txt", "checks/other/limit.txt", "node_modules/data/limit.txt"):
        write(tmp_path, other, "4")
    assert named(tmp_path, "checks/mine.py") == {data}


@pytest.mark.parametrize("code", ['open(".cache/a.txt")', 'CACHE / ".cache" / "a.txt"', '"a.txt"'])
def test_hidden_folders_are_not_looked_into(tmp_path: Path, code: str) -> None:
    write(tmp_path, "mine.py", code)
    write(tmp_path, ".cache/a.txt", "3")
    assert named(tmp_path, "mine.py") == set()


def test_a_link_that_leads_out_is_not_followed(tmp_path: Path) -> None:
    root = tmp_path / "project"
    write(root, "mine.py", 'HERE / "data" / "a.txt"')
    write(tmp_path, "outside/a.txt", "3")
    write(root, "inside/a.txt", "3")
    (root / "data").symlink_to(tmp_path / "outside")
    assert named(root, "mine.py") == set()
    (root / "data").unlink()
    (root / "data").symlink_to(root / "inside")
    assert named(root, "mine.py") == {"data/a.txt"}


def test_folders_in_a_circle_end(tmp_path: Path) -> None:
    write(tmp_path, "mine.py", 'HERE / "data" / "a.txt"')
    write(tmp_path, "data/a.txt", "3")
    (tmp_path / "data" / "data").symlink_to(tmp_path)
    assert "data/a.txt" in named(tmp_path, "mine.py")


def test_what_is_named_and_nowhere_is_awaited(tmp_path: Path) -> None:
    code = 'P = HERE / "data" / "more.txt"\nif P.exists(): open("some.txt")'
    write(tmp_path, "checks/mine.py", code)
    write(tmp_path, "some.txt", "3")
    write(tmp_path, "checks/data/other.txt", "3")
    awaited = named_files([tmp_path / "checks" / "mine.py"], tmp_path).awaited
    folders = (tmp_path, tmp_path / "checks", tmp_path / "checks" / "data")
    assert awaited == {folder / "more.txt" for folder in folders}


def test_what_a_module_that_is_imported_names_belongs_to_it(tmp_path: Path) -> None:
    write(tmp_path, "checks/mine.py", "from rules import words")
    write(tmp_path, "rules/words.py", 'open(HERE / "data" / "words.txt")')
    data = write(tmp_path, "rules/data/words.txt", "3")
    assert data in PluginEntry(source("./checks/mine.py"), tmp_path).made_of().files
