"""Lists of tools that are made of others: worked out where that is evident, else said."""

from pathlib import Path

import pytest

from tests.registries.projects import read, write

ALL = """const all = [
  { name: 'a', description: 'A.', parameters: {}, beta: true },
  { name: 'b', description: 'B.', parameters: {} },
];
"""
ONLY_B = {
    "a field": "export const tools = all.filter((t) => !t.beta);",
    "the name": "export const tools = all.filter(({ name }) => name !== 'a');",
    "a part of the name": "export const tools = all.filter((t) => !t.name.startsWith('a'));",
    "the index": "export const tools = all.filter((t, i) => i > 0);",
    "a set": "const no = new Set(['a']);\nexport const tools = all.filter((t) => !no.has(t.name));",
    "a list": "export const tools = all.filter((t) => !['a'].includes(t.name));",
    "in a function": "export function getTools() { return all.filter((t) => !t.beta); }",
    "by default": "export default all.filter((t) => !t.beta);",
    "another name": "export const active = all.filter((t) => !t.beta);",
    "entries": "export const tools = Object.fromEntries("
    "all.filter((t) => !t.beta).map((t) => [t.name, t]));",
    "flatMap": "export const tools = all.flatMap((t) => t.beta ? [] : [t]);",
    "slice": "export const tools = all.slice(-1);",
    "concat": "export const tools = all.slice(2).concat(all[1]);",
}
CHANGED = {
    "map": "export const tools = all.map((t) => ({ ...t, description: t.description + '!' }));",
    "from": "export const tools = Array.from(all, (t) => ({ ...t, description: `${t.description}!`"
    " }));",
}
UNREAD = {
    "a variable": ("export const tools = all.filter((t) => process.env[t.name]);", "all.filter("),
    "by default": ("export default all.filter((t) => process.env[t.name]);", "all.filter("),
    "a function": ("export const tools = all.filter(isOn);", "all.filter(isOn)"),
    "reduce": ("export const tools = all.reduce((l, t) => [...l, t], []);", "all.reduce("),
    "reduce by default": ("export default all.reduce((l, t) => [...l, t], []);", "all.reduce("),
    "toSpliced": ("export const tools = all.toSpliced(0, 1);", "all.toSpliced(0, 1)"),
    "map": ("export const tools = all.map((t) => wrap(t));", "all.map((t) => wrap(t))"),
    "rest": ("const [x, ...rest] = all;\nexport const tools = rest;", "[x, ...rest] = all"),
    "a loop": (
        "export const tools = [];\nfor (const t of all) if (!t.beta) tools.push(t);",
        "tools.push(t)",
    ),
    "forEach": (
        "export const tools = [];\nall.forEach((t) => tools.push({ ...t, x: 1 }));",
        "tools.push({ ...t, x: 1 })",
    ),
    "a generator": (
        "function* some() { yield all[0]; }\nexport const tools = [...some()];",
        "some",
    ),
    "a map": ("const m = new Map();\nexport const tools = [...m.values()];", "...m.values()"),
    "a condition": ("export const tools = process.env.X ? all : [];", "process.env.X ? all : []"),
    "set again": (
        "let tools = all;\ntools = tools.filter(isOn);\nexport { tools };",
        "tools = all",
    ),
    "a call": ("export const tools = load();", "load()"),
    "a package": ("export { tools } from 'pkg';", "tools"),
}


def said(root: Path) -> list[str]:
    return [problem.what for problem in read(root).problems]


@pytest.mark.parametrize("text", ONLY_B.values(), ids=ONLY_B)
def test_what_is_evidently_left_out_is_no_tool(text: str, tmp_path: Path) -> None:
    write(tmp_path, {"tools/index.js": ALL + text})
    found = read(tmp_path)
    assert (list(found.registry.tools), found.problems) == (["b"], ())


@pytest.mark.parametrize("text", CHANGED.values(), ids=CHANGED)
def test_what_is_evidently_changed_counts_as_it_is_then(text: str, tmp_path: Path) -> None:
    write(tmp_path, {"tools/index.js": ALL + text})
    found = read(tmp_path)
    assert [tool.description for tool in found.registry] == ["A.!", "B.!"]
    assert found.problems == ()


@pytest.mark.parametrize(("text", "hidden"), UNREAD.values(), ids=UNREAD)
def test_what_is_not_evident_is_said_once(text: str, hidden: str, tmp_path: Path) -> None:
    write(tmp_path, {"tools/index.js": ALL + text})
    found = read(tmp_path)
    assert list(found.registry.tools) == ["a", "b"]
    (problem,) = found.problems
    assert (problem.code, problem.file) == ("unresolved", "tools/index.js")
    assert hidden in problem.what
    assert problem.line > 4
    assert 'type = "mcp"' in problem.hint


@pytest.mark.parametrize("text", [text for text, _ in UNREAD.values() if "all" not in text])
def test_a_list_that_cannot_be_read_at_all_is_never_nothing(text: str, tmp_path: Path) -> None:
    write(tmp_path, {"tools/index.js": text})
    found = read(tmp_path)
    assert (len(found.registry), len(found.problems)) == (0, 1)


def test_what_a_bundle_keeps_in_a_function_is_never_nothing(tmp_path: Path) -> None:
    inside = f"var out = {{}};\n__export(out, {{ tools: () => tools }});\nvar tools = []; {ALL}"
    bundle = f"var lib = (() => {{\n{inside}return out;\n}})();"
    write(tmp_path, {"tools/index.js": bundle})
    assert said(tmp_path) == ["no tool definition found"]


OTHERS = {
    "names": "export const names = tools.map((t) => t.name);",
    "by name": "export const byName = new Map(tools.map((t) => [t.name, t]));",
    "one": "export const find = (name) => tools.find((t) => t.name === name);",
    "in order": "export default [...tools].sort((a, b) => a.name.localeCompare(b.name));",
}


@pytest.mark.parametrize("text", OTHERS.values(), ids=OTHERS)
def test_other_uses_of_a_list_are_none_of_ours(text: str, tmp_path: Path) -> None:
    write(tmp_path, {"tools/index.js": f"{ALL}export const tools = all;\n{text}"})
    found = read(tmp_path)
    assert (list(found.registry.tools), found.problems) == (["a", "b"], ())
