"""What of a project is found through what is installed, and what may be."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from evaltui.child.installed import installed
from evaltui.child.python_files import ModuleTree, module_tree

EDITABLE = "__editable__.shop.pth"


@pytest.fixture
def packages(tmp_path: Path) -> Path:
    """Those of an environment of the project, which is a workspace."""
    python = tmp_path / ".venv" / "bin" / "python"
    found = tmp_path / ".venv" / "lib" / "python3.12" / "site-packages"
    for folder in (python.parent, found / "openai", found / "google" / "genai"):
        folder.mkdir(parents=True)
        (folder / "__init__.py").touch()
    python.touch(mode=0o755)
    (tmp_path / ".venv" / "pyvenv.cfg").write_text("home = /usr/bin\n")
    for name in ("six.py", "fast.cpython-312-x86_64-linux-gnu.so"):
        (found / name).touch()
    (found / "google" / "__init__.py").unlink(missing_ok=True)
    shop = tmp_path / "packages" / "shop" / "src" / "shop"
    shop.mkdir(parents=True)
    for name in ("__init__.py", "rules.py"):
        (shop / name).touch()
    return found


def tree(root: Path, code: str) -> ModuleTree:
    (root / "agent.py").write_text(code)
    return module_tree(root / "agent.py", root)


@pytest.mark.parametrize(
    "line",
    [
        "{root}/packages/shop/src",
        "../../../../packages/shop/src",
        "# why\n\n{root}/packages/shop/src ",
    ],
)
def test_an_editable_install_is_followed(tmp_path: Path, packages: Path, line: str) -> None:
    (packages / EDITABLE).write_text(line.format(root=tmp_path) + "\n")
    found = tree(tmp_path, "from shop.rules import V")
    shop = tmp_path / "packages" / "shop" / "src" / "shop"
    assert found.files == {tmp_path / "agent.py", shop / "__init__.py", shop / "rules.py"}
    assert shop / "rules" / "__init__.py" in found.missing
    assert found.is_whole


def test_no_folder_outside_of_the_project_is_listed(
    tmp_path: Path, packages: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    outside = tmp_path.parent / f"{tmp_path.name}-outside"
    (outside / "shop").mkdir(parents=True)
    (packages / EDITABLE).write_text(f"{outside}\n")
    listed: list[Path] = []

    def listing(folder: Path) -> Iterator[os.DirEntry[str]]:
        listed.append(Path(folder))
        return scandir(folder)

    scandir = os.scandir
    monkeypatch.setattr(os, "scandir", listing)
    assert tree(tmp_path, "from shop.rules import V").files == {tmp_path / "agent.py"}
    assert tmp_path in listed
    assert not [one for one in listed if tmp_path not in (one, *one.parents)]


@pytest.mark.parametrize(
    "code",
    [
        "import openai, six, fast",
        "from openai import OpenAI",
        "from openai.types.chat import ChatCompletion",
        "from google import genai",
        "from google.genai import types",
        "try:\n    import ujson\nexcept ImportError:\n    import json",
    ],
)
@pytest.mark.parametrize("pth", ["", "import _virtualenv", "/no/such/folder"])
def test_what_is_installed_or_of_nobodys_is_no_part_of_the_project(
    tmp_path: Path, packages: Path, code: str, pth: str
) -> None:
    (packages / "a.pth").write_text(pth)
    found = tree(tmp_path, code)
    assert found.files == {tmp_path / "agent.py"}
    assert found.is_whole


def test_an_imported_folder_without_an_init_is_found(tmp_path: Path, packages: Path) -> None:
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools" / "search.py").touch()
    assert tree(tmp_path, "import tools\nfrom tools import search").is_whole
    assert packages.is_dir()


@pytest.mark.parametrize("code", ["import shop", "from shop.rules import V", "import rules"])
def test_what_the_project_holds_elsewhere_may_be_it(
    tmp_path: Path, packages: Path, code: str
) -> None:
    assert packages.is_dir()
    assert not tree(tmp_path, code).is_whole


def test_what_is_installed_as_a_link_into_the_project_may_be_it(
    tmp_path: Path, packages: Path
) -> None:
    (packages / "shop").symlink_to(tmp_path / "packages" / "shop" / "src" / "shop")
    assert not tree(tmp_path, "import shop").is_whole


def test_code_that_finds_modules_may_find_any(tmp_path: Path, packages: Path) -> None:
    (packages / EDITABLE).write_text("import __editable___shop_finder; install()")
    assert not tree(tmp_path, "import store").is_whole
    assert tree(tmp_path, "import openai").is_whole


def test_the_interpreter_that_is_named_counts(tmp_path: Path, packages: Path) -> None:
    (tmp_path / "six").mkdir()
    (tmp_path / "agent.py").write_text("import six.moves")
    assert module_tree(tmp_path / "agent.py", tmp_path).is_whole
    for name in ("/no/such/python", "no-such-python"):
        assert not installed(name).is_known
        assert not module_tree(tmp_path / "agent.py", tmp_path, name).is_whole
    own = installed(str(tmp_path / ".venv" / "bin" / "python"))
    assert own == ((packages,), (), True)
