"""What has a name and a description and is no tool all the same."""

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
}


@pytest.mark.parametrize("text", ERRORS.values(), ids=ERRORS)
@pytest.mark.parametrize("suffix", ["ts", "js"])
def test_an_error_is_no_tool(text: str, suffix: str, tmp_path: Path) -> None:
    base = "export class Base extends Error { name = 'Base'; description = 'B.'; }"
    server = "server.tool('get_time', 'Tells it.', {}, run);"
    write(tmp_path, {f"tools/index.{suffix}": f"{text}\n{server}", f"tools/base.{suffix}": base})
    found = read(tmp_path, f"tools/index.{suffix}")
    assert (list(found.registry.tools), found.problems) == (["get_time"], ())


def test_a_class_of_another_kind_is_a_tool_whatever_it_extends(tmp_path: Path) -> None:
    text = """
    import { StructuredTool } from '@langchain/core/tools';
    export class A extends StructuredTool { name = 'a'; description = 'A.'; }
    export class B extends A { name = 'b'; }
    """
    write(tmp_path, {"tools/index.ts": text})
    assert list(read(tmp_path, "tools/index.ts").registry.tools) == ["a", "b"]
