"""A loop that registers tools says what models are told of each, not the list that it goes over."""

from pathlib import Path

import pytest

from tests.registries.projects import read, write

TOOLS = """
import { z } from 'zod';
const a = { name: 'a', description: 'A.', inputSchema: z.object({ x: z.string() }) };
const b = { name: 'b', description: 'B.', inputSchema: z.object({ y: z.number() }) };
export const TOOLS = [a, b];
"""
BODY = (
    "const description = f(tool.description);"
    " server.tool(tool.name, description, { params: tool.inputSchema.optional() }, handler);"
)
LOOPS = {
    "forEach": f"TOOLS.forEach((tool) => {{ {BODY} }});",
    "function": f"TOOLS.forEach(function (tool) {{ {BODY} }});",
    "of": f"for (const tool of TOOLS) {{ {BODY} }}",
    "in a function": f"function start(server) {{ for (const tool of TOOLS) {{ {BODY} }} }}",
    "fields": "for (const { name, description, inputSchema } of TOOLS) "
    "server.tool(name, f(description), { params: inputSchema.optional() }, handler);",
}
HEAD = "import { TOOLS } from './tools';\nconst f = (text) => `${text} Or so.`;\n"


@pytest.mark.parametrize("loop", LOOPS.values(), ids=LOOPS)
@pytest.mark.parametrize("also", ["", "export { TOOLS };"])
def test_what_a_loop_wraps_is_wrapped(loop: str, also: str, tmp_path: Path) -> None:
    write(tmp_path, {"tools.ts": TOOLS, "index.ts": f"{HEAD}{also}{loop}"})
    found = read(tmp_path, "index.ts")
    assert found.problems == ()
    a, b = found.registry
    assert (a.name, a.description, a.file, a.line) == ("a", "A. Or so.", "tools.ts", 3)
    assert b.parameters == {
        "type": "object",
        "properties": {
            "params": {
                "type": "object",
                "properties": {"y": {"type": "number"}},
                "required": ["y"],
            }
        },
    }


def test_what_only_running_the_loop_tells_is_said_for_each_tool(tmp_path: Path) -> None:
    loop = "for (const tool of TOOLS) server.tool(tool.name, tool.description, wrap(tool), run);"
    write(tmp_path, {"tools.ts": TOOLS, "index.ts": f"{HEAD}{loop}"})
    found = read(tmp_path, "index.ts")
    assert [(tool.name, tool.parameters) for tool in found.registry] == [("a", None), ("b", None)]
    said = [problem.what for problem in found.problems]
    assert len(said) == 2
    assert all("cannot be read without running `wrap(tool)`" in what for what in said)
