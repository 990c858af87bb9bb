"""Which of the arguments of a registration are a tool's parameters, and which say more of it."""

from pathlib import Path

import pytest

from tests.registries.projects import read, write

HEAD = "import { z } from 'zod';\nimport { made } from 'some-lib';\n"
UNREADABLE = {
    "called name": "server.tool('f', 'D.', { name: made(), city: made() }, run);",
    "called title": "server.tool('f', 'D.', { title: made(), city: made() }, run);",
    "beside one that can be read": "server.tool('f', 'D.', { name: made(), n: z.number() }, run);",
    "called description, after one": "server.tool('f', 'D.', { description: made() }, run);",
    "without a description": "server.tool('f', { name: made(), city: made() }, run);",
    "before annotations": "server.tool('f', 'D.', { id: made() }, { readOnlyHint: true }, run);",
    "of a call": "export const f = defineTool('f', 'D.', { name: made(), city: made() }, run);",
    "in a loop": "for (const n of ['f']) server.tool(n, 'D.', { name: made() }, run);",
}


@pytest.mark.parametrize("text", UNREADABLE.values(), ids=UNREADABLE)
def test_parameters_that_cannot_be_read_are_named_whatever_they_are_called(
    text: str, tmp_path: Path
) -> None:
    write(tmp_path, {"tools/index.ts": HEAD + text})
    found = read(tmp_path, "tools/index.ts")
    (tool,) = found.registry.tools.values()
    assert (tool.name, tool.parameters) == ("f", None)
    assert [(item.field, item.expression) for item in tool.unresolved] == [("parameters", "made()")]
    assert [problem.code for problem in found.problems] == ["unresolved"]


OPTIONS = {
    "annotations": "server.tool('f', 'D.', { title: made(), readOnlyHint: true }, run);",
    "a handler": "server.addTool('f', 'D.', { title: made(), handler: () => 1 });",
    "a title": "server.registerTool('f', { title: 'T', description: 'D.' }, run);",
}


@pytest.mark.parametrize("text", OPTIONS.values(), ids=OPTIONS)
def test_what_says_more_of_a_tool_is_none_of_its_parameters(text: str, tmp_path: Path) -> None:
    write(tmp_path, {"tools/index.ts": HEAD + text})
    found = read(tmp_path, "tools/index.ts")
    tool = found.registry.tools["f"]
    assert (tool.description, tool.parameters, tool.unresolved) == ("D.", None, ())
    assert not found.problems


@pytest.mark.parametrize("name", ["schema", "input", "params"])
@pytest.mark.parametrize("rest", ["", ", format: z.string()"])
def test_a_parameter_may_be_called_like_the_field_of_parameters(
    name: str, rest: str, tmp_path: Path
) -> None:
    text = f"{HEAD}server.tool('f', 'D.', {{ {name}: z.string(){rest} }}, run);"
    write(tmp_path, {"tools/index.ts": text})
    parameters = read(tmp_path, "tools/index.ts").registry.tools["f"].parameters
    assert parameters is not None
    assert parameters["type"] == "object"
    required = parameters["required"]
    assert isinstance(required, list)
    assert name in required


KEYS = ["params", "parameters", "inputSchema", "input_schema", "schema", "args", "paramsSchema"]
SHAPES = {
    "optional": ("{{ a: z.string(), {0}: z.record(z.any()).optional(), b: z.string() }}", "ab"),
    "required": ("{{ a: z.string(), {0}: z.object({{ c: z.string() }}) }}", "a"),
    "short": ("{{ a: {{ type: 'string' }}, {0}: {{ type: 'object' }} }}", "a"),
    "beside what cannot be read": ("{{ a: made(), {0}: z.record(z.any()).optional() }}", ""),
}


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize(("shape", "others"), SHAPES.values(), ids=SHAPES)
@pytest.mark.parametrize("call", ["server.tool", "export const f = defineTool"])
def test_a_field_of_parameters_is_one_of_them_among_others(
    key: str, shape: str, others: str, call: str, tmp_path: Path
) -> None:
    text = f"{call}('f', 'D.', {shape.format(key)}, run);"
    write(tmp_path, {"tools/index.ts": HEAD + text})
    (tool,) = read(tmp_path, "tools/index.ts").registry.tools.values()
    if not others:
        assert [item.expression for item in tool.unresolved] == ["made()"]
        return
    assert tool.parameters is not None
    properties = tool.parameters["properties"]
    assert isinstance(properties, dict)
    assert properties.keys() == {*others, key}


WHOLE = {
    "of an answer": "server.registerTool('f', { inputSchema: IN, outputSchema: IN }, run);",
    "beside a title": "server.registerTool('f', { title: 'T', inputSchema: IN, more: IN }, run);",
    "beside an id": "export const f = tool({ id: 'f', inputSchema: IN, more: IN, execute: made });",
    "beside code": "export const f = createTool({ inputSchema: IN, more: IN, execute: made });",
}


@pytest.mark.parametrize("text", WHOLE.values(), ids=WHOLE)
def test_a_tool_may_have_other_schemas(text: str, tmp_path: Path) -> None:
    text = text.replace("IN", "z.object({ a: z.string() })")
    write(tmp_path, {"tools/index.ts": HEAD + text})
    (tool,) = read(tmp_path, "tools/index.ts").registry.tools.values()
    assert tool.parameters is not None
    assert tool.parameters["required"] == ["a"]


SPREAD = {
    "a registration": "server.registerTool('f', { description: 'D.', ...made }, run);",
    "a call": "export const f = defineTool('f', { description: 'D.', ...made }, run);",
    "a loop": "for (const n of ['f']) server.registerTool(n, { description: 'D.', ...made }, run);",
}


@pytest.mark.parametrize("text", SPREAD.values(), ids=SPREAD)
def test_what_is_spread_over_the_fields_may_be_any_of_them(text: str, tmp_path: Path) -> None:
    write(tmp_path, {"tools/index.ts": HEAD + text})
    (tool,) = read(tmp_path, "tools/index.ts").registry.tools.values()
    assert {"description", "parameters"} <= {item.field for item in tool.unresolved}
