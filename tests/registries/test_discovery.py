"""Where registries are looked for when nobody says, and types told by names."""

from pathlib import Path

import pytest

from evaltui.core.config import RegistrySource
from evaltui.registries.discovery import discover, source_type
from tests.registries.projects import script, write

LIST = '[{"name": "a", "description": "A."}]'
SERVER = "server.registerTool('a', {}, run);"


@pytest.mark.parametrize(
    ("files", "found"),
    [
        ([], []),
        (
            ["tools/tools.exports.ts", "tools/tools.exports.js", "tools/a.tool.ts"],
            ["tools/tools.exports.ts"],
        ),
        (["src/tools/tools.exports.js"], ["src/tools/tools.exports.js"]),
        (
            ["a/tools/tools.exports.ts", "b/tools/tools.exports.ts"],
            ["a/tools/tools.exports.ts", "b/tools/tools.exports.ts"],
        ),
        (["agent/a.tool.ts", "agent/more/b.tool.js", "other/c.tool.mts"], ["agent", "other"]),
        (["src/tools/index.ts", "src/tools/a.ts"], ["src/tools/index.ts"]),
        (["src/index.ts", "src/other.ts"], ["src/index.ts"]),
        (["tools.json", "mcp-tools.json", "package.json"], ["mcp-tools.json", "tools.json"]),
        (
            ["tools/weather.json", "tools/package.json", "other/weather.json"],
            ["tools/weather.json"],
        ),
        (["tools/b.ts", "tools/more/c.ts", "src/tool/a.mjs", "other/d.ts"], ["src/tool", "tools"]),
        (
            [
                "node_modules/x/tools.exports.ts",
                ".git/tools.json",
                "dist/tools.json",
                ".venv/tools.json",
            ],
            [],
        ),
        (["a/b/c/d/e/f/g/h/tools.json"], []),
    ],
)
def test_usual_places(files: list[str], found: list[str], tmp_path: Path) -> None:
    content = {
        name: LIST if name.endswith("json") else SERVER if "src/index" in name else script("a")
        for name in files
    }
    write(tmp_path, content)
    assert [source.location for source in discover(tmp_path).sources] == found


def test_a_list_beside_scripts_is_mentioned(tmp_path: Path) -> None:
    write(tmp_path, {"tools/tools.exports.ts": script("a"), "tools.json": LIST})
    found = discover(tmp_path)
    assert [source.type for source in found.sources] == ["typescript"]
    assert [(problem.file, problem.code) for problem in found.problems] == [
        ("tools.json", "registry-unread")
    ]


def test_scripts_beside_a_list_are_mentioned_where_they_look_like_tools(tmp_path: Path) -> None:
    build = "export const release = () => run('npm');"
    write(tmp_path, {"tools/a.ts": script("a"), "more/tools/b.ts": build, "tools/c.json": LIST})
    found = discover(tmp_path)
    assert [source.location for source in found.sources] == ["tools/c.json"]
    assert [(problem.file, problem.code) for problem in found.problems] == [
        ("tools", "registry-unread")
    ]


@pytest.mark.parametrize(
    ("location", "type_"),
    [
        ("x.ts", "typescript"),
        ("x.cjs", "typescript"),
        ("x.json", "json"),
        ("src/**/*.tool.ts", "typescript"),
        ("scripts", "folder"),
        ("lists", "folder"),
        ("lists/*.json", "json"),
        ("nowhere", "auto"),
        ("https://example.org/openapi.json", "auto"),
        ("x.yaml", "openapi"),
        ("docs/petstore-openapi.json", "openapi"),
        ("open-api.json", "openapi"),
        ("docs/open_api.v2.json", "openapi"),
        ("tools/all.py", "python"),
        ("tools/all.py:TOOLS", "python"),
        (".mcp.json", "mcp"),
        ("x.txt", "auto"),
    ],
)
def test_auto_goes_by_the_name(location: str, type_: str, tmp_path: Path) -> None:
    write(tmp_path, {"scripts/a.ts": "", "scripts/b.json": "", "lists/b.json": ""})
    assert source_type(RegistrySource("auto", location), tmp_path) == type_
    assert source_type(RegistrySource("json", location), tmp_path) == "json"
