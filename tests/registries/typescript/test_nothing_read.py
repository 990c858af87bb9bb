"""A server whose tools cannot be read is never nothing: it is said, with what to do."""

from pathlib import Path

import pytest

from evaltui.core.errors import Severity
from tests.registries.projects import read, script, write

SERVERS = {
    "handler": "new McpServer({});\nserver.setRequestHandler(ListToolsRequestSchema, () => all());",
    "loop": "import { x } from 'pkg';\nnew McpServer({});\nfor (const t of x()) add(t);",
    "own": "const server = new McpServer({});\nrouter.setTool(load());",
}


@pytest.mark.parametrize("text", SERVERS.values(), ids=SERVERS)
@pytest.mark.parametrize("named", [True, False], ids=["named", "found"])
def test_its_file_and_a_way_out_are_named(text: str, named: bool, tmp_path: Path) -> None:
    write(tmp_path, {"src/server.ts": f"\n{text}"})
    (problem,) = read(tmp_path, *(["src/server.ts"] if named else [])).problems
    assert (problem.file, problem.severity) == ("src/server.ts", Severity.WARNING)
    assert problem.line in (2, 3)
    assert "cannot be read" in problem.what
    assert 'type = "mcp"' in problem.hint


def test_a_server_without_anything_in_the_usual_places_is_said(tmp_path: Path) -> None:
    package = '{\n "dependencies": {\n  "@modelcontextprotocol/sdk": "1" } }'
    write(tmp_path, {"package.json": package, "src/main/deep/own.ts": "export const a = 1;"})
    (problem,) = read(tmp_path).problems
    assert (problem.file, problem.line) == ("package.json", 3)
    assert 'type = "mcp"' in problem.hint
    write(tmp_path, {"src/tools/index.js": "export const tools = [];"})
    assert read(tmp_path).problems == (problem,)
    write(tmp_path, {"package.json": "{}"})
    assert read(tmp_path).problems == ()


def test_what_is_no_server_and_was_not_named_is_none_of_ours(tmp_path: Path) -> None:
    write(tmp_path, {"tools/index.ts": "export const size = 5;"})
    assert read(tmp_path).problems == ()
    assert [problem.code for problem in read(tmp_path, "tools/index.ts").problems] == ["no-tools"]


NAMED = {
    "src/a.tool.ts": script("a"),
    "src/list.ts": "import { aTool } from './a.tool.js';\nimport { toolList } from './other.js';\n"
    "toolList.push(aTool);\nif (process.env.X) toolList.push(aTool);",
}


def test_tools_beside_files_that_are_named_as_such_are_said_to_be_left_out(tmp_path: Path) -> None:
    write(tmp_path, NAMED)
    assert [problem.code for problem in read(tmp_path).problems] == ["conditional-tool"]
    write(tmp_path, {"src/simple.ts": script("b") + script("a"), "src/words.ts": "broken {"})
    found = read(tmp_path)
    assert list(found.registry.tools) == ["a"]
    left_out = next(problem for problem in found.problems if problem.code == "registry-unread")
    assert (left_out.file, left_out.severity) == ("src/simple.ts", Severity.LINT)
    assert "defines `b` and is left out" in left_out.what
    assert "src/simple.ts" in found.registry.files
    assert list(read(tmp_path, "src", "src/simple.ts").registry.tools) == ["a", "b"]


@pytest.mark.parametrize(
    "sources",
    [
        ("src", "src/simple.ts"),
        ("src/simple.ts", "src"),
        ("src", "./src/simple.ts"),
        ("src", "src/*.ts"),
        ("src", "barrel.ts"),
    ],
)
def test_files_beside_that_are_named_too_are_not_said_to_be_left_out(
    sources: tuple[str, ...], tmp_path: Path
) -> None:
    files = {"src/a.tool.ts": script("a"), "src/simple.ts": script("b")}
    write(tmp_path, {**files, "src/other.ts": script("c")})
    write(tmp_path, {"barrel.ts": "export * from './src/simple.js';"})
    found = read(tmp_path, *sources)
    assert {"a", "b"} <= {*found.registry.tools}
    said = [problem.file for problem in found.problems]
    assert said == ["src/other.ts"] * ("c" not in found.registry.tools)


@pytest.mark.parametrize(
    ("key", "is_read", "says"),
    [
        ("zodSchema", True, ()),
        ("argsSchema", True, ()),
        ("shape", False, ("tool-field",)),
        ("outputSchema", False, ()),
    ],
)
def test_a_schema_of_a_tool_is_read_or_named(
    key: str, is_read: bool, says: tuple[str, ...], tmp_path: Path
) -> None:
    field = f"{key}: z.object({{ q: z.string() }})"
    text = f"export const tools = [{{ name: 'a', description: 'A.', {field}, execute: go }}];"
    write(tmp_path, {"tools/index.ts": f"import {{ z }} from 'zod';\n{text}"})
    found = read(tmp_path, "tools/index.ts")
    assert tuple(problem.code for problem in found.problems) == says
    assert (found.registry.tools["a"].parameters is not None) == is_read


@pytest.mark.parametrize(
    ("glob", "names"),
    [
        ("dist/**/*.js", {"a", "b"}),
        ("dist/build/*.js", {"b"}),
        ("**/*.js", {"c"}),
        ("node_modules/x/*.js", {"d"}),
        ("dist/**/x/*.js", set()),
    ],
)
def test_a_glob_means_the_folders_that_it_names(glob: str, names: set[str], tmp_path: Path) -> None:
    places = {
        "a": "dist/a.js",
        "b": "dist/build/b.js",
        "c": "src/c.js",
        "d": "node_modules/x/d.js",
        "e": "dist/node_modules/x/e.js",
    }
    write(tmp_path, {place: script(name) for name, place in places.items()})
    assert set(read(tmp_path, glob).registry.tools) == names


def test_a_server_is_said_beside_a_bundle_that_does_not_parse(tmp_path: Path) -> None:
    write(tmp_path, {"src/server.js": SERVERS["handler"], "src/ui.js": "const = {"})
    bundle, server = read(tmp_path, "src").problems
    assert (bundle.file, bundle.severity) == ("src/ui.js", Severity.ERROR)
    assert (server.file, server.code) == ("src/server.js", "no-tools")
    write(tmp_path, {"src/server.js": "export const a = 1;"})
    assert [problem.file for problem in read(tmp_path, "src").problems] == ["src/ui.js"]
