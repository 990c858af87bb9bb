"""CommonJS as people write it, and as compilers make it of modules."""

from pathlib import Path

import pytest

from tests.registries.projects import read, write

NO_INPUT = "inputSchema: { type: 'object', properties: {} }"
A = f"{{ name: 'a', description: 'A.', {NO_INPUT} }}"
B = f"{{ name: 'b', description: 'B.', {NO_INPUT} }}"

ONE_FILE = {
    "announced": f"exports.aTool = void 0; exports.aTool = {A}; exports.bTool = {B};",
    "announced in a row": "exports.bTool = exports.aTool = void 0;\n"
    f"exports.aTool = {A}; exports.bTool = {B};",
    "assigned twice": f"exports.aTool = {B}; exports.aTool = {A}; exports.bTool = {B};",
    "a list of exports": f"exports.tools = exports.aTool = void 0; exports.aTool = {A};\n"
    f"exports.tools = [exports.aTool, {B}];",
    "a list that grows": f"exports.tools = []; exports.tools.push({A}, {B});",
    "by a getter": f"const aTool = {A}, bTool = {B};\n"
    "Object.defineProperty(exports, 'aTool', { get: function () { return aTool; } });\n"
    "Object.defineProperty(exports, 'bTool', { enumerable: true, get: () => bTool });",
    "declared and exported": f"const aTool = exports.aTool = {A}; exports.bTool = {B};",
    "as a whole": f"module.exports = {{ tools: [{A}, {B}] }};",
}


@pytest.mark.parametrize("text", ONE_FILE.values(), ids=ONE_FILE)
def test_the_last_value_of_an_export_counts(text: str, tmp_path: Path) -> None:
    write(tmp_path, {"tools/index.js": text})
    found = read(tmp_path, "tools/index.js")
    assert (list(found.registry.tools), found.problems) == (["a", "b"], ())


COMPILED = {
    "consts.js": """
        exports.TEXT = void 0; exports.describe = describe;
        exports.TEXT = "A.";
        function describe(name) { return `The ${name}.`; }
    """,
    "a.js": """
        exports.aTool = exports.aSchema = void 0;
        const zod_1 = require("zod"), consts_1 = require("./consts");
        exports.aSchema = zod_1.z.object({ q: zod_1.z.string() });
        exports.aTool = {
            name: "a", description: consts_1.TEXT, inputSchema: exports.aSchema };
        exports.default = {
            name: "b", description: (0, consts_1.describe)("b"), inputSchema: exports.aSchema };
    """,
    "index.js": """
        exports.tools = exports.list = void 0;
        const a_1 = __importDefault(require("./a"));
        const as = tslib_1.__importStar(require("./a"));
        __exportStar(require("./c"), exports);
        exports.list = [];
        exports.list.push(as.aTool, a_1.default);
        exports.tools = [...exports.list, exports.cTool];
    """,
    "c.js": "exports.cTool = void 0;\n"
    f"exports.cTool = {{ name: 'c', description: 'C.', {NO_INPUT} }};",
}


def test_what_a_compiler_makes_of_modules_is_read_like_them(tmp_path: Path) -> None:
    write(tmp_path, {f"tools/{name}": text for name, text in COMPILED.items()})
    found = read(tmp_path, "tools/index.js")
    described = {tool.name: tool.description for tool in found.registry.tools.values()}
    assert described == {"a": "A.", "b": "The b.", "c": "C."}
    assert found.registry.tools["a"].parameters == {
        "type": "object",
        "properties": {"q": {"type": "string"}},
        "required": ["q"],
    }
    assert not found.problems


def test_a_whole_module_has_its_value_as_default(tmp_path: Path) -> None:
    main = "const a_1 = __importDefault(require('./a'));\n"
    main += "exports.tools = [a_1.default, require('./b')];"
    files = {"index.js": main, "a.js": f"module.exports = {A};", "b.js": f"module.exports = {B};"}
    write(tmp_path, {f"tools/{name}": text for name, text in files.items()})
    assert list(read(tmp_path, "tools/index.js").registry.tools) == ["a", "b"]


def test_a_required_module_may_register_tools(tmp_path: Path) -> None:
    files = {
        "index.js": "const tools_1 = require('./tools'); (0, tools_1.add)(new McpServer(), 'a');",
        "tools.js": "exports.add = add; require('./more');\n"
        "function add(server, name) { server.tool(name, 'A.', {}, run); }",
        "more.js": "server.tool('b', 'B.', {}, run);",
    }
    write(tmp_path, {f"tools/{name}": text for name, text in files.items()})
    assert list(read(tmp_path, "tools/index.js").registry.tools) == ["a", "b"]


def test_a_part_of_a_tool_that_changes_is_not_known(tmp_path: Path) -> None:
    changes = "exports.aTool.description = 'B.'; exports.aTool.inputSchema.required = [];"
    write(tmp_path, {"tools/index.js": f"exports.aTool = {A}; {changes}"})
    tool = read(tmp_path, "tools/index.js").registry.tools["a"]
    assert (tool.description, tool.parameters) == ("B.", None)
    assert [item.field for item in tool.unresolved] == ["parameters"]


def test_lists_of_a_required_module_are_no_lists_of_tools(tmp_path: Path) -> None:
    words = "exports.WORDS = ['meta', 'neo']; exports.LANES = [{ key: 'a', label: 'A' }];"
    main = f"const words_1 = require('./words'); exports.aTool = {A};"
    write(tmp_path, {"tools/index.js": main, "tools/words.js": words})
    for location in ("tools", "tools/index.js"):
        found = read(tmp_path, location)
        assert (list(found.registry.tools), found.problems) == (["a"], ())
    files = {
        "tools/index.js": "const words_1 = require('./words');",
        "tools/other.js": f"exports.a = {A};",
    }
    write(tmp_path, files)
    assert not read(tmp_path, "tools").problems


BUNDLE = """var __export = (target, all) => {
  for (var name in all) __defProp(target, name, { get: all[name], enumerable: true });
};
var tools_exports = {};
__export(tools_exports, { ALL_TOOLS: () => ALL_TOOLS });
"""
BUNDLED = """
var a = { name: 'a', description: 'A.', inputSchema: {} }, b = { ...a, name: 'b' };
var ALL_TOOLS = [a, b];
"""


@pytest.mark.parametrize(
    ("prefix", "used"),
    [
        ("", "module.exports = __toCommonJS(tools_exports);"),
        (
            "my_",
            "for (const tool of tools_exports.ALL_TOOLS)"
            " server.registerTool(`my_${tool.name}`, { description: tool.description }, run);",
        ),
    ],
    ids=["exported", "registered"],
)
def test_what_a_bundler_says_that_a_module_exports(prefix: str, used: str, tmp_path: Path) -> None:
    found = read(write(tmp_path, {"bundle.js": BUNDLE + BUNDLED + used}), "bundle.js")
    assert [tool.name for tool in found.registry] == [f"{prefix}a", f"{prefix}b"]
    assert found.problems == ()
