"""A registration that cannot be read is said, whatever else can be."""

from pathlib import Path

import pytest

from tests.registries.projects import read, write

HEAD = """import { fetched } from 'some-lib';
const server = new McpServer({ name: 'x', version: '1' });
const TABS = [{ name: 'info', content: 'I.' }, { name: 'acts', content: 'A.' }];
"""
READ = "\nserver.registerTool('manage', { description: 'M.', inputSchema: {} }, run);"
UNREAD = {
    "a loop": (
        "for (const tab of fetched()) server.registerTool(tab.name, { description: 'T.' }, run);",
        ["tab.name"],
    ),
    "a template": (
        "function add(server, o) { for (const tab of fetched())"
        " server.registerTool(`${o.prefix}_${tab.name}`, { description: 'T.' }, run); }"
        "\nadd(server, { prefix: 'p' });",
        ["o.prefix"],
    ),
    "a static method": (
        "class Kit { static addAll(server) { for (const tool of this.tools)"
        " server.registerTool(tool.name, { description: tool.text }, run); } }",
        ["tool.name"],
    ),
    "a method of a method": (
        "class Kit { static one(server, tool) {"
        " server.registerTool(tool.name, { description: tool.text }, run); }"
        " static addAll(server) { for (const tool of this.tools) this.one(server, tool); } }",
        ["tool.name"],
    ),
    "one of two calls": (
        "const add = (tool) => server.registerTool(tool.name, { description: 'T.' }, run);"
        "\nadd(TABS[0]); add(fetched());",
        ["add(fetched())"],
    ),
    "one of a list": (
        "for (const name of ['info', fetched()])"
        " server.registerTool(name, { description: 'T.' }, run);",
        ["fetched()"],
    ),
    "a whole tool": ("server.addTool(fetched());", ["fetched()"]),
    "a proxy": (
        "const changed = new Proxy(server, handler);"
        "\nchanged.registerTool('info', { description: 'T.' }, run);",
        ["new Proxy(server, handler)"],
    ),
    "an exported proxy": (
        "export default new Proxy(server, handler);",
        ["new Proxy(server, handler)"],
    ),
    "a proxy of a list": (
        "export const tools = new Proxy([{ name: 'info', description: 'T.', parameters: {} }], h);",
        ["new Proxy([{ name: 'info', description: 'T.', parameters: {} }], h)"],
    ),
    "changed later": (
        "const info = server.registerTool('info', { description: 'T.' }, run);"
        "\ninfo.update({ description: 'X' });",
        ["info.update({ description: 'X' })"],
    ),
    "taken away": (
        "server.registerTool('info', { description: 'T.' }, run).disable();",
        ["server.registerTool('info', { description: 'T.' }, run).disable()"],
    ),
    "spread": ("server.addTool({ ...fetched(), description: 'T.' });", ["...fetched()"]),
}


@pytest.mark.parametrize(("text", "hidden"), UNREAD.values(), ids=UNREAD)
@pytest.mark.parametrize("rest", ["", READ])
def test_it_is_said_beside_tools_that_are_read(
    text: str, hidden: list[str], rest: str, tmp_path: Path
) -> None:
    write(tmp_path, {"server.js": HEAD + text + rest})
    found = read(tmp_path, "server.js")
    assert ("manage" in found.registry.tools) is bool(rest)
    said = [one.what for one in found.problems if "part of the list of tools" in one.what]
    assert [what.split("running ")[1] for what in said] == [f"`{one}`" for one in hidden]


def test_a_description_that_is_spread_is_said(tmp_path: Path) -> None:
    write(tmp_path, {"server.js": f"{HEAD}server.addTool({{ name: 'a', ...fetched() }});"})
    found = read(tmp_path, "server.js")
    (tool,) = found.registry
    assert "description" in [item.field for item in tool.unresolved]
    assert [problem.code for problem in found.problems] == ["unresolved"]


LOOPS = {
    "of": "function add(server, tabs) { for (const tab of tabs) CALL; }\nadd(server, TABS);",
    "forEach": "const add = (server, tabs) => { tabs.forEach((tab) => { CALL; }); };"
    "\nadd(server, TABS);",
    "a method": "class Kit { start() { this.add(server, TABS); }"
    " add(server, tabs) { for (const tab of tabs) CALL; } }",
    "handed on": "function add(server, tabs) { for (const tab of tabs) CALL; }"
    "\nfunction start(server, all) { add(server, all); }\nstart(server, TABS);",
    "called in a loop": "function add(server, tabs) { for (const tab of tabs) CALL; }"
    "\nfor (const tab of TABS) add(server, [tab]);",
    "calls in a loop": "function one(server, tab) { CALL; }"
    "\nfunction add(server, tabs) { for (const each of tabs) one(server, each); }"
    "\nadd(server, TABS);",
}
CALLS = {
    "registerTool": "server.registerTool(tab.name, { description: tab.content }, run)",
    "addTool": "server.addTool({ name: tab.name, description: tab.content, execute: run })",
}


@pytest.mark.parametrize("loop", LOOPS.values(), ids=LOOPS)
@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_a_loop_over_what_a_function_receives_is_read(loop: str, call: str, tmp_path: Path) -> None:
    write(tmp_path, {"server.js": HEAD + loop.replace("CALL", call) + READ})
    found = read(tmp_path, "server.js")
    described = {tool.name: tool.description for tool in found.registry}
    assert described == {"info": "I.", "acts": "A.", "manage": "M."}
    assert found.problems == ()


def test_each_call_has_names_of_its_own(tmp_path: Path) -> None:
    text = (
        "function add(server, tabs, prefix) { for (const tab of tabs)"
        " server.tool(`${prefix}_${tab.name}`, tab.content, {}, run); }"
        "\nadd(server, TABS, 'a'); add(server, TABS, 'b'); add(server, fetched(), 'c');"
    )
    write(tmp_path, {"server.js": HEAD + text})
    found = read(tmp_path, "server.js")
    assert list(found.registry.tools) == ["a_info", "a_acts", "b_info", "b_acts"]
    (problem,) = found.problems
    assert "part of the list of tools" in problem.what
