"""A function of the project that registers a tool registers one with each of its calls."""

from pathlib import Path

import pytest

from evaltui.registries.typescript import budget
from tests.registries.projects import read, write

NAMED = "'get_tram', 'Finds trams.', { stop: { type: 'string' } }"
CONFIG = "{ description: 'Finds trams.', inputSchema: { stop: { type: 'string' } } }"
WHOLE = f"{{ name: 'get_tram', ...{CONFIG} }}"
WRAPPERS = {
    "a constant": "const server = new McpServer();\n"
    "const tool = (name, text, shape, run) => { seen.add(name); server.registerTool(name, "
    f"{{ description: text, inputSchema: shape }}, async () => run()); }};\ntool({NAMED}, find);",
    "a function": "function add(server, name, text, shape) { server.tool(name, text, shape, go); }"
    f"\nexport function start(server) {{ add(server, {NAMED}); }}",
    "a function in a function": "function start(server) {"
    " function add(name, config) { server.registerTool(name, config, go); }"
    f" add('get_tram', {CONFIG}); }}",
    "told later": "function registerTool(name, config) {"
    " later.push((server) => { server.registerTool(name, config, go); }); }"
    f"\nregisterTool('get_tram', {CONFIG});",
    "of a whole tool": "const addTool = (tool) => { if (all) { server.addTool(tool); return; }"
    f" if (some.has(tool.name)) server.addTool(tool); }};\naddTool({WHOLE});",
    "taken apart": "const add = ({ name, ...rest }) => "
    "server.registerTool(name, { description: 'Finds trams.', inputSchema: shape }, go);"
    f"\nconst shape = {{ stop: {{ type: 'string' }} }};\nadd({WHOLE});",
    "a method": "class Trams extends McpServer {"
    f" constructor() {{ super(); this.define({NAMED}); }}"
    " define(name, text, shape) { this.registerTool(name, { description: text,"
    " inputSchema: shape }, go); } }",
    "a field": "class Trams {"
    " add = (name, text, shape) => { this.server.tool(name, text, shape, go); };"
    f" start() {{ this.add({NAMED}); }} }}",
    "a method in a prototype": "function Trams() { this.start(); }"
    "\nTrams.prototype.add = function (name, text, shape) {"
    " this.server.tool(name, text, shape, go); };"
    f"\nTrams.prototype.start = function () {{ this.add({NAMED}); }};",
    "called as before arrows": "function Trams() {"
    f" var _this = this; later(function () {{ _this.add({NAMED}); }}); }}"
    "\nTrams.prototype.add = function (name, text, shape) {"
    " this.server.tool(name, text, shape, go); };",
    "two that hand on": "const inner = (name, config) => server.registerTool(name, config, go);"
    "\nconst outer = (name, config) => { inner(name, config); };"
    f"\nouter('get_tram', {CONFIG});",
    "what a function returns": "export function adder(server) { return (tool) => {"
    " server.tool(tool.name, tool.description, tool.inputSchema, go); }; }"
    f"\nexport function start(server) {{ const add = adder(server); add({WHOLE}); }}",
    "what an arrow returns": "const adder = (server) => (name, config) => "
    "server.registerTool(name, config, go);"
    f"\nconst add = adder(make());\nadd('get_tram', {CONFIG});",
    "in a loop": "const add = (tool) => server.registerTool(tool.name, "
    "{ description: tool.description, inputSchema: tool.inputSchema }, go);"
    f"\nfor (const each of [{WHOLE}]) add(each);",
}
PARAMETERS = {
    "type": "object", "properties": {"stop": {"type": "string"}}, "required": ["stop"],
}  # fmt: skip


