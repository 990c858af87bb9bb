"""Tools that code changes after they are written down: what it changes is said, once."""

from pathlib import Path

import pytest

from tests.registries.projects import read, write

A = "{ name: 'a', description: 'A.', parameters: {} }"
LIST = f"const all = [{A}];\nconst one = {A};\n"
CHANGES_OF_LIST = {
    "an item": "all[0].description = 'X';",
    "a condition": "if (process.env.X) { all[0].description = 'X'; }",
    "forEach": "all.forEach((t) => (t.description += '!'));",
    "for of": "for (const t of all) { t.description = 'X'; }",
    "for": "for (let i = 0; i < all.length; i++) all[i].name += '!';",
    "defined": "Object.defineProperty(all[0], 'description', { value: 'X' });",
    "assigned": "Object.assign(all[0], { description: 'X' });",
    "another item": "all[0] = load();",
    "a function": "patch(all[0]);\nfunction patch(t) { t.description = 'X'; }",
    "a function of the list": "patch(all);\nconst patch = (l) => l.map((t) => { t.name += 1; });",
    "a function that hands on": "both(all);\nfunction both(l) { patch(l); }\n"
    "function patch(l) { for (const t of l) t.name += 1; }",
    "a function of another file": "import { patch } from './patch.js';\npatch(all);",
    "a function that adds": "add(all);\nfunction add(l) { l.push(load()); }",
}
CHANGES_OF_ONE = {
    "added": "one.description += '!';",
    "deleted": "delete one.description;",
    "a function": "patch(one);\nfunction patch(t) { t.description = 'X'; }",
    "a function later": "export function set(text) { one.description = text; }",
}
HARMLESS = {
    "the code": "for (const t of all) t.execute = timed(t.execute);",
    "another field": "all.forEach((t) => { t.calls = 0; });",
    "handed on": "start(all);\nfunction start(tools) { console.log(tools.length); }",
    "a package": "import { start } from 'pkg';\nstart(all);",
    "another of the name": "function f(all) { all[0].description = 'X'; }",
    "a copy": "for (const t of load()) t.description = 'X';",
}
PATCH = "export function patch(tools) { tools[0].description = 'X'; }"


@pytest.mark.parametrize("text", CHANGES_OF_LIST.values(), ids=CHANGES_OF_LIST)
def test_a_list_of_which_something_changes_is_said(text: str, tmp_path: Path) -> None:
    index = f"{LIST}{text}\nexport const tools = all;"
    write(tmp_path, {"tools/index.js": index, "tools/patch.js": PATCH})
    found = read(tmp_path, "tools/index.js")
    assert [tool.description for tool in found.registry] == ["A."]
    (problem,) = found.problems
    assert "part of the list of tools" in problem.what


@pytest.mark.parametrize("text", CHANGES_OF_ONE.values(), ids=CHANGES_OF_ONE)
def test_a_description_that_changes_is_not_checked(text: str, tmp_path: Path) -> None:
    write(tmp_path, {"tools/index.js": f"{LIST}{text}\nexport const tools = [one];"})
    found = read(tmp_path)
    (tool,) = found.registry
    assert [item.field for item in tool.unresolved] == ["description"]
    assert [problem.code for problem in found.problems] == ["unresolved"]


@pytest.mark.parametrize("text", HARMLESS.values(), ids=HARMLESS)
def test_what_changes_nothing_that_is_read_is_not_said(text: str, tmp_path: Path) -> None:
    write(tmp_path, {"tools/index.js": f"{LIST}{text}\nexport const tools = all;"})
    found = read(tmp_path)
    assert (list(found.registry.tools), found.problems) == (["a"], ())
