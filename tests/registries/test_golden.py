"""Small projects, each with every tool and problem that reading it must give.

Run with EVALTUI_UPDATE_GOLDEN=1 to write `expected.json` anew, then read the difference.
"""

import json
import os
from pathlib import Path

import pytest

from evaltui.core.json_value import Json
from evaltui.registries import ReadRegistry, read_registry

DATA = Path(__file__).parent / "data"
PROJECTS = sorted(path.name for path in DATA.iterdir() if path.is_dir())


def as_json(read: ReadRegistry) -> dict[str, Json]:
    """Everything a reading says, short enough to be read by people."""
    tools: list[Json] = []
    for tool in read.registry:
        shown: dict[str, Json] = {
            "name": tool.name,
            "description": tool.description,
            "version": tool.version,
            "category": tool.category,
            "status": tool.status.value,
            "parameters": tool.parameters,
            "at": f"{tool.file}:{tool.line}",
            "depends_on": list(tool.depends_on),
            "unresolved": [
                f"{item.field} {item.file}:{item.line} {item.expression}"
                for item in tool.unresolved
            ],
        }
        tools.append({key: value for key, value in shown.items() if value not in (None, [])})
    return {
        "tools": tools,
        "files": sorted(read.registry.files),
        "problems": [f"{problem.severity.value} {problem}" for problem in read.problems],
    }


@pytest.mark.parametrize("project", PROJECTS)
def test_project_reads_as_expected(project: str) -> None:
    expected = DATA / project / "expected.json"
    found = as_json(read_registry(DATA / project))
    if os.environ.get("EVALTUI_UPDATE_GOLDEN"):
        text = json.dumps(found, indent=2, ensure_ascii=False)
        expected.write_text(f"{text}\n", "utf-8")
    assert found == json.loads(expected.read_text("utf-8"))
