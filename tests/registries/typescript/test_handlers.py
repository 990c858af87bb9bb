"""The list that a low-level MCP server answers with is read where its handler names it."""

from pathlib import Path

import pytest

from tests.registries.projects import read, write

A = "{ name: 'a', description: 'A.', inputSchema: { type: 'object', properties: {} } }"
BODIES = {
    "by the same name": f"const tools = [{A}]; return {{ tools }};",
    "by another": f"const every = [{A}]; return {{ tools: every }};",
    "typed": f"return {{ tools: [{A}] as Tool[] }};",
}
SERVER = """
const server = new Server({ name: 'x' }, { capabilities: { tools: {} } });
server.setRequestHandler(ListToolsRequestSchema, async () => { BODY });
server.setRequestHandler(CallToolRequestSchema, async (given) => { const { tools } = given; });
"""


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_a_list_of_the_handler_is_read(body: str, tmp_path: Path) -> None:
    write(tmp_path, {"index.ts": SERVER.replace("BODY", body)})
    found = read(tmp_path, "index.ts")
    assert (list(found.registry.tools), found.problems) == (["a"], ())


def test_what_is_added_to_it_later_is_said(tmp_path: Path) -> None:
    body = f"const tools = [{A}]; if (more()) tools.push(more()); return {{ tools }};"
    write(tmp_path, {"index.ts": SERVER.replace("BODY", body)})
    found = read(tmp_path, "index.ts")
    assert list(found.registry.tools) == ["a"]
    (problem,) = found.problems
    assert "part of the list of tools cannot be read" in problem.what
