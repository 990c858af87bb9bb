"""What has a name and a description and is no tool all the same."""

import re
from pathlib import Path

import pytest

from tests.registries.projects import read, write

NAMED = "super(m); this.name = 'Gone'; this.description = 'It went.';"
ERRORS = {
    "class": f"export class Gone extends Error {{ constructor(m) {{ {NAMED} }} }}",
    "made by a compiler": f"var Gone = class extends Error {{ constructor(m) {{ {NAMED} }} }};",
    "of the language": f"export class Gone extends TypeError {{ constructor(m) {{ {NAMED} }} }}",
    "of a package": "import { McpError } from '@modelcontextprotocol/sdk/types.js';\n"
    f"export class Gone extends McpError {{ constructor(m) {{ {NAMED} }} }}",
    "by one of the project": "import { Base } from './base';\n"
    f"export class Gone extends Base {{ constructor(m) {{ {NAMED} }} }}",
    "made": f"class Gone extends Error {{ constructor(m) {{ {NAMED} }} }}\n"
    "export const gone = new Gone('x');",
    "made of a class with a telling name": "class ToolError extends Error {}\n"
    "export const gone = new ToolError('gone', { name: 'gone', description: 'It went.' });",
}


@pytest.mark.parametrize("text", ERRORS.values(), ids=ERRORS)
@pytest.mark.parametrize("suffix", ["ts", "js"])
def test_an_error_is_no_tool(text: str, suffix: str, tmp_path: Path) -> None:
    base = "export class Base extends Error { name = 'Base'; description = 'B.'; }"
    server = "server.tool('get_time', 'Tells it.', {}, run);"
    write(tmp_path, {f"tools/index.{suffix}": f"{text}\n{server}", f"tools/base.{suffix}": base})
    found = read(tmp_path, f"tools/index.{suffix}")
    assert (list(found.registry.tools), found.problems) == (["get_time"], ())


PROMPTS = {
    "by its base's name": "extends BasePrompt {",
    "by its method": "extends Base { getMessages() {}",
    "a resource": "extends lib.MCPResource {",
}


@pytest.mark.parametrize("text", PROMPTS.values(), ids=PROMPTS)
def test_a_class_of_a_prompt_is_no_tool(text: str, tmp_path: Path) -> None:
    one = "constructor() { super({ name: '%s', description: 'D.' }); } }"
    texts = (
        "import { BasePrompt, Base } from './base';\nimport * as lib from 'lib';",
        f"export class P {text} {one % 'p'}",
        f"export class T extends Base {{ execute() {{}} {one % 't'}",
        f"export const made = new (class X {text} {one % 'x'})();",
    )
    base = "export class Base {} export class BasePrompt extends Base {}"
    write(tmp_path, {"tools/index.ts": "\n".join(texts), "tools/base.ts": base})
    assert list(read(tmp_path, "tools/index.ts").registry.tools) == ["t"]


def test_a_class_of_another_kind_is_a_tool_whatever_it_extends(tmp_path: Path) -> None:
    text = """
    import { StructuredTool } from '@langchain/core/tools';
    export class A extends StructuredTool { name = 'a'; description = 'A.'; }
    export class B extends A { name = 'b'; }
    """
    write(tmp_path, {"tools/index.ts": text})
    assert list(read(tmp_path, "tools/index.ts").registry.tools) == ["a", "b"]


A = "{ name: 'a', description: 'A.' }"
B = "{ name: 'b', description: 'B.' }"
GROUP = "{ name: 'group', description: 'G.', enabled: false, tools: %s }"
GROUPS = {
    "in a list": f"export const allTools = [{GROUP}, {B}];",
    "in a list of a function": "export const allTools = (client, { t }) => "
    f"({{ toolsets: [{GROUP}, {{ name: 'c', description: 'C.', tools: [{B}] }}] }});",
    "alone": f"export const group = {GROUP}; export const bTool = {{ ...{B}, handler }};",
    "made by a call": f"export const all = [defineToolset({GROUP}), tool({B})];",
    "a class": "export class Group { name = 'group'; description = 'G.'; tools = %s; }\n"
    f"export const bTool = {{ ...{B}, handler }};",
    "in a group": "export const tools = "
    f"[{{ name: 'outer', description: 'O.', tools: [{GROUP}, {B}] }}];",
    "made of a class": "class Group { name = 'group'; description = 'G.'; tools = %s; }\n"
    f"export const tools = [new Group(), {B}];",
}


@pytest.mark.parametrize("text", GROUPS.values(), ids=GROUPS)
@pytest.mark.parametrize(
    "inner",
    [
        f"[{A}]",
        "[aTool()]",
        "{ a: { description: 'A.', schema: {} } }",
        f"[{A}, 'name-of-another']",
    ],
)
def test_a_group_is_read_for_the_tools_that_it_holds(text: str, inner: str, tmp_path: Path) -> None:
    made = f"const aTool = () => ({A});"
    write(tmp_path, {"tools/index.ts": f"{made}\n{text % inner}"})
    found = read(tmp_path, "tools/index.ts")
    assert (sorted(found.registry.tools), found.problems) == (["a", "b"], ())


