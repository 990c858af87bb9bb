"""What reading registries loads, and when."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.registries.projects import read, write

CODE = """
import sys
from pathlib import Path
from evaltui.registries import read_registry
before = set(sys.modules)
read_registry(Path(sys.argv[1]))
heavy = {"asyncio", "tree_sitter", "tree_sitter_json", "tree_sitter_typescript", "pydantic"}
print(sorted(heavy & before), sorted(heavy & set(sys.modules)))
"""


def test_grammars_are_loaded_only_for_files_that_need_them(tmp_path: Path) -> None:
    write(tmp_path, {"tools.json": '[{"name": "a"}]'})
    command = [sys.executable, "-c", CODE, str(tmp_path)]
    out = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    assert out.stdout == "[] []\n"


def test_the_contracts_own_example() -> None:
    shared = Path(os.environ.get("EVALTUI_SHARED", Path(__file__).parents[3] / "shared"))
    if not (shared / "data/weather/tools.json").is_file():
        pytest.skip("the contract's example data is not here")
    found = read(shared / "data/weather", "tools.json")
    assert [(tool.name, tool.version, tool.line) for tool in found.registry] == [
        ("get_weather", "1.0.0", 3),
        ("get_forecast", "1.0.0", 22),
    ]
    assert found.problems == ()
