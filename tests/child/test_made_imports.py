"""What a Python module loads by calls: named ones are found, and of others it is said."""

import ast
from pathlib import Path

import pytest

from evaltui.child.made_imports import made_imports
from evaltui.child.python_files import module_tree, tree_of_code


@pytest.mark.parametrize(
    ("code", "names"),
    [
        ("import os, sys, json\nos.environ['A']; sys.argv; json.loads('1')", ()),
        ("import importlib\nimportlib.import_module('a.b')", ("a.b",)),
        ("from importlib import import_module as i, import_module\nimport_module('a')", ("a",)),
        ("def late():\n    return __import__('a', fromlist=['b'])", ("a", "a.b")),
        ("import_module('.a', __package__)", (".a",)),
        ("from importlib import import_module as load\nload('a')", ("a",)),
        ("import importlib as i\ni.import_module('.a', package='b.c')", ("b.c.a",)),
        ("i.import_module('..a', 'b.c')", ("b.a",)),
        ("import sys as s, os as o, logging\no.path.join(s.argv[0], o.environ['X'])", ()),
        ("import sys\nprint(1, file=sys.stderr)\nsys.exit()", ()),
        ("builtins = ['print']\nprint(builtins)", ()),
        ("from importlib.metadata import version\nversion('x')", ()),
        ("import importlib.util\nHAS = importlib.util.find_spec('torch') is not None", ()),
        ("import re\nre.compile('x')\nmodel.compile()\nsession.path", ()),
        ("import asyncio, re\nre.compile('x')\nasyncio.run(main())", ()),
    ],
)
def test_names_are_told(code: str, names: tuple[str, ...]) -> None:
    assert made_imports(ast.parse(code)) == (names, True)


@pytest.mark.parametrize(
    "code",
    [
        "import importlib\nimportlib.import_module(name)",
        "__import__(f'a.{b}')",
        "import sys\nsys.path.insert(0, 'vend')",
        "from sys import path\npath.append('vend')",
        "import runpy",
        "from subprocess import run",
        "import os\nos.system('sh x.sh')",
        "import os\nos.execvp('sh', ['sh'])",
        "from os import popen",
        "exec(open('x.py').read())",
        "import importlib.util as u\nu.spec_from_file_location('x', 'x.py')",
        "from importlib import import_module as load\nload(name)",
        "from importlib import import_module as load\nwith_it(load)",
        "import importlib as i\nload = i.import_module\nload('a')",
        "import importlib\ngetattr(importlib, 'import_' + 'module')('a')",
        "import_module('.a', package=name)",
        "import_module('.a')",
        "import_module('.a', *names)",
        "__import__('a', globals(), None, ['b'], 1)",
        "__import__('a', level=1)",
        "__import__('a', fromlist=names)",
        "load = __import__",
        "from importlib.util import spec_from_file_location as sf\nsf('h', 'x.py')",
        "from importlib import machinery",
        "from importlib import *",
        "import sys as s\ns.path.insert(0, 'vend')",
        "import os\nos.sys.path.append('vend')",
        "import sys\ngetattr(sys, 'pa' + 'th').append('vend')",
        "from os import *",
        "import os as o\no.system('sh x.sh')",
        "from site import addsitedir as add",
        "__path__.append('more')",
        "import lib\nlib.__path__ += ['more']",
        "globals()['__path__'] = ['more']",
        "import pydoc\npydoc.locate('helper.V')",
        "from pydoc import locate",
        "import zipimport",
        "run = exec",
        "from builtins import exec as run",
        "import builtins\nbuiltins.exec(text)",
        "import builtins\nvars(builtins)['ex' + 'ec'](text)",
        "eval(compile(text, 'x.py', 'exec'))",
        "from importlib.metadata import entry_points",
        "globals()['__all__'] = ['rules']",
        "await asyncio.create_subprocess_exec('sh')",
    ],
)
def test_it_is_said_where_something_else_is_loaded_or_started(code: str) -> None:
    flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT | ast.PyCF_ONLY_AST
    assert not made_imports(compile(code, "x.py", "exec", flags)).are_all


def test_modules_that_calls_name_belong_to_the_tree(tmp_path: Path) -> None:
    (tmp_path / "pack").mkdir()
    for name, text in {
        "mine.py": "import importlib\nimportlib.import_module('pack.deep')",
        "pack/__init__.py": "",
        "pack/deep.py": "import_module('.near', __package__)",
        "pack/near.py": "__import__('far')",
        "far.py": "",
        "lost.py": "import dynamic",
        "dynamic.py": "import_module(name)",
        "broken.py": "import worse",
        "worse.py": "def",
        "up.py": "import_module('../far')",
    }.items():
        (tmp_path / name).write_text(text)
    tree = module_tree(tmp_path / "mine.py", tmp_path)
    assert {path.relative_to(tmp_path).as_posix() for path in tree.files} == {
        "mine.py", "pack/__init__.py", "pack/deep.py", "pack/near.py", "far.py",
    }  # fmt: skip
    assert tree.is_whole
    for name in ("lost.py", "broken.py", "up.py"):
        assert not module_tree(tmp_path / name, tmp_path).is_whole, name


def test_code_of_a_command_is_read_as_a_module_in_its_folder(tmp_path: Path) -> None:
    (tmp_path / "svc").mkdir()
    (tmp_path / "svc" / "mine.py").write_text("import far")
    (tmp_path / "far.py").touch()
    tree = tree_of_code("import mine; mine.run()", tmp_path / "svc", tmp_path)
    assert tree is not None
    assert tree.files == {tmp_path / "svc" / "mine.py", tmp_path / "far.py"}
    assert tree.is_whole
    made = tree_of_code("exec(text)", tmp_path, tmp_path)
    assert made is not None
    assert not made.is_whole
    assert tree_of_code("cd agents && sh x.sh", tmp_path, tmp_path) is None