@pytest.mark.parametrize("text", GROUPS.values(), ids=GROUPS)
@pytest.mark.parametrize("inner", ["load()", "[...load()]", "[load()]", "() => load()", "{ x: 5 }"])
def test_a_group_whose_tools_cannot_be_read_is_said(text: str, inner: str, tmp_path: Path) -> None:
    write(tmp_path, {"tools/index.ts": f"import {{ load }} from 'pkg';\n{text % inner}"})
    found = read(tmp_path, "tools/index.ts")
    assert list(found.registry.tools) == ["b"]
    (problem,) = found.problems
    assert (problem.file, problem.code) == ("tools/index.ts", "unresolved")
    assert problem.line >= 2
    assert "part of the list of tools cannot be read" in problem.what


def test_a_group_without_tools_is_nothing(tmp_path: Path) -> None:
    write(tmp_path, {"tools/index.ts": f"export const tools = [{GROUP % '[]'}, {B}];"})
    found = read(tmp_path, "tools/index.ts")
    assert (list(found.registry.tools), found.problems) == (["b"], ())


def test_a_tool_may_have_a_field_of_the_name_tools(tmp_path: Path) -> None:
    text = f"export const tools = [{{ ...{A}, parameters: {{}}, tools: ['x'] }}, "
    text += f"{{ ...{B}, tools: ['x'], execute: run }}];"
    write(tmp_path, {"tools/index.ts": text})
    assert list(read(tmp_path, "tools/index.ts").registry.tools) == ["a", "b"]


BESIDE = {
    "class": "export class Places { name = 'Places'; uri = 'x://p'; description = 'P.'; }",
    "template": "export class Places { name = 'P'; uriTemplate = 'x://{p}'; description = 'P.'; }",
    "object": "export const places = { name: 'Places', uri: 'x://p', description: 'P.', handler };",
    "made": "class Place { name = 'P'; constructor() { this.uri = 'x'; this.description = 'P'; } }"
    "\nexport const places = new Place();",
    "prompt": "export class Plan { name = 'plan'; description = 'P.'; "
    "arguments = [{ name: 'city', description: 'C.', required: true }]; }",
    "prompt that is loaded": "export const prompts = [{ name: 'plan', description: 'P.', "
    "arguments: [], load: () => 'Plan it.' }];",
}


@pytest.mark.parametrize("text", BESIDE.values(), ids=BESIDE)
def test_an_mcp_resource_or_prompt_is_no_tool(text: str, tmp_path: Path) -> None:
    write(tmp_path, {"tools/index.ts": f"{text}\nexport const aTool = {{ ...{A}, handler }};"})
    found = read(tmp_path, "tools/index.ts")
    assert (list(found.registry.tools), found.problems) == (["a"], ())


def test_a_resource_in_a_list_of_tools_is_said(tmp_path: Path) -> None:
    write(tmp_path, {"tools/index.ts": f"export const tools = [{{ ...{B}, uri: 'x' }}, {A}];"})
    found = read(tmp_path, "tools/index.ts")
    assert list(found.registry.tools) == ["a"]
    assert [problem.code for problem in found.problems] == ["unresolved"]


OWN = "arguments = [{ name: 'city', type: 'string' }];"


def test_a_tool_may_have_their_fields(tmp_path: Path) -> None:
    text = f"export const aTool = {{ ...{A}, inputSchema: {{ type: 'object' }}, uri: 'ui://a' }};"
    text += f"export class BTool {{ name = 'b'; description = 'B.'; {OWN} }}"
    write(tmp_path, {"tools/index.ts": text})
    assert list(read(tmp_path, "tools/index.ts").registry.tools) == ["a", "b"]


@pytest.mark.parametrize("name", ["get_health", "health"])
def test_a_map_of_what_is_registered_has_no_tools_of_its_own(name: str, tmp_path: Path) -> None:
    maps = """
    export const configs = {
      health: { description: 'H.', inputSchema: {} },
      other: { description: 'O.', inputSchema: {} },
    };
    """
    server = "import { configs } from './configs';\n"
    server += f"server.registerTool('{name}', configs.health, run);"
    write(tmp_path, {"src/configs.ts": maps, "src/server.ts": server})
    found = read(tmp_path, "src")
    assert (sorted(found.registry.tools), found.problems) == (sorted([name, "other"]), ())
    assert found.registry.tools[name].description == "H."


ARGS = {
    "a container": "export const shells = { plain: "
    "{ name: 'main', image: 'shell:1', command: ['/bin/sh'], args: ['-c', 'sleep 9'] } };",
    "a container alone": "export const shell = { name: 'main', args: ['-c', 'sleep 9'] };",
    "a field of GraphQL": "export const kind = { name: '__kind', description: 'K.', "
    "type: new Text(), args: [{ name: 'name', description: 'N.' }], resolve: (one) => one.kind };",
    "commands": "export const commands = { go: { description: 'G.', category: 'C', "
    "args: { to: { name: 'to', type: 'string', description: 'T.', required: true } } } };",
}


