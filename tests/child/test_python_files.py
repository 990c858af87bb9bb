"""Which files a module is made of, without running them."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from evaltui.child.python_files import imported_files, module_file, module_tree, tree_of_target


def write(root: Path, files: Mapping[str, str]) -> None:
    """By the path of each without `.py`."""
    for name, text in files.items():
        path = root / f"{name}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def names(root: Path, start: str) -> list[str]:
    found = imported_files(root / start, root)
    return sorted(path.relative_to(root).as_posix() for path in found)


def test_imports_are_followed_in_all_their_forms(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "agent": "import tools.search\nfrom lib import text\ndef f():\n    import late\n",
            "tools/search": "from . import shared\nfrom .deep import thing\n",
            "tools/shared": "import agent\n",
            "tools/deep": "thing = 1\n",
            "lib/text": "import json, os\n",
            "late": "",
            "other": "",
        },
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
    write(tmp_path, {"agent": "import broken", "broken": "def ("})
    assert names(tmp_path, "agent.py") == ["agent.py", "broken.py"]


def test_a_package_wins_over_a_module_of_its_name_and_both_belong_to_it(tmp_path: Path) -> None:
    write(tmp_path, {"agent": "from helper import X\nfrom lib import h", "helper": "", "lib/h": ""})
    tree = module_tree(tmp_path / "agent.py", tmp_path)
    shadows = {tmp_path / "helper" / "__init__.py", tmp_path / "lib" / "h" / "__init__.py"}
    assert shadows <= tree.missing
    write(tmp_path, {"helper/__init__": "import late", "lib/h/__init__": "import later"})
    write(tmp_path, {"late": "", "later": ""})
    assert {"helper/__init__.py", "helper.py", "lib/h/__init__.py", "lib/h.py"} <= {
        *names(tmp_path, "agent.py")
    }
    assert {"late.py", "later.py"} <= {*names(tmp_path, "agent.py")}
    assert module_file("helper", tmp_path) == tmp_path / "helper" / "__init__.py"
    assert module_file("lib.h", tmp_path) == tmp_path / "lib" / "h" / "__init__.py"


def test_a_package_wins_over_a_folder_of_its_name_where_python_looks_first(tmp_path: Path) -> None:
    write(tmp_path, {"agents/mine": "import lib.h", "agents/lib/h": ""})
    write(tmp_path, {"lib/__init__": "", "lib/h": ""})
    assert names(tmp_path, "agents/mine.py") == ["agents/mine.py", "lib/__init__.py", "lib/h.py"]
    write(tmp_path, {"agents/lib/__init__": ""})
    assert names(tmp_path, "agents/mine.py") == [
        "agents/lib/__init__.py",
        "agents/lib/h.py",
        "agents/mine.py",
    ]


def test_a_module_that_is_no_package_has_no_modules(tmp_path: Path) -> None:
    write(tmp_path, {"agent": "from lib import h", "lib": "h = 1", "lib/h": ""})
    assert names(tmp_path, "agent.py") == ["agent.py", "lib.py"]


COMPILED = ["abi3.so", "cpython-39-x86_64-linux-gnu.so", "cp311-win_amd64.pyd", "so", "pyc"]


@pytest.mark.parametrize("suffix", COMPILED)
@pytest.mark.parametrize("inside", ["", "lib/"])
def test_a_compiled_module_belongs_to_it_and_may_import_others(
    tmp_path: Path, suffix: str, inside: str
) -> None:
    start = f"import {inside.replace('/', '.')}helper"
    write(tmp_path, {"agent": start, "lib/__init__": ""})
    compiled = tmp_path / f"{inside}helper.{suffix}"
    compiled.write_bytes(b"\0")
    tree = module_tree(tmp_path / "agent.py", tmp_path)
    assert compiled in tree.files
    assert not tree.is_whole
    write(tmp_path, {f"{inside}helper": "import late", "late": ""})  # either may be taken
    assert {compiled, tmp_path / "late.py"} <= module_tree(tmp_path / "agent.py", tmp_path).files


def test_a_compiled_module_would_win_over_its_source(tmp_path: Path) -> None:
    write(tmp_path, {"agent": "import helper, lib", "helper": "", "lib/__init__": ""})
    write(tmp_path, {"helper.old": "def"})
    tree = module_tree(tmp_path / "agent.py", tmp_path)
    assert {tmp_path / "helper.abi3.so", tmp_path / "lib" / "__init__.abi3.so"} <= tree.missing
    assert tmp_path / "helper.pyc" not in tree.missing
    assert tree.is_whole
    (tmp_path / "lib" / "__init__.so").write_bytes(b"\0")
    tree = module_tree(tmp_path / "agent.py", tmp_path)
    assert tmp_path / "lib" / "__init__.so" in tree.files
    assert module_file("lib", tmp_path) == tmp_path / "lib" / "__init__.so"


@pytest.mark.parametrize("place", ["agent.py", "bin/agent.py"])
def test_what_a_linked_script_imports_stands_beside_what_it_is_a_link_to(
    tmp_path: Path, place: str
) -> None:
    write(tmp_path, {"lib/agent": "import helper", "lib/helper": ""})
    link = tmp_path / place
    link.parent.mkdir(exist_ok=True)
    link.symlink_to(tmp_path / "lib" / "agent.py")
    files = {link, tmp_path / "lib" / "agent.py", tmp_path / "lib" / "helper.py"}
    assert module_tree(link, tmp_path).files == files
    write(tmp_path, {str(link.with_name("helper").relative_to(tmp_path)): ""})
    assert module_tree(link, tmp_path).files == {*files, link.with_name("helper.py")}


def test_what_a_linked_module_is_a_link_to_belongs_to_it(tmp_path: Path) -> None:
    write(tmp_path, {"agent": "import pack.h", "lib/h": "", "lib/__init__": ""})
    (tmp_path / "pack").symlink_to("lib")
    assert names(tmp_path, "agent.py") == [
        *("agent.py", "lib/__init__.py", "lib/h.py", "pack/__init__.py", "pack/h.py"),
    ]
    (tmp_path / "pack").unlink()
    (tmp_path / "pack").symlink_to("pack")
    assert names(tmp_path, "agent.py") == ["agent.py"]


@pytest.mark.parametrize(
    "listing",
    [
        "__all__ = ['h', 'k']",
        "__all__: list[str] = ['h']\n__all__ += ['k']",
        "__all__ = ['h']\n__all__.append('k')",
        "__all__ = ('h', 'k')\ndef __dir__():\n    return sorted(__all__)",
        "from lib import base\n__all__ = [*base.__all__, 'h', 'k'] + base.__all__",
    ],
)
@pytest.mark.parametrize("star", ["from lib import *", "from lib.inner import *"])
def test_a_star_imports_the_modules_that_a_package_lists(
    tmp_path: Path, listing: str, star: str
) -> None:
    write(tmp_path, {"agent": star, "lib/__init__": listing, "lib/h": "import late"})
    write(tmp_path, {"late": "", "other": ""})
    write(tmp_path, {"lib/inner/__init__": "from .. import *"})
    tree = module_tree(tmp_path / "agent.py", tmp_path)
    assert {tmp_path / "lib" / "h.py", tmp_path / "late.py"} <= tree.files
    assert tmp_path / "lib" / "k.py" in tree.missing
    assert tmp_path / "other.py" not in tree.files
    assert tree.is_whole


@pytest.mark.parametrize(
    "listing",
    [
        "__all__ = [*found()]",
        "__all__ = ['ru' + 'les']",
        "__all__ = 'rules h'.split()",
        "__all__ = []\n__all__ += [n for n in ('rules',)]",
        "__all__ = ['x']\n__all__[0] = name",
        "__all__ = []\nlisted = __all__\nlisted.append('rules')",
        "N = ['rules']\n(__all__ := N)",
        "N = ['rules']\nfor __all__ in [N]: pass",
        "from names import NAMES as __all__",
        "from lib.names import __all__",
        "globals()['__all__'] = ['rules']",
    ],
)
def test_a_star_that_imports_nobody_knows_what_is_said(tmp_path: Path, listing: str) -> None:
    write(tmp_path, {"agent": "from lib import *", "lib/__init__": listing})
    assert not module_tree(tmp_path / "agent.py", tmp_path).is_whole
    if "'__all__'" not in listing:
        write(tmp_path, {"agent": "from lib import x"})
        assert module_tree(tmp_path / "agent.py", tmp_path).is_whole


def test_what_runs_before_a_module_that_imports_relatively_belongs_to_it(tmp_path: Path) -> None:
    write(tmp_path, {"a/b/agent": "from . import other", "a/b/other": ""})
    write(tmp_path, {"a/__init__": "import late", "late": "", "__init__": ""})
    tree = module_tree(tmp_path / "a" / "b" / "agent.py", tmp_path)
    assert {path.relative_to(tmp_path).as_posix() for path in tree.files} == {
        *("a/b/agent.py", "a/b/other.py", "a/__init__.py", "late.py")
    }
    assert tmp_path / "a" / "b" / "__init__.py" in tree.missing


def test_a_module_is_loaded_with_the_packages_above_it(tmp_path: Path) -> None:
    write(tmp_path, {"pack/__init__": "import late", "pack/mod": "", "late": "", "beside": ""})
    tree = tree_of_target("pack.mod", tmp_path)
    assert tree is not None
    assert {path.relative_to(tmp_path).as_posix() for path in tree.files} == {
        *("pack/__init__.py", "pack/mod.py", "late.py")
    }
    by_path = tree_of_target("pack/mod.py", tmp_path)
    assert by_path is not None
    assert by_path.files == {tmp_path / "pack" / "mod.py"}  # it is loaded by itself
    assert tree_of_target("pack.none", tmp_path) is None


def test_a_module_is_found_by_its_dotted_name(tmp_path: Path) -> None:
    write(tmp_path, {"pack/mod": "", "src/other": ""})
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
