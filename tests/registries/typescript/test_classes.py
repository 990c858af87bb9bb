"""Fields of classes that are read from within the class: each is worked out once."""

from pathlib import Path

import pytest

from evaltui.core.tool import ToolDefinition
from tests.registries.projects import read, write

MANY = ", ".join(f"k{i}: A.id" for i in range(20))
CHAIN = "".join(f"static s{i + 1} = new X({{ a: A.s{i}, b: A.s{i} }}); " for i in range(40))
CIRCLE = "".join(f"static c{i} = [{', '.join(f'A.c{j}' for j in range(9))}]; " for i in range(9))

ENDLESS = {
    "constructor": f"constructor() {{ this.app = new X({{ {MANY} }}); }}",
    "super": f"constructor() {{ super({{ {MANY} }}); }}",
    "static": f"static app = new X({{ {MANY} }});",
    "getter": f"get app() {{ return new X({{ {MANY} }}); }}",
    "instance": f"app = new X({{ {MANY.replace('A.id', 'new A().id')} }});",
    "chain": f"static s0 = 'x'; {CHAIN}",
    "circle": CIRCLE,
}


def tool(text: str, root: Path) -> ToolDefinition:
    write(root, {"x.tool.ts": text})
    (found,) = read(root, "x.tool.ts").registry
    return found


@pytest.mark.timeout(20)
@pytest.mark.parametrize("members", ENDLESS.values(), ids=ENDLESS)
@pytest.mark.parametrize(
    "text",
    [
        "export class A { %s }",
        "function make(n) { const A = class { %s }; return A; } export const a = make(1);",
    ],
    ids=["top", "function"],
)
def test_a_class_that_reads_itself_ends_and_is_read(
    members: str, text: str, tmp_path: Path
) -> None:
    found = tool(text % f"{members} name = 'a'; description = 'D';", tmp_path)
    assert (found.name, found.description) == ("a", "D")


OTHERS = {
    "this.a = 'D'; this.description = this.a;": "",
    "this.description = this.a;": "a = 'D';",
    "this.description = `${A.a}`;": "static a = 'D';",
    "this.description = A.b;": "static a = 'D'; static b = A.a;",
    "this.description = A.b; ": "static b = A.a; static a = 'D';",
    "this.description = new A().a;": "a = 'D';",
    "this.description = this.text;": "get text() { return this.a; } a = 'D';",
    "this.description = (() => this.a)();": "a = 'D';",
    "super({ description: A.a });": "static a = 'D';",
}


@pytest.mark.parametrize(("statements", "members"), OTHERS.items())
def test_a_field_made_of_another_is_known(statements: str, members: str, tmp_path: Path) -> None:
    text = f"export class A {{ name = 'a'; {members} constructor() {{ {statements} }} }}"
    found = tool(text, tmp_path)
    assert (found.description, found.unresolved) == ("D", ())


UNKNOWN = {
    "this.description = A.description;": "circular description",
    "this.description = this.a; this.a = 'E';": "this.a",
    "this.description = (function () { return this.a; })();": "this.a",
    "this.description = ({ m() { return this.a; } }).m();": "this.a",
}


@pytest.mark.parametrize(("statements", "shown"), UNKNOWN.items())
def test_a_field_that_only_running_tells_stays_unknown(
    statements: str, shown: str, tmp_path: Path
) -> None:
    text = f"export class A {{ name = 'a'; a = 'D'; constructor() {{ {statements} }} }}"
    found = tool(text, tmp_path)
    (unresolved,) = found.unresolved
    assert unresolved.field == "description"
    assert shown in unresolved.expression


def test_each_call_of_a_function_has_its_own_fields(tmp_path: Path) -> None:
    text = """
    function make(name, text) {
      const A = class { static text = text; static all = A.text + A.text; };
      return { name, description: A.all, schema: {} };
    }
    export const one = make('one', '1'), two = make('two', '2');
    """
    write(tmp_path, {"x.tool.ts": text})
    found = read(tmp_path, "x.tool.ts").registry
    assert {tool.name: tool.description for tool in found} == {"one": "11", "two": "22"}