@pytest.mark.parametrize("text", ARGS.values(), ids=ARGS)
def test_args_alone_make_no_tool(text: str, tmp_path: Path) -> None:
    write(tmp_path, {"tools/index.ts": f"{text}\nexport const aTool = {{ ...{A}, handler }};"})
    found = read(tmp_path, "tools/index.ts")
    assert (list(found.registry.tools), found.problems) == (["a"], ())


ARGS_OF_TOOLS = {
    "with code": f"export const a = {{ ...{A}, args: [{{ name: 'city' }}], handler }};",
    "named": f"export const a = {{ ...{A}, args: {{ city: {{ type: 'string' }} }} }};",
    "of zod": "export const all = { a: { description: 'A.', args: { city: z.string() } } };",
    "imported": f"import {{ args }} from './args';\nexport const a = {{ ...{A}, args }};",
}


@pytest.mark.parametrize("text", ARGS_OF_TOOLS.values(), ids=ARGS_OF_TOOLS)
def test_args_of_a_tool_are_its_parameters(text: str, tmp_path: Path) -> None:
    args = "export const args = { city: { type: 'string' } };"
    write(tmp_path, {"tools/index.ts": text, "tools/args.ts": args})
    (tool,) = read(tmp_path, "tools/index.ts").registry
    assert tool.name == "a"
    assert tool.parameters is not None
    assert "city" in str(tool.parameters["properties"])


RUN = "name: 'a', description: 'A.', run: async () => grade('What is it?')"
EVALS = {
    "typed, of mcp-evals": "import { EvalConfig, EvalFunction } from 'mcp-evals';\n"
    f"export const anEval: EvalFunction = {{ {RUN} }};\n"
    "const config: EvalConfig = { model: openai('gpt-4o'), evals: [anEval] };\n"
    "export default config;\nexport const evals = [anEval];",
    "plain": f"export const anEval = {{ {RUN} }};",
    "of a module": f"module.exports = {{ anEval: {{ {RUN} }} }};",
    "default": f"export default {{ {RUN} }};",
    "in a list": f"export const toolEvals = []; export const evals = [{{ {RUN} }}];",
    "described only": "export const scorers = [{ name: 'a', description: 'A.' }];",
    "made": f"export const anEval = defineEval({{ {RUN} }});",
    "of tools": f"export const anEval: ToolEval = {{ {RUN} }};",
    "a command": f"export const a: Command = {{ {RUN} }};",
}


@pytest.mark.parametrize("text", EVALS.values(), ids=EVALS)
@pytest.mark.parametrize("suffix", ["ts", "js"])
def test_an_eval_is_no_tool(text: str, suffix: str, tmp_path: Path) -> None:
    server = "server.tool('get_time', 'Tells it.', {}, run);"
    if suffix == "js":
        text = re.sub(r"(const \w+): \w+", r"\1", text)
    write(tmp_path, {f"tools/index.{suffix}": f"{text}\n{server}"})
    found = read(tmp_path, f"tools/index.{suffix}")
    assert (list(found.registry.tools), found.problems) == (["get_time"], ())


TOOLS_THAT_RUN = {
    "typed": f"export const aTool: Tool = {{ {RUN} }};",
    "typed with its parameters": f"export const aTool: ToolDefinition<In, Out> = {{ {RUN} }};",
    "satisfies": f"export const aTool = ({{ {RUN} }}) satisfies AgentTool;",
    "as": f"export const aTool = {{ {RUN} }} as const as Tool;",
    "with parameters": f"export const aTool = {{ {RUN}, parameters: {{}} }};",
    "in a list of tools": f"export const tools = [{{ {RUN} }}];",
    "in a list": f"export const mine = [{{ {RUN} }}];",
    "registered": f"server.addTool({{ {RUN} }});",
    "made": f"export const aTool = defineTool({{ {RUN} }});",
    "in a list of tools for evals": f"export const evalTools = [{{ {RUN} }}];",
    "executed": "export const aTool = { name: 'a', description: 'A.', execute: run };",
}


@pytest.mark.parametrize("text", TOOLS_THAT_RUN.values(), ids=TOOLS_THAT_RUN)
def test_what_runs_is_a_tool_where_something_says_so(text: str, tmp_path: Path) -> None:
    write(tmp_path, {"tools/index.ts": text})
    assert list(read(tmp_path, "tools/index.ts").registry.tools) == ["a"]


def test_a_file_of_a_tool_says_so(tmp_path: Path) -> None:
    write(tmp_path, {"tools/a.tool.ts": f"export const a = {{ {RUN} }};"})
    assert list(read(tmp_path, "tools").registry.tools) == ["a"]
