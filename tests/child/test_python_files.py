"""Which files a module is made of, without running them."""

from pathlib import Path

import pytest

from evaltui.child.python_files import imported_files, module_file


def write(root: Path, **files: str) -> None:
    for name, text in files.items():
        path = root / (name.replace("__", "/") + ".py")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def names(root: Path, start: str) -> list[str]:
    found = imported_files(root / start, root)
    return sorted(path.relative_to(root).as_posix() for path in found)


def test_imports_are_followed_in_all_their_forms(tmp_path: Path) -> None:
    write(
        tmp_path,
        agent="import tools.search\nfrom lib import text\ndef f():\n    import late\n",
        tools__search="from . import shared\nfrom .deep import thing\n",
        tools__shared="import agent\n",
        tools__deep="thing = 1\n",
        lib__text="import json, os\n",
        late="",
        other="",
    )
    (tmp_path / "tools" / "__init__.py").touch()
    assert names(tmp_path, "agent.py") == [
        "agent.py",
        "late.py",
        "lib/text.py",
        "tools/__init__.py",
        "tools/deep.py",
        "tools/search.py",
        "tools/shared.py",
    ]


def test_a_half_saved_file_belongs_to_it(tmp_path: Path) -> None:
    write(tmp_path, agent="import broken", broken="def (")
    assert names(tmp_path, "agent.py") == ["agent.py", "broken.py"]


def test_a_module_is_found_by_its_dotted_name(tmp_path: Path) -> None:
    write(tmp_path, pack__mod="", src__other="")
    assert module_file("pack.mod", tmp_path) == tmp_path / "pack" / "mod.py"
    assert module_file("other", tmp_path) == tmp_path / "src" / "other.py"
    assert module_file("json.nothing", tmp_path) is None


@pytest.mark.parametrize(
    "name", ["é" * 200, pytest.param("a." * 3000 + "b", marks=pytest.mark.slow), "\0", "a" * 5000]
)
def test_a_name_that_no_file_can_have_is_no_module(tmp_path: Path, name: str) -> None:
    assert module_file(name, tmp_path) is None
    start = tmp_path / "start.py"
    start.write_text(f"import os, {name}\n", encoding="utf-8")
    assert imported_files(start, tmp_path) == {start}
