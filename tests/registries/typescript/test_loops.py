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


NESTED = {
    "of names": "for (const verb of ['get', 'set']) { for (const noun of ['a', 'b'])"
    " server.tool(`${verb}_${noun}`, `Will ${verb} ${noun}.`, {}, run); }",
    "of lists": "const nouns = ['a', 'b'], ALL = [{ verb: 'get', nouns }, { verb: 'set', nouns }];"
    "\nfor (const { verb, nouns } of ALL) nouns.forEach((noun) => {"
    " server.tool(verb + '_' + noun, `Will ${verb} ${noun}.`, {}, run); });",
    "of a map": "const ALL = { get: ['a', 'b'], set: ['a', 'b'] };"
    "\nObject.entries(ALL).forEach(([verb, nouns]) => { for (const noun of nouns)"
    " server.tool(`${verb}_${noun}`, `Will ${verb} ${noun}.`, {}, run); });",
    "in a function": "function add(verb) { for (const l of [['a'], ['b']]) for (const noun of l)"
    " server.tool(`${verb}_${noun}`, `Will ${verb} ${noun}.`, {}, run); }"
    "\nadd('get'); add('set');",
}


@pytest.mark.parametrize("text", NESTED.values(), ids=NESTED)
def test_a_loop_in_a_loop_runs_in_each_turn_of_the_outer_one(text: str, tmp_path: Path) -> None:
    found = read(write(tmp_path, {"index.ts": text}), "index.ts")
    assert found.problems == ()
    assert {tool.name: tool.description for tool in found.registry} == {
        f"{verb}_{noun}": f"Will {verb} {noun}." for verb in ("get", "set") for noun in ("a", "b")
    }


def test_loops_in_loops_with_too_many_turns_are_said(tmp_path: Path) -> None:
    names = ", ".join(f"'n{number}'" for number in range(100))
    loops = "".join(f"for (const {name} of ALL) " for name in "xyz")
    text = f"const ALL = [{names}];\n{loops}server.tool(x + y + z, 'T.', {{}}, run);"
    found = read(write(tmp_path, {"index.ts": text}), "index.ts")
    assert "cannot be read without running" in found.problems[0].what


LOOP = "for (const tool of TOOLS) server.tool(tool.name, tool.description, wrap(tool), run);"


def test_what_only_running_the_loop_tells_is_said_once_for_all_tools(tmp_path: Path) -> None:
    write(tmp_path, {"tools.ts": TOOLS, "index.ts": f"{HEAD}{LOOP}"})
    found = read(tmp_path, "index.ts")
    assert [(tool.name, tool.parameters) for tool in found.registry] == [("a", None), ("b", None)]
    (problem,) = found.problems
    what = "`parameters` of the tools `a` and `b` cannot be read without running `wrap(tool)`"
    assert problem.what == what


@pytest.mark.parametrize(
    ("count", "wanted"),
    [
        (1, "tool `t0`"), (3, "the tools `t0`, `t1` and `t2`"),
        (4, "the tools `t0`, `t1`, `t2` and `t3`"),
        (5, "the tools `t0`, `t1`, `t2` and 2 others"),
    ],
)  # fmt: skip
def test_a_problem_of_many_tools_names_some(count: int, wanted: str, tmp_path: Path) -> None:
    made = ", ".join(f"{{ name: 't{index}', description: 'T.' }}" for index in range(count))
    write(tmp_path, {"index.ts": f"const TOOLS = [{made}];\n{LOOP}"})
    (problem,) = read(tmp_path, "index.ts").problems
    assert problem.what.startswith(f"`parameters` of {wanted} cannot be read")


def test_a_loop_that_registers_under_another_name_has_the_last_word(tmp_path: Path) -> None:
    tool = "{ method: 'list_pots', name: 'List pots', description: 'L.', parameters: {} }"
    files = {
        "tools.ts": f"const tools = [{tool}];\nexport default tools;",
        "kit.ts": "import tools from './tools';\nclass Kit extends McpServer {"
        " constructor() { super(); tools.forEach((each) => { if (wanted(each)) {"
        " this.tool(each.method, each.description, each.parameters, async () => {}); } }); } }",
    }
    found = read(write(tmp_path, files), ".")
    assert [(tool.name, tool.file) for tool in found.registry] == [("list_pots", "tools.ts")]
