"""Lists of tools that grow after they are written down, in a module, a function or elsewhere."""

from pathlib import Path

import pytest

from tests.registries.projects import read, write

NO_INPUT = "inputSchema: { type: 'object', properties: {} }"
A = f"{{ name: 'a', description: 'A.', {NO_INPUT} }}"
B = f"{{ name: 'b', description: 'B.', {NO_INPUT} }}"
LIST = f"const tools = [{A}];"

CERTAIN = {
    "at the top": f"{LIST} tools.push({B}); export {{ tools }};",
    "in a function": f"export function makeTools() {{ {LIST} tools.push({B}); return tools; }}",
    "in a block": f"{LIST} try {{ const b = {B}; tools.push(b); }} catch {{}} export {{ tools }};",
    "under a known condition": f"{LIST} const IS_ON = true; if (IS_ON) tools.push({B});\n"
    "export { tools };",
}
CONDITIONAL = {
    "at the top": f"{LIST} if (process.env.X) tools.push({B}); export {{ tools }};",
    "in a function": f"export function makeTools() {{ {LIST}\n"
    f"if (process.env.X) {{ const b = {B}; tools.push(b); }} return tools; }}",
    "otherwise": f"{LIST} if (process.env.X) {{}} else tools.push({B}); export {{ tools }};",
    "of exports": f"exports.tools = [{A}]; if (process.env.X) exports.tools.push({B});",
    "registered": "server.tool('a', 'A.', {}, run);\n"
    "if (process.env.X) server.tool('b', 'B.', {}, run);",
}
UNREAD = {
    "in a loop": f"{LIST} for (const one of more) tools.push(one); export {{ tools }};",
    "by a function": f"{LIST} export function add(one) {{ tools.push(one); }} export {{ tools }};",
    "by a callback": f"{LIST} more.forEach((one) => tools.push(one)); export {{ tools }};",
    "in a function": f"export function makeTools() {{ {LIST}\n"
    "more.forEach((one) => tools.push(one)); return tools; }",
}
OTHERS = {
    "a list in a function": f"{LIST} export {{ tools }};\n"
    "export function words() { const tools = []; tools.push(more()); return tools; }",
    "a parameter": f"{LIST} export {{ tools }}; export const add = (tools) => tools.push(more());",
}


@pytest.mark.parametrize("text", CERTAIN.values(), ids=CERTAIN)
def test_what_is_added_belongs_to_the_list(text: str, tmp_path: Path) -> None:
    write(tmp_path, {"tools/index.js": text})
    found = read(tmp_path, "tools/index.js")
    assert (list(found.registry.tools), found.problems) == (["a", "b"], ())


@pytest.mark.parametrize("text", CONDITIONAL.values(), ids=CONDITIONAL)
def test_a_tool_that_is_there_at_times_is_named(text: str, tmp_path: Path) -> None:
    write(tmp_path, {"tools/index.js": text})
    found = read(tmp_path, "tools/index.js")
    assert list(found.registry.tools) == ["a", "b"]
    (problem,) = found.problems
    assert problem.code == "conditional-tool"
    assert "`b` hangs on `process.env.X`" in problem.what


@pytest.mark.parametrize("text", UNREAD.values(), ids=UNREAD)
def test_what_is_added_and_not_known_is_named(text: str, tmp_path: Path) -> None:
    write(tmp_path, {"tools/index.js": text})
    found = read(tmp_path, "tools/index.js")
    assert list(found.registry.tools) == ["a"]
    assert ["tools.push(one)" in problem.what for problem in found.problems] == [True]


@pytest.mark.parametrize("text", OTHERS.values(), ids=OTHERS)
def test_another_list_of_the_name_is_left_alone(text: str, tmp_path: Path) -> None:
    write(tmp_path, {"tools/index.js": text})
    found = read(tmp_path, "tools/index.js")
    assert (list(found.registry.tools), found.problems) == (["a"], ())


def test_a_list_of_another_module_is_filled_like_a_server(tmp_path: Path) -> None:
    index = f"""
    import {{ toolRegistry }} from './registry.js';
    import {{ bTool }} from './b.js';
    toolRegistry.push({A});
    if (process.env.X) toolRegistry.push(bTool);
    export * from './registry.js';
    """
    files = {
        "index.js": index,
        "registry.js": "export const toolRegistry = [];",
        "b.js": f"export const bTool = {B};",
    }
    write(tmp_path, {f"tools/{name}": text for name, text in files.items()})
    found = read(tmp_path, "tools/index.js")
    assert list(found.registry.tools) == ["a", "b"]
    assert [problem.code for problem in found.problems] == ["conditional-tool"]
