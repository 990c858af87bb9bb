"""Functions that make tools, alone or in lists: what they return counts, not they themselves."""

from pathlib import Path

import pytest

from tests.registries.projects import read, write

CREATE = """
export function createTool(config) {
  const handler = async (input) => config.execute(input);
  const { description, schema } = config;
  return { name: config.name, description, inputSchema: schema, handler };
}
"""
TRAM = "{ name: 'get_tram', description: 'Finds trams.', schema: { stop: { type: 'string' } } }"
LISTS = {
    "a function": f"export function createTrams(client) {{ return [createTool({TRAM})]; }}",
    "an arrow": f"export const createTrams = (client) => [createTool({TRAM})];",
    "after a check": "export function createTrams(client) {"
    f" if (!client) throw new Error('No client.'); return [createTool({TRAM})]; }}",
    "described only": "export const createTramTools = () => "
    "[{ name: 'get_tram', description: 'Finds trams.' }];",
}


@pytest.mark.parametrize("text", LISTS.values(), ids=LISTS)
def test_a_list_that_a_function_returns_is_read(text: str, tmp_path: Path) -> None:
    files = {
        "src/create.ts": CREATE,
        "src/trams.ts": f"import {{ createTool }} from './create';{text}",
    }
    found = read(write(tmp_path, files), "src")
    (tool,) = found.registry
    assert (tool.name, tool.description) == ("get_tram", "Finds trams.")
    assert found.problems == ()


def test_other_lists_that_functions_return_hold_no_tools(tmp_path: Path) -> None:
    text = f"""
    export const tram = {{ ...{TRAM}, handler }};
    export const formats = () => [{{ name: 'long', description: 'All of it.' }}];
    export const numbers = () => [1, 2];
    """
    found = read(write(tmp_path, {"src/trams.ts": text}), "src")
    assert (list(found.registry.tools), found.problems) == (["get_tram"], ())


@pytest.mark.parametrize("parameter", ["config", "{ name, ...config }"])
def test_a_function_that_makes_tools_of_what_it_is_handed_is_none(
    parameter: str, tmp_path: Path
) -> None:
    name = "config.name" if parameter == "config" else "name"
    text = f"export const make = ({parameter}) => ({{ name: {name}, inputSchema: {{}}, handler }});"
    text += f"\nexport const tram = make({TRAM});"
    found = read(write(tmp_path, {"src/trams.ts": text}), "src")
    assert (list(found.registry.tools), found.problems) == (["get_tram"], ())


def test_a_name_that_running_the_code_makes_is_said(tmp_path: Path) -> None:
    text = "export const make = (config) => ({ name: nameOf(config), inputSchema: {}, handler });"
    (problem,) = read(write(tmp_path, {"src/trams.ts": text}), "src").problems
    assert "the `name` of a tool cannot be read without running `nameOf(config)`" in problem.what


@pytest.mark.parametrize("name", ["createTrams", "createTools"])
def test_what_hides_a_tool_in_such_a_list_is_said(name: str, tmp_path: Path) -> None:
    files = {
        "src/create.ts": CREATE,
        "src/trams.ts": "import { createTool } from './create';\nimport { more } from 'pkg';\n"
        f"export const {name} = (client) => [createTool({TRAM}), ...more(client)];\n"
        "export const places = (client) => [...more(client)];",
    }
    found = read(write(tmp_path, files), "src")
    assert list(found.registry.tools) == ["get_tram"]
    (problem,) = found.problems
    assert (problem.file, problem.line, problem.code) == ("src/trams.ts", 3, "unresolved")