@pytest.mark.parametrize("text", WRAPPERS.values(), ids=WRAPPERS)
@pytest.mark.parametrize("suffix", ["ts", "js"])
def test_a_call_of_what_registers_is_a_registration(text: str, suffix: str, tmp_path: Path) -> None:
    write(tmp_path, {f"server.{suffix}": text})
    found = read(tmp_path, f"server.{suffix}")
    (tool,) = found.registry
    assert (tool.name, tool.description) == ("get_tram", "Finds trams.")
    assert tool.parameters == PARAMETERS
    assert found.problems == ()


def test_it_may_be_called_in_other_files(tmp_path: Path) -> None:
    files = {
        "src/add.ts": "export function add(server, name, config, run) {"
        " server.registerTool(name, config, async () => run()); }",
        "src/tram.ts": "import { add as put } from './add';\n"
        f"export const startTram = (server) => put(server, 'get_tram', {CONFIG}, go);",
        "src/bus.ts": "import { add } from './add';\nimport { text } from './text';\n"
        "export const startBus = (server) => add(server, 'get_bus', { description: text }, go);",
        "src/text.ts": "export const text = 'Finds buses.';",
        "src/taxi.ts": "import * as kit from './add';\n"
        "export const startTaxi = (server) => kit.add(server, 'get_taxi', {}, go);",
        "src/index.ts": "import './tram'; import './bus'; import './taxi';",
    }
    found = read(write(tmp_path, files), "src/index.ts")
    places = {tool.name: (tool.file, tool.line) for tool in found.registry}
    assert places == {
        "get_tram": ("src/tram.ts", 2),
        "get_bus": ("src/bus.ts", 3),
        "get_taxi": ("src/taxi.ts", 2),
    }
    assert found.registry.tools["get_bus"].depends_on == (
        "src/bus.ts", "src/add.ts", "src/text.ts",
    )  # fmt: skip


def test_what_it_makes_of_a_tool_counts_once_and_where_the_tool_is_written(tmp_path: Path) -> None:
    text = f"""
    export const tram = {WHOLE};
    const add = (tool) => server.tool(tool.name, tool.description + ' Or so.', shape, go);
    add(tram);
    """
    (tool,) = read(write(tmp_path, {"server.ts": text}), "server.ts").registry
    assert (tool.description, tool.line) == ("Finds trams. Or so.", 2)


OTHERS = {
    "another of its name": "const add = (name, text) => server.tool(name, text, {}, go);\n"
    "function other() { const add = (a, b) => a + b; add('x', 'y'); }\nadd('get_tram', 'T.');",
    "a method of another thing": "class A {"
    " add(name, text) { this.server.tool(name, text, {}, go); }"
    " start() { this.add('get_tram', 'T.'); new Set().add('x', 'y'); } }",
    "itself": "function add(name, text) { server.tool(name, text, {}, go); add('x', text); }\n"
    "add('get_tram', 'T.');",
}


@pytest.mark.parametrize("text", OTHERS.values(), ids=OTHERS)
def test_a_call_of_something_else_is_none(text: str, tmp_path: Path) -> None:
    write(tmp_path, {"server.ts": text})
    assert list(read(tmp_path, "server.ts").registry.tools) == ["get_tram"]


def test_one_that_nobody_calls_is_said(tmp_path: Path) -> None:
    write(
        tmp_path, {"server.ts": "export const add = (name) => server.registerTool(name, {}, go);"}
    )
    found = read(tmp_path, "server.ts")
    assert list(found.registry) == []
    (problem,) = found.problems
    assert "cannot be read without running `name`" in problem.what


def test_no_more_calls_are_followed_than_a_reading_may(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(budget, "MAX_CALLS", 10)
    calls = "".join(f"add('t{index}', {{}});" for index in range(20))
    text = f"const add = (name, config) => server.registerTool(name, config, go);\n{calls}"
    found = read(write(tmp_path, {"server.ts": text}), "server.ts")
    assert [tool.name for tool in found.registry] == [f"t{index}" for index in range(10)]
    (problem,) = found.problems
    assert (problem.code, problem.line) == ("too-many-calls", 1)
